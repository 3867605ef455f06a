import type { Seen, Tap } from '../contracts/native.ts';
import { toGatewayError } from '../errors/gateway-error.ts';

/**
 * Watches an answer that is never streamed and is passed on as it came: a count, vectors.
 * @param read what the gateway must know of it; throws what is wrong with it
 * @param fail the wire's own error
 */
export function createResponseTap(read: (body: unknown) => Pick<Seen, 'usage' | 'model'>, fail: Tap['fail']): Tap {
  let seen: Seen = { outputChars: 0 };
  return {
    get seen() {
      return seen;
    },
    see: () => 'pass',
    body: (body) => {
      try {
        seen = { ...seen, ...read(body) };
      } catch (thrown) {
        seen = { ...seen, error: toGatewayError(thrown) };
      }
    },
    end: () => undefined,
    fail,
  };
}
