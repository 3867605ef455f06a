import { GatewayError } from '../errors/gateway-error.ts';

/** Most characters kept of one answer: the longest answers of any model have some 2 million. */
const MOST_KEPT = 16 * 1_048_576;

/** What an entry of a list or map counts, beside its text: 16,384 entries are the most. */
export const BUFFERED_ENTRY_COST = 1_024;

/**
 * Counts what a codec or a fit keeps of an answer until more of it has come: text, arguments, proofs, and `BUFFERED_ENTRY_COST` for each entry of a
 * list or map. Made once per answer.
 * @returns adds to the count. @throws GatewayError `upstream_bad_response` when more is kept than any answer needs
 * @example
 * const keep = createBufferLimit();
 * keep(BUFFERED_ENTRY_COST + id.length);
 */
export function createBufferLimit(): (chars: number) => void {
  let kept = 0;
  return (chars) => {
    kept += chars;
    if (kept > MOST_KEPT)
      throw new GatewayError(
        'upstream_bad_response',
        'The answer of the provider has more text or parts than can be converted.',
      );
  };
}
