import type { AnyErrorCode, GatewayError, Headers } from '../../../../../core/api/index.ts';
import { isObject, type EncodedError, type WriteFrame } from '../../../../../core/api/codec.ts';
import { describeAccessError } from '../../../../../core/api/internal.ts';
import { WIRE } from '../../shape.ts';
import { encodeLimits } from './limits.ts';

interface ErrorFields {
  readonly type: string;
  readonly code: string | null;
}
const clientError = (code: string | null): ErrorFields => ({ type: 'invalid_request_error', code });
const serverError = (code: string): ErrorFields => ({ type: 'server_error', code });
const badGateway = serverError('bad_gateway');

/**
 * `type` and `code` for each error code: https://platform.openai.com/docs/guides/error-codes. Codes of startup errors
 * are never sent to a client.
 */
const fields: Partial<Record<AnyErrorCode, ErrorFields>> = {
  invalid_request: clientError(null),
  unsupported_parameter: clientError('unsupported_parameter'),
  context_length_exceeded: clientError('context_length_exceeded'),
  content_filter: clientError('content_filter'),
  invalid_api_key: clientError('invalid_api_key'),
  permission_denied: clientError('permission_denied'),
  model_not_found: clientError('model_not_found'),
  not_found: clientError('not_found'),
  conflict: clientError('conflict'),
  precondition_failed: clientError('precondition_failed'),
  method_not_allowed: clientError('method_not_allowed'),
  request_timeout: clientError('request_timeout'),
  request_too_large: clientError('request_too_large'),
  unsupported_media_type: clientError('unsupported_media_type'),
  upgrade_refused: clientError('upgrade_refused'),
  socket_expired: clientError('websocket_connection_limit_reached'),
  client_closed: clientError('client_closed'),
  rate_limit_exceeded: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  service_unavailable: serverError('service_unavailable'),
  overloaded: serverError('overloaded'),
  shutting_down: serverError('shutting_down'),
  starting: serverError('starting'),
  upstream_rate_limit: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  upstream_quota: { type: 'insufficient_quota', code: 'insufficient_quota' },
  upstream_credential: serverError('upstream_auth'),
  upstream_region: serverError('upstream_region'),
  upstream_model: clientError('model_not_found'),
  upstream_overloaded: serverError('overloaded'),
  upstream_timeout: serverError('timeout'),
  upstream_too_long: serverError('timeout'),
  upstream_unreachable: badGateway,
  upstream_tls: badGateway,
  upstream_reset: badGateway,
  upstream_truncated: badGateway,
  upstream_bad_response: badGateway,
  upstream_error: badGateway,
  no_target_available: serverError('no_target_available'),
};

/**
 * When to retry (the SDK prefers the milliseconds), and whether to retry at all: a retry does not help with a spent
 * quota or a missing credential.
 */
const retryHeaders = (error: GatewayError): Headers => ({
  ...(error.retryAfterMs === undefined
    ? {}
    : { 'retry-after': `${error.publicRetrySeconds}`, 'retry-after-ms': `${error.publicRetryMs}` }),
  ...(error.isFinal ? { 'x-should-retry': 'false' } : {}),
  ...(error.limits === undefined ? {} : encodeLimits(error.limits)),
});

/** The vendor's own body, for a client of the same wire whose request was at fault. */
const vendorBody = ({ failure, vendor }: GatewayError): unknown =>
  failure === 'caller-fault' && vendor?.wire === WIRE && isObject(vendor.body) && vendor.body['error'] !== undefined
    ? vendor.body
    : undefined;

/** The error body, which is also the error frame of a stream. */
export function describeError(error: GatewayError): unknown {
  const access = describeAccessError(error);
  if (access !== undefined) return { error: access };
  const { type, code } = fields[error.code] ?? serverError('internal_error');
  return vendorBody(error) ?? { error: { message: error.publicMessage, type, param: error.param ?? null, code } };
}

export const encodeError = (error: GatewayError): EncodedError => ({
  status: error.status,
  headers: retryHeaders(error),
  body: describeError(error),
});

/** The frame that ends a stream, without `[DONE]`, so that no client takes the response for a complete one. */
export const writeError = (error: GatewayError, write: WriteFrame): void =>
  write(undefined, JSON.stringify(describeError(error)));
