import { hash } from 'node:crypto';
import type { ModerateRequest, Moderation } from '../../../core/api/index.ts';
import { calculateTokens } from '../tokens.ts';
import { createContext, formatBody, type OperationHandler } from '../transport.ts';

type Content = ModerateRequest['contents'][number];

/** https://platform.openai.com/docs/guides/moderation#content-classifications */
const categories = ['harassment', 'hate', 'illicit', 'self-harm', 'sexual', 'violence'] as const;
const LOW = 0.001;
const HIGH = 0.99;

const textOf = (content: Content): string => content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

/** A category applies where the text has its name. */
const classify = (text: string): Moderation => {
  const found = new Set(categories.filter((name) => text.toLowerCase().includes(name)));
  return {
    flagged: found.size > 0,
    categories: Object.fromEntries(categories.map((name) => [name, found.has(name)])),
    scores: Object.fromEntries(categories.map((name) => [name, found.has(name) ? HIGH : LOW])),
  };
};

/** Classifies each content by the words in it. */
export const moderateHandler: OperationHandler<'moderate'> = {
  readText: ({ contents }) => textOf(contents.at(-1) ?? []),
  reply: (parsed, target) => {
    const { request, text } = parsed;
    const texts = [...request.contents.slice(0, -1).map(textOf), text];
    const response = { model: target.model.name, results: texts.map(classify) };
    const context = createContext(parsed, target, {
      digest: hash('sha256', JSON.stringify(request.contents), 'hex'),
      tokens: calculateTokens(texts.join('').length),
    });
    return { body: formatBody(target.side.encodeResponse(response, context)) };
  },
};
