import { invalidRequest, type JsonObject } from '../../../../core/api/index.ts';
import type { Members } from '../../../../core/api/codec.ts';
import { readItems } from '../../generate-content/client/request/wire-members.ts';
import { prefixPaths } from '../../generate-content/extra-members.ts';

/** One content to embed. */
export interface EmbedItem {
  readonly text: string;
  /** Paths of the parts that are not text. */
  readonly media: readonly string[];
  readonly dimensions?: number;
  /** Extra members, those of the content under `content.`. */
  readonly others: JsonObject;
}

const isMedia = (part: Members): boolean => !part.has('text') && (part.has('inlineData') || part.has('fileData'));

const readPart = (part: Members): string => {
  const text = part.string('text');
  if (text === undefined)
    throw invalidRequest(part.path, `'${part.path}' holds nothing to embed: no text, no inlineData, no fileData.`);
  return text;
};

/** Several parts are one text, as they have one vector. The role is irrelevant and ignored. */
const readContent = (content: Members): Pick<EmbedItem, 'text' | 'media' | 'others'> => {
  content.string('role');
  const parts = readItems(content, 'parts');
  const media = parts.filter(isMedia).map(({ path }) => path);
  const text = parts
    .filter((part) => !isMedia(part))
    .map(readPart)
    .join('\n');
  if (text === '' && media.length === 0)
    throw invalidRequest(content.path, `'${content.path}' is empty; there is nothing to embed.`);
  const inner = parts.flatMap((part, index) => Object.entries(prefixPaths(`content.parts[${index}]`, part.unread())));
  return { text, media, others: { ...prefixPaths('content', content.unread()), ...Object.fromEntries(inner) } };
};

/**
 * Reads a single request, or one of a batch: https://ai.google.dev/api/embeddings#EmbedContentRequest
 * @throws GatewayError 400 that names the member
 */
export function readEmbedItem(request: Members): EmbedItem {
  // Read but ignored: the path names the model.
  request.string('model');
  const content = request.object('content');
  if (content === undefined) throw invalidRequest(request.at('content'), `'${request.at('content')}' is required.`);
  const { others, ...read } = readContent(content);
  const dimensions = request.number('outputDimensionality', { integer: true, min: 1 });
  return { ...read, ...(dimensions === undefined ? {} : { dimensions }), others: { ...request.unread(), ...others } };
}
