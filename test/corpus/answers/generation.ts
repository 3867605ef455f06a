import { isDeepStrictEqual } from 'node:util';
import type { Answer } from './answer.ts';
import { finishReasonOf } from './finish-reasons.ts';
import type { CorpusOperation } from '../wire-adapter.ts';
import { generationWires, wireAdapters, type GenerationWire } from '../wires.ts';

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;
const show = (value: unknown): string => JSON.stringify(value).slice(0, 300);

/** A count that one of the two wires does not have is not compared. */
const compareUsage = (got: Answer['usage'], recorded: NonNullable<Answer['usage']>): string | undefined => {
  if (got === undefined) return 'usage is missing';
  const same = (['input', 'cacheRead', 'output', 'reasoning'] as const).every(
    (name) => got[name] === undefined || recorded[name] === undefined || got[name] === recorded[name],
  );
  return same ? undefined : `usage differs: ${show(got)} for ${show(recorded)}`;
};

const squash = (text: string): string => text.replaceAll(/\s/g, '');

const compare = (got: Answer, recorded: Answer, to: GenerationWire): string | undefined => {
  const finish = finishReasonOf(to, recorded);
  const [said, wanted] = [got.text + got.refusal, recorded.text + recorded.refusal];
  if (said !== wanted && said !== wanted + recorded.explanation)
    return `text differs: ${show(said)} for ${show(wanted)}`;
  if (squash(got.reasoning) !== squash(recorded.reasoning))
    return `reasoning differs: ${show(got.reasoning)} for ${show(recorded.reasoning)}`;
  if (!isDeepStrictEqual(plain(got.calls), plain(recorded.calls)))
    return `calls differ: ${show(got.calls)} for ${show(recorded.calls)}`;
  if (got.finish !== finish) return `finish differs: ${got.finish} for ${finish}`;
  return recorded.usage === undefined ? undefined : compareUsage(got.usage, recorded.usage);
};

const googleRoutes = ['/v1', '/v1beta'].flatMap((version) => [
  { path: `${version}/models/{model}:generateContent`, wire: 'generate-content' },
  { path: `${version}/models/{model}:streamGenerateContent`, wire: 'generate-content', stream: true },
  { path: `${version}/interactions`, wire: 'interactions' },
]);

export const generation: CorpusOperation<GenerationWire, Answer> = {
  cards: wireAdapters,
  wires: generationWires,
  routes: [
    { path: '/v1/chat/completions', wire: 'chat-completions' },
    { path: '/v1/messages', wire: 'messages' },
    { path: '/v1/responses', wire: 'responses' },
    ...googleRoutes,
  ],
  compare,
  failed: ({ reason }) => reason === 'error',
};
