import type { Seen, Tap } from '../contracts/native.ts';
import { toGatewayError } from '../errors/gateway-error.ts';

/**
 * The tap of a response that is never streamed and is passed on unchanged: a token count, embedding vectors.
 * @param read reads what the gateway must know from the body; throws if the body is not valid
 * @param fail writes an error in the shape of the wire
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
