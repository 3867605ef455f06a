import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import { isObject } from '../canonical/json/members.ts';
import { redactBody } from '../canonical/text/redact-body.ts';
import { redactSecrets } from '../canonical/text/redact.ts';
import type { Headers, WireName } from '../canonical/wire.ts';
import type { ErrorReply } from '../contracts/codec.ts';
import type { ErrorCode, FailureClass } from '../errors/codes.ts';
import { GatewayError } from '../errors/gateway-error.ts';

/** Longest vendor message that is kept. */
const MESSAGE_LIMIT = 2_000;

/**
 * By status alone: what a failure means when the body does not say. A wire's decoder refines it, a provider's
 * `classify` decides. A 403 may be about a file, a cache or the prompt: without a code that blames the account it is the
 * caller's fault.
 */
export function failureOfStatus(status: number): FailureClass {
  if (status === 401 || status === 402) return status === 401 ? 'credential' : 'quota';
  if (status === 404 || status === 410) return 'model-gone';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 409) return 'transient';
  if (status === 429) return 'rate-limit';
  if (status === 529) return 'overloaded';
  if (status === 503) return 'overloaded';
  if (status >= 500) return 'transient';
  return status >= 400 ? 'caller-fault' : 'unknown';
}

const codeOfFailure: Readonly<Record<FailureClass, ErrorCode>> = {
  'unsuitable': 'unsupported_parameter',
  'transient': 'upstream_error',
  'overloaded': 'upstream_overloaded',
  'rate-limit': 'upstream_rate_limit',
  'quota': 'upstream_quota',
  'credential': 'upstream_credential',
  'model-access': 'upstream_credential',
  'model-gone': 'upstream_model',
  'region': 'upstream_region',
  'caller-fault': 'invalid_request',
  'timeout': 'upstream_timeout',
  'unknown': 'upstream_error',
};

/** Caller faults keep the vendor's status (413, 415, 422); the rest get the status of their code. */
const statusOf = (failure: FailureClass, status: number): number | undefined =>
  failure === 'caller-fault' && status >= 400 && status < 500 ? status : undefined;

const firstString = (...candidates: readonly unknown[]): string | undefined =>
  candidates.find((candidate): candidate is string => typeof candidate === 'string' && candidate !== '');

/**
 * The sentence in an error body of any vendor: `{error:{message}}`, `{error:"text"}`, `{message}`, `{detail:"text"}`, `{detail:[{msg}]}`,
 * `[{error}]`, or plain text.
 */
export function readErrorMessage(body: unknown): string | undefined {
  if (typeof body === 'string') return body.trim() === '' || body.trimStart().startsWith('<') ? undefined : body.trim();
  if (Array.isArray(body)) return readErrorMessage(body[0]);
  if (!isObject(body)) return undefined;
  const { error, detail } = body;
  if (isObject(error)) return firstString(error['message'], error['error']);
  const listed: unknown = Array.isArray(detail) ? detail[0] : undefined;
  return firstString(error, body['message'], detail, isObject(listed) ? listed['msg'] : undefined);
}

const isMissing = (status: number): boolean => status === 404 || status === 410;

/** `Number` takes empty text for 0, and `0x10` for 16. */
const DECIMAL = /^\s*-?\d+(?:\.\d*)?(?:e\d+)?\s*$/i;
const readDecimal = (text: string | undefined): number | undefined => {
  const value = text !== undefined && DECIMAL.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? Math.max(0, value) : undefined;
};

/**
 * The wait a vendor asks for, in milliseconds: `retry-after-ms`, or `retry-after` as seconds or as a date (measured against its own `date`).
 * As it was said: who acts on it says what is too long.
 */
export function readRetryAfter(headers: Headers): number | undefined {
  const milliseconds = readDecimal(headers['retry-after-ms']);
  if (milliseconds !== undefined) return milliseconds;
  const text = headers['retry-after'];
  const seconds = readDecimal(text);
  if (text === undefined || seconds !== undefined) return seconds === undefined ? undefined : seconds * 1_000;
  const wait = Date.parse(text) - Date.parse(headers['date'] ?? '');
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

/**
 * An upstream failure as the gateway's error. The decoder of a wire passes what its vendor's codes told it; without that the status decides.
 * A 404 that gives a reason is about something that the request names, a file or an earlier response; one without a
 * reason comes from a server that does not have the path or the model. The vendor's body is kept beside it for clients
 * of the same wire.
 */
export function upstreamError(
  wire: WireName,
  reply: ErrorReply,
  told: {
    readonly failure?: FailureClass;
    readonly code?: ErrorCode;
    readonly message?: string;
    readonly param?: string;
  } = {},
): GatewayError {
  const { status: vendorStatus, headers } = reply;
  const message = told.message ?? readErrorMessage(reply.body);
  const isAboutRequest = isMissing(vendorStatus) && message !== undefined;
  const failure = told.failure ?? (isAboutRequest ? 'caller-fault' : failureOfStatus(vendorStatus));
  const status = statusOf(failure, vendorStatus);
  const sentence = message ?? (status === undefined ? undefined : `The provider refused the request (${status}).`);
  const shown = sentence === undefined ? undefined : redactSecrets(sentence).slice(0, MESSAGE_LIMIT);
  const retryAfterMs = readRetryAfter(headers);
  return new GatewayError(
    told.code ?? codeOfFailure[failure],
    shown,
    omitUndefined({
      failure,
      vendor: { wire, status: vendorStatus, headers, body: redactBody(reply.body) },
      status,
      param: told.param === undefined ? undefined : redactSecrets(told.param).slice(0, MESSAGE_LIMIT),
      retryAfterMs,
    }),
  );
}

/** A 200 with neither content nor a reason for its end: no answer on any wire, so another target may be tried. */
export const emptyAnswer = (): GatewayError =>
  new GatewayError('upstream_bad_response', 'The answer of the provider is empty and names no reason.');

/** The same failure, seen as another class. The vendor's words are kept. */
export const reclassify = (error: GatewayError, failure: FailureClass): GatewayError =>
  error.vendor === undefined
    ? error
    : upstreamError(error.vendor.wire, error.vendor, { failure, message: error.message });
