import type { ErrorCode, FailureClass, GatewayError, WireName } from '../../core/api/index.ts';
import {
  classifySentence,
  type ErrorReply,
  failureOfStatus,
  isModelMissing,
  isObject,
  lookUp,
  readErrorMessage,
  readObject,
  readText,
  type Sentence,
  upstreamError,
} from '../../core/api/codec.ts';

interface Meaning {
  readonly failure?: FailureClass;
  readonly code?: ErrorCode;
}
const callerFault: Meaning = { failure: 'caller-fault' };
const tooLong: Meaning = { failure: 'caller-fault', code: 'context_length_exceeded' };
const filtered: Meaning = { failure: 'caller-fault', code: 'content_filter' };
/** More than the account can send in a minute, or a service tier without capacity: another target can serve it. */
const tooMuch: Meaning = { failure: 'unsuitable', code: 'upstream_rate_limit' };

/**
 * `error.code` and `error.type` of https://platform.openai.com/docs/guides/error-codes and of other servers of these
 * wires. The first match counts.
 */
const meanings: readonly (readonly [codes: readonly string[], meaning: Meaning])[] = [
  [['conversation_locked', 'external_connector_error', 'data_residency_mismatch'], callerFault],
  [['resource_unavailable'], tooMuch],
  [
    ['insufficient_quota', 'insufficient_balance', 'insufficient_user_quota', 'exceeded_current_quota_error'],
    { failure: 'quota' },
  ],
  [['billing_hard_limit_reached', 'billing_not_active'], { failure: 'quota' }],
  [['context_length_exceeded', 'too_many_prompt_tokens', 'string_above_max_length'], tooLong],
  [['content_filter', 'content_policy_violation', 'moderation_blocked', 'image_content_policy_violation'], filtered],
  [['bio_policy', 'cyber_policy', 'misalignment_policy_violation'], filtered],
  [['invalid_api_key', 'account_deactivated', 'authentication_error'], { failure: 'credential' }],
  [['unsupported_country_region_territory'], { failure: 'region' }],
  [['model_not_found', 'model_decommissioned', 'model_not_available'], { failure: 'model-gone' }],
  [['deploymentnotfound', 'unknown_model'], { failure: 'model-gone' }],
  [['model_permission_blocked_org', 'model_permission_blocked_project'], { failure: 'model-access' }],
  [['key_model_access_denied', 'team_model_access_denied'], { failure: 'model-access' }],
  [['rate_limit_exceeded', 'ratelimitreached', 'rate_limit_error', 'slow_down'], { failure: 'rate-limit' }],
  [['overloaded', 'server_is_overloaded', 'engine_overloaded', 'overloaded_error'], { failure: 'overloaded' }],
];
const tooLongText =
  /maximum context length|context window|max context length|prompt (?:is )?too long|total length of all messages/i;
