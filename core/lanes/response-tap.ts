import type { TokenCount } from '../canonical/response.ts';
import type { Observed, Tap } from '../contracts/native.ts';
import { toGatewayError } from '../errors/gateway-error.ts';

/**
 * The tap of a response that is never streamed and is passed on unchanged: a token count, embedding vectors.
 * @param read reads what the gateway must know from the body; throws if the body is not valid
 * @param fail writes an error in the shape of the wire
 */
export function createResponseTap(read: (body: unknown) => Pick<Observed, 'usage' | 'model'>, fail: Tap['fail']): Tap {
  let observed: Observed = { outputChars: 0 };
  return {
    get observed() {
      return observed;
    },
    inspectFrame: () => 'pass',
    inspectBody: (body) => {
      try {
        observed = { ...observed, ...read(body) };
      } catch (thrown) {
        observed = { ...observed, error: toGatewayError(thrown) };
      }
    },
    end: () => undefined,
    fail,
  };
}

/** The tap of a token count. A count has no usage: the tap only checks that the body is one. */
export const createCountTap = (decode: (body: unknown) => TokenCount, fail: Tap['fail']): Tap =>
  createResponseTap((body) => {
    decode(body);
    return {};
  }, fail);
