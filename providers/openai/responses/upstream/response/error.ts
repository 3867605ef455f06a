import type { GatewayError, JsonObject } from '../../../../../core/api/index.ts';
import { readText } from '../../../../../core/api/codec.ts';
import { createVendorErrors } from '../../../vendor-error.ts';
import { WIRE } from '../../shape.ts';

export const { decodeError, decodeEmbeddedError } = createVendorErrors(WIRE);
export { holdsError } from '../../../vendor-error.ts';

/** Statuses of a failed response. */
const failures: ReadonlySet<string> = new Set(['failed', 'cancelled']);

export const isFailed = (response: Readonly<JsonObject>): boolean => failures.has(readText(response['status']));

/** The error of a failed response. Without one (a cancelled response), the message names the status. */
export const decodeFailure = ({ error, status }: Readonly<JsonObject>): GatewayError =>
  decodeEmbeddedError({
    error: error ?? { message: `The provider ended the response as '${readText(status) || 'failed'}'.` },
  });