/** Of llama.cpp, with the status 500: the model was started without its projector. */
const unsupportedMedia = /^(?:image|audio) input is not supported\b/;
const tooMuchText = /^Request too large for /;
/** Messages about the account from servers that send no code. */
const sentences: readonly Sentence[] = [
  [
    /^(You exceeded your current quota, please check your plan and billing details\.)(?: For more information on this error, read the docs: \S+)?$/,
    'quota',
  ],
  [/^Insufficient Balance$/i, 'quota'],
  [/^Insufficient balance or no resource package\. Please recharge\.$/, 'quota'],
  [
    /^Your team \S+ has either (used all available credits or reached its monthly spending limit\.)(?: To continue making API requests, [\w ,]+\.)?$/,
    'quota',
  ],
  [
    /^(Your newly created team doesn't have any credits)(?: or licenses)? yet\. You can purchase (?:those|credits) on \S+$/,
    'quota',
  ],
  [/^(You have run out of credits or need a Grok subscription\.)(?: Add credits at \S+ or upgrade at \S+)?$/, 'quota'],
  [/^Incorrect API key provided\. You can obtain an API key from https:\/\/\S+$/, 'credential'],
];
/**
 * Messages of a 404 without a code that is about the model: vLLM, Ollama and xAI. Any other is about something else
 * that the request refers to.
 */
const modelMissing = [
  /^The (?:requested )?model [`'"]([^\s`'"]+)[`'"] does not exist(?: or you do not have access to it)?\.$/,
  /^model ["']([^\s"']+?)(?::latest)?["'] not found(?:, try pulling it first)?$/,
  /^The model (\S+) does not exist or your team \S+ does not have access to it\..*$/,
];

/** The meaning of an error without a code, by its message. */
const readSentence = (status: number, message: string, reply: ErrorReply): Meaning => {
  if ((status === 400 || status === 413 || status === 422) && tooLongText.test(message)) return tooLong;
  if (reply.status === 404 && isModelMissing(modelMissing, message, reply)) return { failure: 'model-gone' };
  const failure = reply.status < 400 || reply.status >= 500 ? undefined : classifySentence(sentences, message, reply);
  return failure === undefined ? {} : { failure };
};

/**
 * Failures of the account or the model. An error with another `param` is about that member instead, such as the model
 * of a tool.
 */
const accountFailures: ReadonlySet<FailureClass> = new Set([
  'quota',
  'credential',
  'region',
  'model-gone',
  'model-access',
]);

const readMeaning = (status: number, error: Readonly<Record<string, unknown>>, reply: ErrorReply): Meaning => {
  const [message, param] = [readErrorMessage(reply.body) ?? '', readText(error['param'])];
  if (unsupportedMedia.test(message)) return callerFault;
  if (tooMuchText.test(message) && (status === 413 || status === 429)) return tooMuch;
  const codes = new Set([error['code'], error['type']].map((code) => readText(code).toLowerCase()));
  const byCode = meanings.find(([known]) => known.some((code) => codes.has(code)))?.[1];
  const meaning = byCode ?? readSentence(status, message, reply);
  if (param === 'model' && status === 404) return { failure: 'model-gone' };
  const isAboutMember = param !== '' && param !== 'model' && status !== 429;
  return isAboutMember && accountFailures.has(meaning.failure ?? failureOfStatus(status)) ? callerFault : meaning;
};

/** The object under `error`, or the body itself where a vendor leaves out the wrapper. */
const errorOf = (body: unknown): Readonly<Record<string, unknown>> => {
  const whole = readObject(Array.isArray(body) ? body[0] : body);
  return isObject(whole['error']) ? whole['error'] : whole;
};

const typeStatus: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  rate_limit_error: 429,
  insufficient_quota: 429,
  authentication_error: 401,
};
/**
 * Codes of a failed response whose request was at fault:
 * https://platform.openai.com/docs/api-reference/responses/object
 */
const callerFaultCode = /^(?:invalid_|vector_store_|unsupported_|empty_image|image_|failed_to_download_image)/;

/** The status of an error inside a 200: its own number, else by its type, else by its code. */
const statusOf = (error: Readonly<Record<string, unknown>>): number => {
  const status = [error['status_code'], error['status'], error['code']]
    .map(Number)
    .find((value) => Number.isInteger(value) && value >= 400 && value < 600);
  return (
    status ?? lookUp(typeStatus, readText(error['type'])) ?? (callerFaultCode.test(readText(error['code'])) ? 400 : 500)
  );
};

/** The error object is the same on all wires of OpenAI. A client of `wire` can be sent the vendor's own. */
export function createVendorErrors(wire: WireName) {
  /** Takes a body of any shape: vendors of these wires differ, and so do proxies in front of them. */
  const decodeError = (reply: ErrorReply): GatewayError => {
    const error = errorOf(reply.body);
    const status = reply.status < 400 ? statusOf(error) : reply.status;
    const meaning = readMeaning(status, error, reply);
    const param = readText(error['param']);
    return upstreamError(wire, { ...reply, status }, { ...meaning, ...(param === '' ? {} : { param }) });
  };
  /** An error inside a 200, plain or streamed. */
  const decodeEmbeddedError = (body: unknown): GatewayError => decodeError({ status: 200, headers: {}, body });
  return { decodeError, decodeEmbeddedError };
}

/** Whether a body or chunk holds an error. Some servers write `error: null` into successful ones. */
export const holdsError = (body: Readonly<Record<string, unknown>>): boolean =>
  isObject(body['error']) || readText(body['error']) !== '';
