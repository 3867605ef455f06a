import type { Lane } from '../contracts/attempt-record.ts';
import type { Answer, Attempt, Reply } from '../contracts/attempt.ts';
import { describeEnding, describeLeaving, type SeenResponse } from './ending.ts';
import { hasLeft } from './upstream/read-on.ts';

export interface PlainResponse {
  /** The whole body as it is sent to the client. */
  readonly bytes: string | Uint8Array;
  readonly seen: SeenResponse;
  readonly lane: Lane;
  /** Default: JSON. */
  readonly contentType?: string | undefined;
  /** The bytes are frames of a stream, after which the output writes more. */
  readonly isStream?: boolean;
  /** What the gateway estimated in it: the value of `x-koine-estimated`. */
  readonly estimated?: 'usage' | 'input_tokens';
  readonly attempt: Pick<Answer, 'losses'> & Pick<Attempt, 'target' | 'signal'>;
  readonly waitedMs: number;
}

/** A response that is not streamed: it is complete before any of it is sent. */
export const createPlainReply = ({
  bytes,
  seen,
  lane,
  contentType = 'application/json',
  isStream = false,
  estimated,
  attempt: { target, signal, losses },
  waitedMs,
}: PlainResponse): Reply => ({
  status: 200,
  lane,
  target,
  losses,
  waitedMs,
  stored: seen.stored,
  headers: {
    'content-type': contentType,
    ...(isStream ? {} : { 'content-length': String(Buffer.byteLength(bytes)) }),
    ...(estimated === undefined ? {} : { 'x-koine-estimated': estimated }),
  },
  deliver: (output) => {
    if (hasLeft(signal)) return describeLeaving(seen, signal, undefined);
    const full = output.write(bytes);
    const ending = describeEnding(seen, undefined);
    if (full === undefined) return Object.assign(ending, { waitedMs: 0 });
    const since = performance.now();
    return full.then(() => ({ ...ending, waitedMs: performance.now() - since }));
  },
  cancel: () => {},
});
