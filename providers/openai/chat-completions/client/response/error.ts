import {
  describeAccessError,
  isObject,
  type EncodedError,
  type ErrorCode,
  type GatewayError,
  type Headers,
} from '../../../../../core/index.ts';
import { WIRE } from '../../shape.ts';
import { encodeLimits } from './limits.ts';

interface Words {
  readonly type: string;
  readonly code: string | null;
}
const caller = (code: string | null): Words => ({ type: 'invalid_request_error', code });
const server = (code: string): Words => ({ type: 'server_error', code });
const gateway = server('bad_gateway');

/** `type` and `code` of https://platform.openai.com/docs/guides/error-codes for each of ours. A boot error never gets here. */
const words: Partial<Record<ErrorCode, Words>> = {
  invalid_request: caller(null),
  unsupported_parameter: caller('unsupported_parameter'),
  context_length_exceeded: caller('context_length_exceeded'),
  content_filter: caller('content_filter'),
  invalid_api_key: caller('invalid_api_key'),
  permission_denied: caller('permission_denied'),
  model_not_found: caller('model_not_found'),
  not_found: caller('not_found'),
  conflict: caller('conflict'),
  precondition_failed: caller('precondition_failed'),
  method_not_allowed: caller('method_not_allowed'),
  request_timeout: caller('request_timeout'),
  request_too_large: caller('request_too_large'),
  unsupported_media_type: caller('unsupported_media_type'),
  upgrade_refused: caller('upgrade_refused'),
  client_closed: caller('client_closed'),
  rate_limit_exceeded: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  service_unavailable: server('service_unavailable'),
  overloaded: server('overloaded'),
  shutting_down: server('shutting_down'),
  starting: server('starting'),
  upstream_rate_limit: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  upstream_quota: { type: 'insufficient_quota', code: 'insufficient_quota' },
  upstream_credential: server('upstream_auth'),
  upstream_region: server('upstream_region'),
  upstream_model: caller('model_not_found'),
  upstream_overloaded: server('overloaded'),
  upstream_timeout: server('timeout'),
  upstream_too_long: server('timeout'),
  upstream_unreachable: gateway,
  upstream_tls: gateway,
  upstream_reset: gateway,
  upstream_truncated: gateway,
  upstream_bad_response: gateway,
  upstream_error: gateway,
  no_target_available: server('no_target_available'),
};

/** When to come again (the SDK looks at the milliseconds first), and whether at all: neither a spent quota nor a missing credential comes back by asking again. */
const retryHeaders = (error: GatewayError): Headers => ({
  ...(error.retryAfterMs === undefined
    ? {}
    : { 'retry-after': `${error.publicRetrySeconds}`, 'retry-after-ms': `${error.publicRetryMs}` }),
  ...(error.failure === 'quota' || error.failure === 'credential' ? { 'x-should-retry': 'false' } : {}),
  ...(error.limits === undefined ? {} : encodeLimits(error.limits)),
});

/** The vendor's own body, for a client of the vendor's own wire whose request was at fault. */
const vendorBody = ({ failure, vendor }: GatewayError): unknown =>
  failure === 'caller-fault' && vendor?.wire === WIRE && isObject(vendor.body) && vendor.body['error'] !== undefined
    ? vendor.body
    : undefined;

/** `{error}` as it stands in a body, and after a stream has begun in a frame. */
export function describeError(error: GatewayError): unknown {
  const access = describeAccessError(error);
  if (access !== undefined) return { error: access };
  const { type, code } = words[error.code] ?? server('internal_error');
  return vendorBody(error) ?? { error: { message: error.publicMessage, type, param: error.param ?? null, code } };
}

/** An error of any origin in the shape of this wire. */
export const encodeError = (error: GatewayError): EncodedError => ({
  status: error.status,
  headers: retryHeaders(error),
  body: describeError(error),
});
