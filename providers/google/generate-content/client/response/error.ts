import type { AnyErrorCode, GatewayError, Headers, JsonObject } from '../../../../../core/api/index.ts';
import { type EncodedError, isObject, lookUp, omitUndefined } from '../../../../../core/api/codec.ts';
import { describeAccessError } from '../../../../../core/api/internal.ts';
import { WIRE } from '../../shape.ts';

/** https://cloud.google.com/apis/design/errors#error_codes */
const rpcCodes: Readonly<Record<string, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  408: 'DEADLINE_EXCEEDED',
  409: 'ABORTED',
  426: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** Failures between the gateway and a provider are internal errors on this wire. */
const INTERNAL_ERROR = 500;
/** Codes with a fixed status. All others keep the status of the error. */
const statusByCode: Partial<Record<AnyErrorCode, number>> = {
  upstream_credential: INTERNAL_ERROR,
  upstream_region: INTERNAL_ERROR,
  upstream_unreachable: INTERNAL_ERROR,
  upstream_tls: INTERNAL_ERROR,
  upstream_reset: INTERNAL_ERROR,
  upstream_bad_response: INTERNAL_ERROR,
  upstream_error: INTERNAL_ERROR,
  upstream_quota: 429,
  upstream_rate_limit: 429,
  upstream_overloaded: 503,
  upstream_timeout: 504,
  upstream_too_long: 504,
  // The wire has no code for it.
  request_too_large: 400,
};

const statusOf = (error: GatewayError): number => statusByCode[error.code] ?? error.status;
const rpcCodeOf = (code: number): string =>
  lookUp(rpcCodes, String(code)) ?? (code < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL');

const TYPE = 'type.googleapis.com/google.rpc.';

/** Names the gateway limit that was exceeded. */
const LIMIT_HEADER = 'x-koine-limit';
const describeQuota = ({ code, headers, publicMessage }: GatewayError): readonly JsonObject[] => {
  if (code !== 'rate_limit_exceeded') return [];
  const subject = headers?.[LIMIT_HEADER];
  return [
    {
      '@type': `${TYPE}QuotaFailure`,
      violations: [omitUndefined({ subject, description: publicMessage })],
    },
  ];
};

/**
 * The limit that was exceeded, the time to wait, and the invalid member:
 * https://github.com/googleapis/googleapis/blob/master/google/rpc/error_details.proto
 */
const detailsOf = (error: GatewayError): readonly JsonObject[] => {
  const { param, publicRetrySeconds, publicMessage, failure } = error;
  return [
    ...(param !== undefined && (failure === 'caller-fault' || failure === 'unsuitable')
      ? [{ '@type': `${TYPE}BadRequest`, fieldViolations: [{ field: param, description: publicMessage }] }]
      : []),
    ...describeQuota(error),
    ...(publicRetrySeconds === undefined
      ? []
      : [{ '@type': `${TYPE}RetryInfo`, retryDelay: `${publicRetrySeconds}s` }]),
  ];
};

/** The vendor's own error for a mistake of the caller, relayed to clients of the vendor's wire. */
const vendorBody = ({ failure, vendor }: GatewayError): JsonObject | undefined => {
  if (failure !== 'caller-fault' || vendor?.wire !== WIRE) return undefined;
  const body: unknown = Array.isArray(vendor.body) ? vendor.body[0] : vendor.body;
  return isObject(body) && isObject(body['error']) && typeof body['error']['code'] === 'number' ? body : undefined;
};

/** The error object of the wire. In streams, `code` must be an integer: the SDK ignores errors with any other code. */
export function encodeErrorBody(error: GatewayError): JsonObject {
  const code = statusOf(error);
  const details = detailsOf(error);
  return (
    vendorBody(error) ?? {
      error: {
        code,
        message: error.publicMessage,
        status: rpcCodeOf(code),
        ...(details.length === 0 ? {} : { details }),
      },
    }
  );
}

/** The body of key and limit errors is the same on every wire; the members that clients of this wire read are added. */
const composeError = (error: GatewayError): JsonObject => {
  const access = describeAccessError(error);
  return access === undefined
    ? encodeErrorBody(error)
    : { error: { ...access, status: rpcCodeOf(error.status), details: detailsOf(error) } };
};

const headersOf = ({ isFinal, publicRetrySeconds }: GatewayError): Headers => ({
  ...(publicRetrySeconds === undefined ? {} : { 'retry-after': String(publicRetrySeconds) }),
  ...(isFinal ? { 'x-should-retry': 'false' } : {}),
});

/** https://ai.google.dev/gemini-api/docs/troubleshooting */
export const encodeError = (error: GatewayError): EncodedError => ({
  status: vendorBody(error) === undefined ? statusOf(error) : (error.vendor?.status ?? error.status),
  headers: headersOf(error),
  body: composeError(error),
});
