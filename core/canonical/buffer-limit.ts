import { GatewayError } from '../errors/gateway-error.ts';
import type { TokenLogprob } from './part.ts';

/** Maximum number of buffered characters. The longest responses of any model have some 2 million. */
const MAX_BUFFERED = 16 * 1_048_576;

/** What an entry of a list or map counts, in addition to its text. It limits entries to 16,384. */
export const BUFFERED_ENTRY_COST = 1_024;

/** What a token with its probability counts. */
const LOGPROB_COST = 32;

/** What log probabilities count that are kept. */
export const weighLogprobs = (tokens: readonly TokenLogprob[] = []): number =>
  tokens.reduce((sum, { top }) => sum + LOGPROB_COST * (1 + top.length), 0);

/**
 * Counts what a codec or fit buffers while a response arrives: text, arguments, proofs, and `BUFFERED_ENTRY_COST` for
 * each entry of a list or map. Created once per response.
 * @returns a function that adds to the count, and throws GatewayError `upstream_bad_response` beyond the maximum
 * @example
 * const buffer = createBufferLimit();
 * buffer(BUFFERED_ENTRY_COST + id.length);
 */
export function createBufferLimit(): (chars: number) => void {
  let buffered = 0;
  return (chars) => {
    buffered += chars;
    if (buffered > MAX_BUFFERED)
      throw new GatewayError(
        'upstream_bad_response',
        'The response of the provider has more text or parts than can be converted.',
      );
  };
}
