import type { AnyErrorCode, GatewayError, Headers, JsonObject } from '../../../../../core/api/index.ts';
import { type EncodedError, isObject, omitUndefined } from '../../../../../core/api/codec.ts';
import { describeAccessError } from '../../../../../core/api/internal.ts';
import { WIRE } from '../../shape.ts';
import { THREAD } from '../request/references.ts';
import { encodeLimits } from './limits.ts';

interface ErrorType {
  /** Default: the status of the error. */
  readonly status?: number;
  readonly type: string;
}

/** https://platform.claude.com/docs/en/api/errors. Codes that are not listed are mapped by their status. */
const typeByCode: Partial<Record<AnyErrorCode, ErrorType>> = {
  request_timeout: { type: 'timeout_error' },
  upstream_timeout: { type: 'timeout_error' },
  upstream_too_long: { type: 'timeout_error' },
  upstream_overloaded: { status: 529, type: 'overloaded_error' },
  overloaded: { status: 529, type: 'overloaded_error' },
  shutting_down: { type: 'overloaded_error' },
  no_target_available: { type: 'api_error' },
  // The SDK would retry a 429, and spent money does not come back in seconds.
  upstream_quota: { status: 402, type: 'billing_error' },
  upstream_credential: { status: 500, type: 'api_error' },
  upstream_region: { status: 500, type: 'api_error' },
  upstream_unreachable: { status: 500, type: 'api_error' },
  upstream_tls: { status: 500, type: 'api_error' },
  upstream_reset: { status: 500, type: 'api_error' },
  upstream_truncated: { status: 500, type: 'api_error' },
  upstream_bad_response: { status: 500, type: 'api_error' },
  upstream_error: { status: 500, type: 'api_error' },
};

const typeByStatus: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
};

const typeOf = (error: GatewayError): ErrorType =>
  typeByCode[error.code] ?? {
    type: typeByStatus[error.status] ?? (error.status < 500 ? 'invalid_request_error' : 'api_error'),
  };

/** Agent clients compact their history when an error message contains this text. */
const TOO_LONG = 'prompt is too long';
const messageOf = (error: GatewayError): string =>
  error.code === 'context_length_exceeded' && !error.publicMessage.toLowerCase().includes(TOO_LONG)
    ? `${TOO_LONG}: ${error.publicMessage}`
    : error.publicMessage;

/** Clouds that host the models have errors in a shape of their own, which the SDK of the wire does not know. */
const hasShape = (body: unknown): body is JsonObject =>
  isObject(body) && isObject(body['error']) && typeof body['error']['type'] === 'string';

/** The vendor's own error for a mistake of the caller, relayed to clients of the vendor's wire. */
const vendorBody = ({ failure, vendor }: GatewayError): JsonObject | undefined =>
  failure === 'caller-fault' && vendor?.wire === WIRE && hasShape(vendor.body) ? vendor.body : undefined;

/** On these codes, the vendor's SDKs send the whole conversation: without a thread, or to a new one. */
const threadDetails = ({ param, status }: GatewayError): JsonObject | undefined => {
  if (param !== THREAD) return undefined;
  if (status === 404) return { error_code: 'thread_not_found' };
  return status === 400 ? { error_code: 'thread_unsupported_request', unsupported: [THREAD] } : undefined;
};

/** The error object of the wire: a plain response, or the data of an `error` event. */
export function encodeErrorBody(error: GatewayError, requestId?: string): JsonObject {
  const own = vendorBody(error);
  if (own !== undefined) return own;
  const described = { type: typeOf(error).type, message: messageOf(error), details: threadDetails(error) };
  const refusal = describeAccessError(error);
  // Claude Code shows it as money that is spent, and does not wait for it as for a rate limit.
  const access = refusal !== undefined && error.failure === 'quota' ? { ...refusal, type: 'billing_error' } : refusal;
  const inner: JsonObject = access ?? omitUndefined<JsonObject>(described);
  return omitUndefined({ type: 'error', error: inner, request_id: requestId });
}

const headersOf = (error: GatewayError): Headers => ({
  ...(error.limits === undefined ? {} : encodeLimits(error.limits)),
  ...(error.retryAfterMs === undefined ? {} : { 'retry-after': String(error.publicRetrySeconds) }),
  ...(error.isFinal ? { 'x-should-retry': 'false' } : {}),
});

export function encodeError(error: GatewayError, { requestId }: { readonly requestId: string }): EncodedError {
  const status =
    vendorBody(error) !== undefined
      ? error.vendor?.status
      : describeAccessError(error) === undefined
        ? typeOf(error).status
        : undefined;
  return { status: status ?? error.status, headers: headersOf(error), body: encodeErrorBody(error, requestId) };
}
