import { failureOfStatus, isObject, lookUp, readErrorMessage, upstreamError, type ErrorReply, type FailureClass, type GatewayError, type JsonObject } from '../../../../core/index.ts';
import { WIRE } from '../shape.ts';

/** https://platform.claude.com/docs/en/api/errors. Errors inside a 200 stream have no other status. */
const statusOfType: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  conflict_error: 409,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

/** Money that is spent is reported as 400, 402 and 429; only the words tell. */
const SPENT = /credit balance|usage limits?\b|spend(?:ing)? limit/i;
const TOO_LONG = /prompt is too long|exceed(?:s|ed)? (?:the )?context (?:limit|window)/i;

const errorOf = (body: unknown): JsonObject => (isObject(body) && isObject(body['error']) ? body['error'] : {});

/** A 4xx says what it is. In a 200, or a 5xx that a proxy may have chosen, the type is the vendor's own word. */
const statusOf = ({ type }: JsonObject, status: number): number => (status >= 400 && status < 500 ? status : ((typeof type === 'string' ? lookUp(statusOfType, type) : undefined) ?? status));

const isSpent = ({ type, details }: JsonObject, message: string): boolean =>
  type === 'billing_error' || (isObject(details) && details['error_code'] === 'enforced_spend_limit_reached') || SPENT.test(message);

const failureOf = (error: JsonObject, message: string, status: number): FailureClass => {
  if (status < 500 && isSpent(error, message)) return 'quota';
  if (error['type'] === 'forbidden' && message === 'Request not allowed') return 'region';
  return failureOfStatus(status);
};

/** Any answer that is not a success; also a 200 whose body is an error. Spent money is told before a rate limit. */
export const decodeError = (reply: ErrorReply): GatewayError => {
  const error = errorOf(reply.body);
  const message = readErrorMessage(reply.body) ?? '';
  const status = statusOf(error, reply.status);
  const failure = failureOf(error, message, status);
  const tooLong = failure === 'caller-fault' && TOO_LONG.test(message);
  return upstreamError(WIRE, { ...reply, status }, { failure, ...(tooLong ? { code: 'context_length_exceeded' as const } : {}) });
};

/** An error event of a stream, or an error in the place of an answer. */
export const decodeErrorBody = (body: unknown): GatewayError => decodeError({ status: 500, headers: {}, body });
