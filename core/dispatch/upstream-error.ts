import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import { isObject } from '../canonical/json/members.ts';
import { redactBody } from '../canonical/text/redact-body.ts';
import { redactSecrets } from '../canonical/text/redact.ts';
import type { Headers, WireName } from '../canonical/wire.ts';
import type { Attempt } from '../contracts/attempt.ts';
import type { ErrorReply } from '../contracts/codec-context.ts';
import type { ErrorCode, FailureClass } from '../errors/codes.ts';
import { GatewayError, toGatewayError } from '../errors/gateway-error.ts';

/** Longest vendor message that is kept. */
const MESSAGE_LIMIT = 2_000;

/**
 * The failure class by status alone, for a body without a usable code. The wire's decoder refines it, and the
 * provider's `classify` overrides both. A 403 can concern a file, a cache or the prompt: without a code that names the
 * account it is the caller's fault.
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
 * The message in an error body of any vendor: `{error:{message}}`, `{error:"text"}`, `{message}`, `{detail:"text"}`,
 * `{detail:[{msg}]}`, `[{error}]`, or plain text.
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

/** Stricter than `Number`, which reads an empty text as 0 and `0x10` as 16. */
const DECIMAL = /^\s*-?\d+(?:\.\d*)?(?:e\d+)?\s*$/i;
const readDecimal = (text: string | undefined): number | undefined => {
  const value = text !== undefined && DECIMAL.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? Math.max(0, value) : undefined;
};

/**
 * The wait that a vendor requests, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as a date, which
 * is compared with the response's own `date`. Not bounded: the code that waits bounds it.
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
 * An upstream failure as a GatewayError. The decoder of a wire passes what it has read from the vendor's codes;
 * otherwise the status decides. A 404 with a message concerns something that the request names, such as a file or an
 * earlier response; one without a message comes from a server that does not have the path or the model. The vendor's
 * body is kept for clients of the same wire.
 */
export function upstreamError(
  wire: WireName,
  reply: ErrorReply,
  decoded: {
    readonly failure?: FailureClass;
    readonly code?: ErrorCode;
    readonly message?: string;
    readonly param?: string;
  } = {},
): GatewayError {
  const { status: vendorStatus, headers } = reply;
  const message = decoded.message ?? readErrorMessage(reply.body);
  const isAboutRequest = isMissing(vendorStatus) && message !== undefined;
  const failure = decoded.failure ?? (isAboutRequest ? 'caller-fault' : failureOfStatus(vendorStatus));
  const status = statusOf(failure, vendorStatus);
  const sentence = message ?? (status === undefined ? undefined : `The provider refused the request (${status}).`);
  const shown = sentence === undefined ? undefined : redactSecrets(sentence).slice(0, MESSAGE_LIMIT);
  const retryAfterMs = readRetryAfter(headers);
  return new GatewayError(
    decoded.code ?? codeOfFailure[failure],
    shown,
    omitUndefined({
      failure,
      vendor: { wire, status: vendorStatus, headers, body: redactBody(reply.body) },
      status,
      param: decoded.param === undefined ? undefined : redactSecrets(decoded.param).slice(0, MESSAGE_LIMIT),
      retryAfterMs,
    }),
  );
}

/**
 * The error without the vendor's body, so that the gateway writes its own: where the frame of the vendor would not make
 * the clients of its wire fail.
 */
export const withoutVendor = ({ code, message, status, failure, retryAfterMs }: GatewayError): GatewayError =>
  new GatewayError(code, message, omitUndefined({ status, failure, retryAfterMs }));

/** A 200 with neither content nor a finish reason. It counts as a failure, so another target can be tried. */
export const emptyResponse = (): GatewayError =>
  new GatewayError('upstream_bad_response', 'The response of the provider is empty and has no finish reason.');

/** A frame of a stream that is not a JSON object. */
export const malformedFrame = (): GatewayError =>
  new GatewayError('upstream_bad_response', 'The provider sent a frame that is not a JSON object.');

/** A plain response that is not one of its wire. @param problem "has no choices" */
export const malformedBody = (problem: string): GatewayError =>
  new GatewayError('upstream_bad_response', `The response of the provider ${problem}.`);

/** The same error with another failure class. The vendor's message is kept. */
export const reclassify = (error: GatewayError, failure: FailureClass): GatewayError =>
  error.vendor === undefined
    ? error
    : upstreamError(error.vendor.wire, error.vendor, { failure, message: error.message });

/** The provider's `classify` takes precedence over the class that the wire's codec found. */
export function classifyFailure(attempt: Attempt, error: GatewayError): GatewayError {
  if (error.vendor === undefined) return error;
  const endpointWire = attempt.target.endpoint.wires.find(
    ({ operation, wire }) => operation === attempt.operation && wire === attempt.wire,
  );
  const { target, exchange } = attempt;
  const refused = { model: target.model, body: exchange.inbound.raw };
  try {
    const failure = endpointWire?.classify?.({ ...error.vendor, refused });
    return failure === undefined || failure === error.failure ? error : reclassify(error, failure);
  } catch (thrown) {
    return toGatewayError(thrown);
  }
}
