import { GatewayError } from './gateway-error.ts';

/**
 * Runs a check of one item of several, and adds the place of the item to its error.
 * @param place `keys[3]`, `line 4`
 */
export function atPlace<T>(place: string, check: () => T): T {
  try {
    return check();
  } catch (thrown) {
    if (!GatewayError.is(thrown)) throw thrown;
    const { code, message, param } = thrown;
    throw new GatewayError(code, `${place}: ${message}`, {
      cause: thrown,
      param: param === undefined ? place : `${place}.${param}`,
    });
  }
}
