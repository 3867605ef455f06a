import type { Frame } from '../../../../core/api/codec.ts';
import type { CheckFrames } from '../../../../core/testing/index.ts';

interface Chunk {
  readonly id?: unknown;
  readonly object?: unknown;
  readonly choices?: readonly { readonly text?: unknown; readonly index?: unknown; readonly finish_reason?: unknown }[];
  readonly usage?: unknown;
  readonly error?: unknown;
}

const parse = ({ data }: Frame): Chunk => JSON.parse(data) as Chunk;

const checkChunk = (chunk: Chunk, first: Chunk, includeUsage: boolean): readonly string[] => [
  ...(chunk.id === first.id && typeof chunk.id === 'string' ? [] : ['chunks have different ids']),
  ...(chunk.object === 'text_completion' ? [] : ['a chunk is no text_completion']),
  ...(Array.isArray(chunk.choices) ? [] : ['a chunk has no choices']),
  ...(chunk.choices ?? []).flatMap(({ text, index, finish_reason: reason }) => [
    ...(typeof text === 'string' && typeof index === 'number' ? [] : ['a choice has no text or no index']),
    ...(reason === null || typeof reason === 'string' ? [] : ['a choice has no finish reason, not even null']),
  ]),
  ...(includeUsage === 'usage' in chunk ? [] : ['usage is in a chunk if and only if it was requested']),
];

/** https://platform.openai.com/docs/api-reference/completions/create#completions-create-stream */
export const checkCompletionFrames: CheckFrames = (frames, { includeUsage = true }) => {
  const last = frames.at(-1);
  const chunks = frames.filter(({ data }) => data !== '[DONE]').map(parse);
  const [first = {}] = chunks;
  if (chunks.at(-1)?.error !== undefined) return last?.data === '[DONE]' ? ['an error is followed by [DONE]'] : [];
  return [
    ...(last?.data === '[DONE]' ? [] : ['the stream does not end with [DONE]']),
    ...chunks.flatMap((chunk) => checkChunk(chunk, first, includeUsage)),
  ];
};
