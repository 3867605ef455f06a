import type { JsonObject, TokenLogprob } from '../../../core/api/index.ts';
import { readList, readText } from '../../../core/api/codec.ts';

/**
 * A piece of the text with the log probability of each of its tokens, which have no texts of their own: their sum is
 * that of the piece. https://docs.cohere.com/reference/chat
 */
export function readPiece({ text, logprobs }: Readonly<JsonObject>): readonly TokenLogprob[] {
  const values = readList(logprobs).filter((value) => typeof value === 'number');
  if (values.length === 0) return [];
  return [{ token: readText(text), logprob: values.reduce((sum, value) => sum + value, 0), top: [] }];
}
