import { type AnyErrorCode, GatewayError, type JsonObject } from '../../../../../core/api/index.ts';
import { type EncodedError, isObject, omitUndefined, readObject, readText } from '../../../../../core/api/codec.ts';
import { encodeError as encodeChatError } from '../../../chat-completions/client/response/error.ts';
import { WIRE } from '../../shape.ts';

/** The vendor's own body, for a client of the same wire whose request was at fault. */
const vendorBody = ({ failure, vendor }: GatewayError): JsonObject | undefined =>
  failure === 'caller-fault' && vendor?.wire === WIRE && isObject(vendor.body) && isObject(vendor.body['error'])
    ? vendor.body
    : undefined;

/** The error without the vendor's body, which on another wire names members that this client did not send. */
const forgetVendor = (error: GatewayError): GatewayError => {
  if (error.vendor === undefined) return error;
  const { code, message, status, failure, param, retryAfterMs, limits } = error;
  return new GatewayError(code, message, { status, failure, ...omitUndefined({ param, retryAfterMs, limits }) });
};

/**
 * The vendor's own error for a response that it does not have:
 * https://platform.openai.com/docs/guides/conversation-state
 */
const missingPrevious = ({ code, param }: GatewayError, body: unknown): JsonObject | undefined => {
  if (code !== 'not_found' || param !== 'previous_response_id') return undefined;
  const members = readObject(readObject(body)['error']);
  return { error: { ...members, type: 'invalid_request_error', code: 'previous_response_not_found' } };
};

/** A model that this endpoint does not serve is a 400. */
const unknownModel: ReadonlySet<AnyErrorCode> = new Set(['model_not_found', 'upstream_model']);

/** The error object is the same as on chat completions. */
export function encodeError(error: GatewayError): EncodedError {
  const own = vendorBody(error);
  const { status, headers, body } = encodeChatError(forgetVendor(error));
  if (own !== undefined) return { status, headers, body: own };
  const missing = missingPrevious(error, body);
  if (missing !== undefined) return { status: 400, headers, body: missing };
  return { status: unknownModel.has(error.code) ? 400 : status, headers, body };
}

const RATE_LIMIT = 'rate_limit_exceeded';

/** Agents parse the wait from the message, because a stream that has begun has no headers for it. */
const describeWait = (message: string, wait: number | undefined): string =>
  wait === undefined || /try again in/i.test(message) ? message : `${message} Please try again in ${wait}s.`;

/**
 * `response.error`: https://platform.openai.com/docs/api-reference/responses/object. Clients act on the codes
 * `context_length_exceeded`, `insufficient_quota` and `rate_limit_exceeded`.
 */
export function describeFailure(error: GatewayError): {
  readonly code: string;
  readonly message: string;
  /** Why the vendor stopped the response, and how the client can go on. */
  readonly misalignment?: unknown;
} {
  const { type, code, message, misalignment } = readObject(readObject(encodeError(error).body)['error']);
  const known = readText(code) === '' ? 'invalid_prompt' : readText(code);
  const text = readText(message) === '' ? error.publicMessage : readText(message);
  return {
    code: type === 'server_error' ? 'server_error' : known,
    message: known === RATE_LIMIT ? describeWait(text, error.publicRetrySeconds) : text,
    ...(isObject(misalignment) ? { misalignment } : {}),
  };
}
