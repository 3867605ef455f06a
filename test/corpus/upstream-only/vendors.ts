import type { Answer } from '../answers/answer.ts';
import type { Vectors } from '../answers/embedding.ts';
import type { CorpusLine, Json } from '../lines.ts';
import { readRecordedCohere } from './cohere-answer.ts';
import { readRecordedOllama } from './ollama-answer.ts';
import type { UpstreamOnly } from './run.ts';

const pathOf = ({ request }: CorpusLine): string | undefined => request.path;

/** Errors of both versions of the API have one shape. */
export const cohere: UpstreamOnly<Answer> = {
  provider: 'cohere',
  serves: (line) => pathOf(line) === '/v2/chat' || (line.style === 'cohere-chat' && line.response.status >= 400),
  read: readRecordedCohere,
};

/** A line that was reported, and not recorded, has no path. */
export const ollama: UpstreamOnly<Answer> = {
  provider: 'ollama',
  serves: (line) => line.style === 'ollama-chat' && (pathOf(line) ?? '/api/chat') === '/api/chat',
  read: readRecordedOllama,
};

const readVectors = ({ response: { body = {} } }: CorpusLine): Vectors => {
  const { float } = body['embeddings'] as { readonly float: readonly (readonly number[])[] };
  const { billed_units: billed } = body['meta'] as { readonly billed_units: Json };
  return { vectors: float.map((vector) => vector.map(Math.fround)), tokens: Number(billed['input_tokens']) };
};

export const cohereVectors: UpstreamOnly<Vectors> = {
  provider: 'cohere',
  serves: (line) => pathOf(line) === '/v2/embed',
  read: readVectors,
};
