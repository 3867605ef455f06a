import type { ErrorCode, FailureClass, GatewayError, Headers, JsonObject, WireName } from '../../core/api/index.ts';
import {
  classifySentence,
  type ErrorReply,
  isModelMissing,
  isObject,
  lookUp,
  parseJson,
  readErrorMessage,
  readObject,
  readObjects,
  readText,
  type Sentence,
  upstreamError,
} from '../../core/api/codec.ts';

/**
 * For errors inside a 200: https://cloud.google.com/apis/design/errors#handling_errors, and the codes of interactions,
 * https://ai.google.dev/gemini-api/docs/api-errors
 */
const httpStatuses: Readonly<Record<string, number>> = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  OUT_OF_RANGE: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  ABORTED: 409,
  RESOURCE_EXHAUSTED: 429,
  UNIMPLEMENTED: 501,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
  invalid_request: 400,
  failed_precondition: 400,
  parameter_unknown: 400,
  authentication: 401,
  payment_required: 402,
  permission_denied: 403,
  not_found: 404,
  model_not_found: 404,
  out_of_range: 416,
  rate_limit_exceeded: 429,
  quota_exceeded: 429,
  cancelled: 499,
  service_unavailable: 503,
  deadline_exceeded: 504,
};

const TOO_LONG = /input token count .*exceeds the maximum number of tokens/i;
/** Spent money is a 429 without a quota violation. */
const spent: readonly Sentence[] = [
  [
    /^(Your prepayment credits are depleted\.)(?: Please go to AI Studio at \S+ to manage your project and billing\.)?$/,
    'quota',
  ],
  [
    /^(Your project has exceeded its (?:monthly )?spending cap\.)(?: Please go to AI Studio at \S+ to manage [\w ]+\.)?$/,
    'quota',
  ],
];
/** Messages about a missing model. Any other 404 is about a file, a cache or another object of the request. */
export const modelMissing: readonly RegExp[] = [
  /^models\/(\S+) is not found for API version \w+, or is not supported for \w+\. Call (?:\w+\.)?ListModels to see [\w ]+\.$/,
  /^Publisher Model `projects\/[^\s`]+\/models\/([^\s`]+)` (?:was )?not found\b[^`]*$/,
  /^This model models\/(\S+) is no longer available(?: to new users)?\..*$/,
];

/** An error in place of a JSON array is wrapped in one. */
export const errorOf = (body: unknown): Readonly<JsonObject> =>
  readObject(readObject(Array.isArray(body) ? body[0] : body)['error']);

const detailsOf = (error: Readonly<JsonObject>, type: string): readonly JsonObject[] =>
  readObjects(error['details']).filter((detail) => readText(detail['@type']).endsWith(type));

/** The message, or the vendor's own if a proxy put the whole error into it. */
const messageOf = (body: unknown): string => {
  const message = readErrorMessage(body) ?? '';
  const inner = message.startsWith('{') ? parseJson(message) : undefined;
  return isObject(inner) ? (readErrorMessage(inner) ?? message) : message;
};

const statusOf = (error: Readonly<JsonObject>, status: number): number => {
  if (status >= 400) return status;
  const { code } = error;
  if (typeof code === 'number' && Number.isInteger(code) && code >= 400 && code < 600) return code;
  return lookUp(httpStatuses, readText(error['status']) || readText(code)) ?? 500;
};

/** A quota by day is spent for today: https://ai.google.dev/gemini-api/docs/rate-limits */
const isSpent = (error: Readonly<JsonObject>, message: string, reply: ErrorReply): boolean => {
  const violations = detailsOf(error, 'QuotaFailure').flatMap(({ violations: listed }) => readObjects(listed));
  if (violations.some(({ quotaId }) => /PerDay/i.test(readText(quotaId)))) return true;
  return reply.status === 429 && classifySentence(spent, message, reply) === 'quota';
};

interface Meaning {
  readonly failure?: FailureClass;
  readonly code?: ErrorCode;
}
/** @param status of the reply, or of an error inside a 200 */
const readMeaning = (status: number, error: Readonly<JsonObject>, message: string, reply: ErrorReply): Meaning => {
  const { code } = error;
  if (status === 429 && (code === 'quota_exceeded' || isSpent(error, message, reply))) return { failure: 'quota' };
  if (status === 404 && code === 'model_not_found') return { failure: 'model-gone' };
  if (reply.status === 404 && isModelMissing(modelMissing, message, reply)) return { failure: 'model-gone' };
  if (status === 499) return { failure: 'transient' };
  return status === 400 && TOO_LONG.test(message) ? { failure: 'caller-fault', code: 'context_length_exceeded' } : {};
};

/** The time to wait is in the details, as `34s` or `34.07s`: this vendor sends no header. */
const waitHeaders = (error: Readonly<JsonObject>, headers: Headers): Headers => {
  const seconds = Number.parseFloat(readText(detailsOf(error, 'RetryInfo')[0]?.['retryDelay']));
  return 'retry-after' in headers || !(seconds >= 0)
    ? headers
    : { ...headers, 'retry-after-ms': String(Math.round(seconds * 1_000)) };
};

/** Decodes any body. Quota is tested before rate limit. */
const decodeVendorError = (wire: WireName, reply: ErrorReply): GatewayError => {
  const error = errorOf(reply.body);
  const message = messageOf(reply.body);
  const status = statusOf(error, reply.status);
  const meaning = readMeaning(status, error, message, reply);
  return upstreamError(
    wire,
    { ...reply, status, headers: waitHeaders(error, reply.headers) },
    { ...meaning, ...(message === '' ? {} : { message }) },
  );
};

/** The decoders of errors of one of Google's wires: of a failed call, and inside a 200, plain or streamed. */
export const createVendorErrors = (wire: WireName) => ({
  decodeError: (reply: ErrorReply) => decodeVendorError(wire, reply),
  decodeEmbeddedError: (body: unknown) => decodeVendorError(wire, { status: 200, headers: {}, body }),
});

/** Whether a body or chunk is an error. */
export const hasError = (body: Readonly<JsonObject>): boolean =>
  isObject(body['error']) || readText(body['error']) !== '';
