import { type AnyErrorCode, GatewayError } from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import type { Settings } from '../settings.ts';

/** The error code for a status. Other statuses below 500 are the caller's fault, all others the vendor's. */
const codeOfStatus: Readonly<Record<number, AnyErrorCode>> = {
  401: 'invalid_api_key',
  402: 'upstream_quota',
  403: 'permission_denied',
  404: 'model_not_found',
  408: 'request_timeout',
  413: 'request_too_large',
  429: 'upstream_rate_limit',
  503: 'upstream_overloaded',
  504: 'upstream_timeout',
  529: 'upstream_overloaded',
};

const selectCode = ({ code, status }: Settings): AnyErrorCode => {
  if (code !== undefined) return code;
  if (status === undefined) return 'upstream_overloaded';
  return codeOfStatus[status] ?? (status < 500 ? 'invalid_request' : 'upstream_error');
};

/** The error that the settings request. The default is an overloaded provider. */
export function createFailure(settings: Settings): GatewayError {
  const { status, message, retryAfter } = settings;
  const text = message ?? `The simulator was asked to fail${status === undefined ? '' : ` with status ${status}`}.`;
  return new GatewayError(
    selectCode(settings),
    text,
    omitUndefined({
      status,
      retryAfterMs: retryAfter === undefined ? undefined : retryAfter * 1_000,
    }),
  );
}

/** A connection that broke, as the transport reports it. */
export const createReset = (): GatewayError =>
  new GatewayError('upstream_reset', undefined, {
    cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
  });
