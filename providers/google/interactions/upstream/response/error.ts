import type { GatewayError, JsonObject } from '../../../../../core/api/index.ts';
import { isObject, readList, readText } from '../../../../../core/api/codec.ts';
import { createVendorErrors } from '../../../vendor-error.ts';
import { WIRE } from '../../shape.ts';

export const { decodeError, decodeEmbeddedError } = createVendorErrors(WIRE);
export { hasError } from '../../../vendor-error.ts';

/** The error of an interaction that has failed. Without one (a cancelled interaction), the message names the status. */
export function decodeFailure({ error, errors, status }: Readonly<JsonObject>): GatewayError {
  const listed = readList(errors).find(isObject);
  return decodeEmbeddedError({
    error: error ?? listed ?? { message: `The provider ended the interaction as '${readText(status) || 'failed'}'.` },
  });
}
