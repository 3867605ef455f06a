import type { GatewayError, JsonObject } from '../../../core/api/index.ts';
import { type EncodedError, type ErrorReply, upstreamError } from '../../../core/api/codec.ts';
import { describeAccessError } from '../../../core/api/internal.ts';
import { WIRE } from './shape.ts';

export const decodeError = (reply: ErrorReply): GatewayError => upstreamError(WIRE, reply);

/** The servers of this wire have `detail`, those that are like OpenAI `error`. Clients find the sentence in either. */
export const writeError = (error: GatewayError): JsonObject => {
  const { publicMessage: message, code, param } = error;
  return { detail: message, error: describeAccessError(error) ?? { message, type: code, param: param ?? null, code } };
};

export const encodeError = (error: GatewayError): EncodedError => ({
  status: error.status,
  headers: error.retryAfterMs === undefined ? {} : { 'retry-after': `${error.publicRetrySeconds}` },
  body: writeError(error),
});
