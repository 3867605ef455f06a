import type { Logprob, TokenLogprob } from '../part.ts';
import type { JsonObject } from '../wire.ts';
import { readObjects } from './read.ts';

/** Most tokens are whole characters, whose bytes are known. */
function readBytes(token: string, value: unknown): Pick<Logprob, 'bytes'> {
  if (!Array.isArray(value) || !value.every((byte) => Number.isInteger(byte))) return {};
  const known = Buffer.from(token);
  const isSame = value.length === known.length && value.every((byte, index) => byte === known[index]);
  return isSame ? {} : { bytes: value as readonly number[] };
}

/** A token with its log probability, as a list of one; empty if it lacks either. */
export const readLogprob = ({ token, logprob, bytes }: Readonly<JsonObject>): readonly Logprob[] =>
  typeof token === 'string' && typeof logprob === 'number' ? [{ token, logprob, ...readBytes(token, bytes) }] : [];

/** A list of tokens in the form that most vendors have: `token`, `logprob`, `bytes` and `top_logprobs`. */
export const readLogprobs = (value: unknown): readonly TokenLogprob[] =>
  readObjects(value).flatMap((entry) =>
    readLogprob(entry).map((known) => ({ ...known, top: readObjects(entry['top_logprobs']).flatMap(readLogprob) })),
  );
