import {
  describeAccessError,
  type EncodedError,
  type ErrorCode,
  type GatewayError,
  type Headers,
  isObject,
  type JsonObject,
  lookUp,
  omitUndefined,
} from '../../../../../core/index.ts';
import { WIRE } from '../../shape.ts';

/** https://cloud.google.com/apis/design/errors#error_codes */
const statusOf: Readonly<Record<string, string>> = {
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

/** What went wrong between the gateway and a provider is, on this wire, an error inside. */
const INSIDE = 500;
/** Codes whose status here is one, whatever the vendor's was; all others keep theirs. */
const httpOf: Partial<Record<ErrorCode, number>> = {
  upstream_credential: INSIDE,
  upstream_region: INSIDE,
  upstream_unreachable: INSIDE,
  upstream_tls: INSIDE,
  upstream_reset: INSIDE,
  upstream_bad_response: INSIDE,
  upstream_error: INSIDE,
  upstream_quota: 429,
  upstream_rate_limit: 429,
  upstream_overloaded: 503,
  upstream_timeout: 504,
  upstream_too_long: 504,
  // Its list of codes has no other word for it.
  request_too_large: 400,
};

const codeOf = (error: GatewayError): number => httpOf[error.code] ?? error.status;
const wordOf = (code: number): string =>
  lookUp(statusOf, String(code)) ?? (code < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL');

const TYPE = 'type.googleapis.com/google.rpc.';

/** Names the limit of ours that refused. */
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

/** Which limit refused, how long to wait, and which member is wrong: https://github.com/googleapis/googleapis/blob/master/google/rpc/error_details.proto */
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

/** The vendor's own words about the caller's own mistake, for a client that speaks the vendor's wire. */
const vendorBody = ({ failure, vendor }: GatewayError): JsonObject | undefined => {
  if (failure !== 'caller-fault' || vendor?.wire !== WIRE) return undefined;
  const body: unknown = Array.isArray(vendor.body) ? vendor.body[0] : vendor.body;
  return isObject(body) && isObject(body['error']) && typeof body['error']['code'] === 'number' ? body : undefined;
};

/** The wire's own error: `code` is a whole number. In streams always: the SDK overlooks an error with any other code. */
export function encodeErrorBody(error: GatewayError): JsonObject {
  const code = codeOf(error);
  const details = detailsOf(error);
  return (
    vendorBody(error) ?? {
      error: { code, message: error.publicMessage, status: wordOf(code), ...(details.length === 0 ? {} : { details }) },
    }
  );
}

/** mission.md's body for keys and limits, with the members that the wire's clients read beside it. */
const composeError = (error: GatewayError): JsonObject => {
  const access = describeAccessError(error);
  return access === undefined
    ? encodeErrorBody(error)
    : { error: { ...access, status: wordOf(error.status), details: detailsOf(error) } };
};

const headersOf = ({ failure, publicRetrySeconds }: GatewayError): Headers => ({
  ...(publicRetrySeconds === undefined ? {} : { 'retry-after': String(publicRetrySeconds) }),
  ...(failure === 'quota' || failure === 'credential' ? { 'x-should-retry': 'false' } : {}),
});

/** https://ai.google.dev/gemini-api/docs/troubleshooting */
export const encodeError = (error: GatewayError): EncodedError => ({
  status: vendorBody(error) === undefined ? codeOf(error) : (error.vendor?.status ?? error.status),
  headers: headersOf(error),
  body: composeError(error),
});
