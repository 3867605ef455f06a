import type { GatewayError, JsonObject } from '../../../core/api/index.ts';
import type { EncodedError, ErrorReply } from '../../../core/api/codec.ts';
import { describeAccessError } from '../../../core/api/internal.ts';
import { decodeError as decode } from '../error.ts';
import { WIRE } from './shape.ts';

export const decodeError = (reply: ErrorReply): GatewayError => decode(WIRE, reply);

/** The vendor has a sentence only: https://docs.cohere.com/reference/errors */
export const writeError = ({ publicMessage }: GatewayError): JsonObject => ({ message: publicMessage });

export function encodeError(error: GatewayError, { requestId }: { readonly requestId: string }): EncodedError {
  const access = describeAccessError(error);
  return {
    status: error.status,
    headers: error.retryAfterMs === undefined ? {} : { 'retry-after': `${error.publicRetrySeconds}` },
    body: { id: requestId, ...writeError(error), ...(access === undefined ? {} : { error: access }) },
  };
}
