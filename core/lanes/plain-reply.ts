import type { Loss } from '../canonical/loss.ts';
import type { Lane, Target } from '../contracts/exchange.ts';
import type { Reply } from '../contracts/reply.ts';
import { describeEnding, type SeenAnswer } from './ending.ts';

export interface PlainAnswer {
  /** The whole body as the client gets it. */
  readonly bytes: string | Uint8Array;
  readonly seen: SeenAnswer;
  readonly lane: Lane;
  readonly target: Target;
  readonly losses: readonly Loss[];
  readonly waitedMs: number;
}

/** An answer that is complete before anything of it is sent. */
export const createPlainReply = ({ bytes, seen, lane, target, losses, waitedMs }: PlainAnswer): Reply => ({
  status: 200,
  lane,
  target,
  losses,
  waitedMs,
  headers: { 'content-type': 'application/json', 'content-length': String(typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.byteLength) },
  deliver: async (output) => {
    const since = performance.now();
    const full = output.write(bytes);
    await full;
    return { ...describeEnding(seen, undefined), waitedMs: full === undefined ? 0 : performance.now() - since };
  },
  cancel: () => {},
});
