import type { JsonObject } from '../../../../../core/api/index.ts';
import { isObject, malformedBody } from '../../../../../core/api/codec.ts';
import { createVendorErrors, holdsError } from '../../../vendor-error.ts';
import { WIRE } from '../../shape.ts';

export const { decodeError, decodeEmbeddedError } = createVendorErrors(WIRE);
export { holdsError };

/** The body of a 200. @throws GatewayError the error in it, or `upstream_bad_response` if it is not an object */
export function requireBody(body: unknown): JsonObject {
  if (!isObject(body)) throw malformedBody('is not a JSON object');
  if (holdsError(body)) throw decodeEmbeddedError(body);
  return body;
}
