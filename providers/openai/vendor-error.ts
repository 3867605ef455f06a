import { isObject, lookUp, readErrorMessage, upstreamError, type ErrorCode, type ErrorReply, type FailureClass, type GatewayError, type WireName } from '../../core/index.ts';
import { readObject, readText } from './foreign-json.ts';

interface Told {
  readonly failure?: FailureClass;
  readonly code?: ErrorCode;
}
const tooLong: Told = { failure: 'caller-fault', code: 'context_length_exceeded' };
const filtered: Told = { failure: 'caller-fault', code: 'content_filter' };

/** `error.code` and `error.type` of https://platform.openai.com/docs/guides/error-codes and of the servers that speak these wires. Quota comes first. */
const told: readonly (readonly [words: readonly string[], meaning: Told])[] = [
  [['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active', 'insufficient_balance', 'insufficient_user_quota'], { failure: 'quota' }],
  [['context_length_exceeded', 'too_many_prompt_tokens', 'string_above_max_length'], tooLong],
  [['content_filter', 'content_policy_violation', 'moderation_blocked', 'image_content_policy_violation'], filtered],
  [['invalid_api_key', 'account_deactivated', 'authentication_error'], { failure: 'credential' }],
  [['unsupported_country_region_territory'], { failure: 'region' }],
  [['model_not_found', 'deploymentnotfound', 'model_decommissioned'], { failure: 'model-gone' }],
  [['rate_limit_exceeded', 'ratelimitreached', 'rate_limit_error', 'slow_down'], { failure: 'rate-limit' }],
  [['overloaded', 'server_is_overloaded', 'engine_overloaded', 'overloaded_error'], { failure: 'overloaded' }],
];
const tooLongText = /maximum context length|context window|max context length|prompt (?:is )?too long|total length of all messages/i;
const spentText = /insufficient balance|exceeded your current quota/i;

const tellByText = (status: number, message: string): Told => {
  if ((status === 400 || status === 413 || status === 422) && tooLongText.test(message)) return tooLong;
  return spentText.test(message) ? { failure: 'quota' } : {};
};

/** The object under `error`, or the body itself where a vendor leaves the wrapper out. */
const errorOf = (body: unknown): Readonly<Record<string, unknown>> => {
  const whole = readObject(Array.isArray(body) ? body[0] : body);
  return isObject(whole['error']) ? whole['error'] : whole;
};

const typeStatus: Readonly<Record<string, number>> = { invalid_request_error: 400, rate_limit_error: 429, insufficient_quota: 429, authentication_error: 401 };
/** Codes of a failed response that blame the request: https://platform.openai.com/docs/api-reference/responses/object */
const callersCode = /^(?:invalid_|unsupported_|empty_image|image_|failed_to_download_image|bio_policy|cyber_policy)/;

/** A status for an error that came inside a 200: from its own figures, else from its type, else from its code. */
const statusOf = (error: Readonly<Record<string, unknown>>): number => {
  const figure = [error['status_code'], error['status'], error['code']].map(Number).find((value) => Number.isInteger(value) && value >= 400 && value < 600);
  return figure ?? lookUp(typeStatus, readText(error['type'])) ?? (callersCode.test(readText(error['code'])) ? 400 : 500);
};

export interface VendorErrors {
  /** Any body at all: vendors of these wires differ, and so do the proxies before them. */
  decodeError(reply: ErrorReply): GatewayError;
  /** The error inside a 200, plain or streamed. */
  decodeEmbeddedError(body: unknown): GatewayError;
}

/** OpenAI's error object is one and the same on its wires; a client of `wire` may be given it as it came. */
export const createVendorErrors = (wire: WireName): VendorErrors => {
  const decodeError = (reply: ErrorReply): GatewayError => {
    const error = errorOf(reply.body);
    const status = reply.status < 400 ? statusOf(error) : reply.status;
    const words = new Set([error['code'], error['type']].map((word) => readText(word).toLowerCase()));
    const meaning = told.find(([known]) => known.some((word) => words.has(word)))?.[1] ?? tellByText(status, readErrorMessage(reply.body) ?? '');
    const param = readText(error['param']);
    return upstreamError(wire, { ...reply, status }, { ...meaning, ...(param === '' ? {} : { param }) });
  };
  return { decodeError, decodeEmbeddedError: (body) => decodeError({ status: 200, headers: {}, body }) };
};

/** Does a body or chunk say that it failed? Some servers write `error: null` into good ones. */
export const holdsError = (body: Readonly<Record<string, unknown>>): boolean => isObject(body['error']) || readText(body['error']) !== '';
