import {
  classifySentence,
  type ErrorCode,
  type ErrorReply,
  type FailureClass,
  GatewayError,
  type Headers,
  isModelMissing,
  isObject,
  type JsonObject,
  lookUp,
  parseJson,
  readErrorMessage,
  readObject,
  readObjects,
  readText,
  type Sentence,
  upstreamError,
} from '../../../../../core/index.ts';
import { WIRE } from '../../shape.ts';

/** https://cloud.google.com/apis/design/errors#handling_errors: what an error says that came inside a 200. */
const statusOfWord: Readonly<Record<string, number>> = {
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
/** Money that is spent is a 429 without a violation. */
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
/** Any other 404 is about a file, a cache or another object of the request. */
const modelMissing = [
  /^models\/(\S+) is not found for API version \w+, or is not supported for \w+\. Call (?:\w+\.)?ListModels to see [\w ]+\.$/,
  /^Publisher Model `projects\/[^\s`]+\/models\/([^\s`]+)` (?:was )?not found\b[^`]*$/,
  /^This model models\/(\S+) is no longer available(?: to new users)?\..*$/,
];

/** Errors of unfinished arrays are wrapped in one. */
const errorOf = (body: unknown): Readonly<JsonObject> =>
  readObject(readObject(Array.isArray(body) ? body[0] : body)['error']);

const detailsOf = (error: Readonly<JsonObject>, type: string): readonly JsonObject[] =>
  readObjects(error['details']).filter((detail) => readText(detail['@type']).endsWith(type));

/** A proxy may have put the whole error of the vendor into the message of its own. */
const messageOf = (body: unknown): string => {
  const message = readErrorMessage(body) ?? '';
  const inner = message.startsWith('{') ? parseJson(message) : undefined;
  return isObject(inner) ? (readErrorMessage(inner) ?? message) : message;
};

const statusOf = (error: Readonly<JsonObject>, status: number): number => {
  if (status >= 400) return status;
  const { code } = error;
  if (typeof code === 'number' && Number.isInteger(code) && code >= 400 && code < 600) return code;
  return lookUp(statusOfWord, readText(error['status'])) ?? 500;
};

/** What is counted by the day is over for today: https://ai.google.dev/gemini-api/docs/rate-limits */
const isSpent = (error: Readonly<JsonObject>, message: string, reply: ErrorReply): boolean => {
  const violations = detailsOf(error, 'QuotaFailure').flatMap(({ violations: listed }) => readObjects(listed));
  if (violations.some(({ quotaId }) => /PerDay/i.test(readText(quotaId)))) return true;
  return reply.status === 429 && classifySentence(sentences, message, reply) === 'quota';
};

interface Meaning {
  readonly failure?: FailureClass;
  readonly code?: ErrorCode;
}
/** @param status the reply's own, or the one that an error inside a 200 names */
const readMeaning = (status: number, error: Readonly<JsonObject>, message: string, reply: ErrorReply): Meaning => {
  if (status === 429 && isSpent(error, message, reply)) return { failure: 'quota' };
  if (reply.status === 404 && isModelMissing(modelMissing, message, reply)) return { failure: 'model-gone' };
  if (status === 499) return { failure: 'transient' };
  return status === 400 && TOO_LONG.test(message) ? { failure: 'caller-fault', code: 'context_length_exceeded' } : {};
};

/** The wait stands in the details, as `34s` or `34.07s`; this vendor sends no header. */
const waitHeaders = (error: Readonly<JsonObject>, headers: Headers): Headers => {
  const seconds = Number.parseFloat(readText(detailsOf(error, 'RetryInfo')[0]?.['retryDelay']));
  return 'retry-after' in headers || !(seconds >= 0)
    ? headers
    : { ...headers, 'retry-after-ms': String(Math.round(seconds * 1_000)) };
};

/** Any body at all. A spent quota is tested before a rate limit. */
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

/** The error inside a 200, plain or streamed. */
export const decodeEmbeddedError = (body: unknown): GatewayError => decodeError({ status: 200, headers: {}, body });

/** Does a body or chunk say that it failed? */
export const hasError = (body: Readonly<JsonObject>): boolean =>
  isObject(body['error']) || readText(body['error']) !== '';

export const malformedChunk = (): GatewayError =>
  new GatewayError('upstream_bad_response', 'The provider sent data that is not a generate-content response.');
export const truncatedStream = (): GatewayError => new GatewayError('upstream_truncated');
