import {
  isObject,
  lookUp,
  parseJson,
  readErrorMessage,
  upstreamError,
  type ErrorCode,
  type ErrorReply,
  type FailureClass,
  type GatewayError,
  type Headers,
  type JsonObject,
} from '../../../../core/index.ts';
import { readObject, readObjects, readText, WIRE } from '../shape.ts';

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
const SPENT = /credits? (?:are|is|has been|have been) (?:depleted|exhausted)|spending (?:cap|limit)/i;

/** Errors of unfinished arrays are wrapped in one. */
const errorOf = (body: unknown): Readonly<JsonObject> => readObject(readObject(Array.isArray(body) ? body[0] : body)['error']);

const detailsOf = (error: Readonly<JsonObject>, type: string): readonly JsonObject[] => readObjects(error['details']).filter((detail) => readText(detail['@type']).endsWith(type));

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
const isSpent = (error: Readonly<JsonObject>, message: string): boolean => {
  const violations = detailsOf(error, 'QuotaFailure').flatMap(({ violations: listed }) => readObjects(listed));
  return SPENT.test(message) || violations.some(({ quotaId }) => /PerDay/i.test(readText(quotaId)));
};

const tell = (status: number, error: Readonly<JsonObject>, message: string): { readonly failure?: FailureClass; readonly code?: ErrorCode } => {
  if (status === 429 && isSpent(error, message)) return { failure: 'quota' };
  if (status === 499) return { failure: 'transient' };
  return status === 400 && TOO_LONG.test(message) ? { failure: 'caller-fault', code: 'context_length_exceeded' } : {};
};

/** The wait stands in the details, as `34s` or `34.07s`; this vendor sends no header. */
const waitHeaders = (error: Readonly<JsonObject>, headers: Headers): Headers => {
  const seconds = Number.parseFloat(readText(detailsOf(error, 'RetryInfo')[0]?.['retryDelay']));
  return 'retry-after' in headers || !(seconds >= 0) ? headers : { ...headers, 'retry-after-ms': String(Math.round(seconds * 1_000)) };
};

/** Any body at all. A spent quota is told before a rate limit. */
export const decodeError = (reply: ErrorReply): GatewayError => {
  const error = errorOf(reply.body);
  const message = messageOf(reply.body);
  const status = statusOf(error, reply.status);
  const told = tell(status, error, message);
  return upstreamError(WIRE, { ...reply, status, headers: waitHeaders(error, reply.headers) }, { ...told, ...(message === '' ? {} : { message }) });
};

/** The error inside a 200, plain or streamed. */
export const decodeEmbeddedError = (body: unknown): GatewayError => decodeError({ status: 200, headers: {}, body });

/** Does a body or chunk say that it failed? */
export const holdsError = (body: Readonly<JsonObject>): boolean => isObject(body['error']) || readText(body['error']) !== '';
