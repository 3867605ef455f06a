import type { Loss } from '../canonical/loss.ts';
import type { Headers } from '../canonical/wire.ts';
import type { Lane } from '../contracts/exchange.ts';

/** A header longer than this is cut: proxies refuse long ones, and the log has them all. */
const LOSSES_LENGTH = 2_048;

/** Header values are visible ASCII; anything else that a client could have named becomes `?`. */
const printable = (text: string): string => text.replaceAll(/[^\u0021-\u007E]/g, '?');

/** `logit_bias;dropped, max_tokens;injected`; each field once per kind. */
export const formatLosses = (losses: readonly Loss[]): string => {
  const named = [...new Set(losses.map(({ field, kind }) => `${printable(field)};${kind}`))];
  let text = '';
  for (const [index, loss] of named.entries()) {
    const next = text === '' ? loss : `${text}, ${loss}`;
    if (next.length > LOSSES_LENGTH) return `${text}, and ${named.length - index} more`;
    text = next;
  }
  return text;
};

export interface ReplyFacts {
  readonly model: string;
  readonly provider: string;
  readonly lane?: Lane;
  readonly attempts: number;
  readonly losses: readonly Loss[];
  /** Milliseconds that the gateway itself took. */
  readonly ownMs: number;
}

/** Who answered and how, as far as it is known when the headers go out. */
export const describeReply = ({ model, provider, lane, attempts, losses, ownMs }: ReplyFacts): Record<string, string> => ({
  'x-koine-model': printable(model),
  'x-koine-provider': printable(provider),
  'x-koine-attempts': String(attempts),
  'server-timing': `koine;dur=${ownMs.toFixed(2)}`,
  ...(lane === undefined ? {} : { 'x-koine-lane': lane }),
  ...(losses.length === 0 ? {} : { 'x-koine-losses': formatLosses(losses) }),
});

/** No cache and no proxy may hold back an event. */
export const streamHeaders: Headers = { 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' };
