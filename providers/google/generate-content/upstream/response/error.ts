import {
  type ErrorCode,
  type FailureClass,
  GatewayError,
  type Headers,
  type JsonObject,
} from '../../../../../core/api/index.ts';
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
} from '../../../../../core/api/codec.ts';
import { WIRE } from '../../shape.ts';

/** https://cloud.google.com/apis/design/errors#handling_errors. For errors inside a 200. */
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
};

const TOO_LONG = /input token count .*exceeds the maximum number of tokens/i;
/** Spent money is a 429 without a quota violation. */
const sentences: readonly Sentence[] = [
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
const errorOf = (body: unknown): Readonly<JsonObject> =>
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
  return lookUp(httpStatuses, readText(error['status'])) ?? 500;
};

/** A quota by day is spent for today: https://ai.google.dev/gemini-api/docs/rate-limits */
const isSpent = (error: Readonly<JsonObject>, message: string, reply: ErrorReply): boolean => {
  const violations = detailsOf(error, 'QuotaFailure').flatMap(({ violations: listed }) => readObjects(listed));
  if (violations.some(({ quotaId }) => /PerDay/i.test(readText(quotaId)))) return true;
  return reply.status === 429 && classifySentence(sentences, message, reply) === 'quota';
};

interface Meaning {
  readonly failure?: FailureClass;
  readonly code?: ErrorCode;
}
/** @param status of the reply, or of an error inside a 200 */
const readMeaning = (status: number, error: Readonly<JsonObject>, message: string, reply: ErrorReply): Meaning => {
  if (status === 429 && isSpent(error, message, reply)) return { failure: 'quota' };
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
export function decodeError(reply: ErrorReply): GatewayError {
  const error = errorOf(reply.body);
  const message = messageOf(reply.body);
  const status = statusOf(error, reply.status);
  const meaning = readMeaning(status, error, message, reply);
  return upstreamError(
    WIRE,
    { ...reply, status, headers: waitHeaders(error, reply.headers) },
    { ...meaning, ...(message === '' ? {} : { message }) },
  );
}

/** Decodes an error inside a 200, plain or streamed. */
export const decodeEmbeddedError = (body: unknown): GatewayError => decodeError({ status: 200, headers: {}, body });

/** Whether a body or chunk is an error. */
export const hasError = (body: Readonly<JsonObject>): boolean =>
  isObject(body['error']) || readText(body['error']) !== '';

export const malformedChunk = (): GatewayError =>
  new GatewayError('upstream_bad_response', 'The provider sent data that is not a generate-content response.');
