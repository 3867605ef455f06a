import type { GatewayError, FailureClass, JsonObject } from '../../../../../core/api/index.ts';
import {
  classifySentence,
  isObject,
  lookUp,
  readErrorMessage,
  upstreamError,
  type ErrorReply,
  type Sentence,
} from '../../../../../core/api/codec.ts';
import { WIRE } from '../../shape.ts';

/** https://platform.claude.com/docs/en/api/errors. For errors inside a stream, which have no other status. */
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

/** Messages about the account that have status 400 or 403 and no code of their own. */
const sentences: readonly Sentence[] = [
  [
    /^Your credit balance is too low(?: to access the \w+ API)?\.(?: Please go to Plans & Billing to upgrade or purchase credits\.)?$/,
    'quota',
  ],
  [
    /^You have reached your specified (?:\w+ )?(?:API )?usage limits\. You will regain access on [\d-]+(?: at [\d:]+ UTC)?\.$/,
    'quota',
  ],
  [/^This organization has been disabled\.$/, 'credential'],
  [/^OAuth token has been revoked\. Please obtain a new token\.$/, 'credential'],
  [/^OAuth authentication is currently not (?:supported|allowed for this organization)\.$/, 'credential'],
  [/^Request not allowed$/, 'region'],
];
/** Of llama.cpp, with the status 500: the model was started without its projector. */
const unsupportedMedia = /^(?:image|audio) input is not supported\b/;
const tooLongStatuses: ReadonlySet<number> = new Set([400, 413, 422]);
const TOO_LONG = /prompt is too long|exceed(?:s|ed)? (?:the )?context (?:limit|window)/i;

const readErrorObject = (body: unknown): JsonObject => (isObject(body) && isObject(body['error']) ? body['error'] : {});

/** A 4xx is trusted. For a 200, or a 5xx that a proxy may have set, the status follows from the error type. */
const statusOf = ({ type }: JsonObject, status: number): number =>
  status >= 400 && status < 500
    ? status
    : ((typeof type === 'string' ? lookUp(statusOfType, type) : undefined) ?? status);

/** Codes that mean something else than their status. The limits of a customer with an own account are the caller's. */
const failureOfCode: Readonly<Record<string, FailureClass>> = {
  enforced_spend_limit_reached: 'quota',
  contract_spend_limit_reached: 'quota',
  linked_organization_spend_limit_reached: 'caller-fault',
  linked_organization_billing_unavailable: 'caller-fault',
  user_profile_billing_not_authorized: 'caller-fault',
  user_profile_not_billable: 'caller-fault',
  organization_on_hold: 'credential',
  claude_code_key_creator_not_member: 'credential',
  cmek_key_disabled: 'credential',
  cmek_key_network_blocked: 'credential',
  cmek_key_unreachable: 'transient',
  cmek_context_unavailable: 'transient',
  ramp_limit_exceeded: 'rate-limit',
  thread_not_found: 'caller-fault',
  thread_already_continued: 'caller-fault',
  thread_continue_in_flight: 'caller-fault',
};

const readFailureCode = ({ type, details }: JsonObject): FailureClass | undefined => {
  const code = isObject(details) ? details['error_code'] : undefined;
  const known = typeof code === 'string' ? lookUp(failureOfCode, code) : undefined;
  return known ?? (type === 'billing_error' ? 'quota' : undefined);
};

/**
 * The whole message for a missing model. Any other 404 is about a file, a container or another object of the request,
 * or the model of a tool.
 */
const missingModel = [
  /^model: (\S+)$/,
  // Other vendors of this wire, and other gateways.
  /^(?:The )?(?:requested )?[Mm]odel:? [`'"]?([^\s`'"]+?)[`'"]? (?:was |is )?(?:not found|does not exist|not available)\b.*$/,
];
const isModelMissing = ({ type }: JsonObject, message: string, { status, refused }: ErrorReply): boolean =>
  status === 404 &&
  type === 'not_found_error' &&
  missingModel.some((pattern) => {
    const name = pattern.exec(message)?.[1];
    return name !== undefined && (refused === undefined || name === refused.model);
  });

/**
 * The failure class, or `undefined` if the status decides.
 * @param status of the reply, or of the error type
 */
const failureOf = (error: JsonObject, message: string, status: number, reply: ErrorReply): FailureClass | undefined => {
  const coded = status < 500 ? readFailureCode(error) : undefined;
  if (coded !== undefined) return coded;
  if (isModelMissing(error, message, reply)) return 'model-gone';
  return reply.status === 400 || reply.status === 403 ? classifySentence(sentences, message, reply) : undefined;
};

/** Decodes any response that is not a success, also a 200 whose body is an error. Quota is tested before rate limit. */
export function decodeError(reply: ErrorReply): GatewayError {
  const error = readErrorObject(reply.body);
  const message = readErrorMessage(reply.body) ?? '';
  const status = unsupportedMedia.test(message) ? 400 : statusOf(error, reply.status);
  const failure = failureOf(error, message, status, reply);
  const tooLong = failure === undefined && tooLongStatuses.has(status) && TOO_LONG.test(message);
  if (tooLong)
    return upstreamError(WIRE, { ...reply, status }, { failure: 'caller-fault', code: 'context_length_exceeded' });
  return upstreamError(WIRE, { ...reply, status }, failure === undefined ? {} : { failure });
}

/** Decodes an error event of a stream, or an error in place of a response. */
export const decodeErrorBody = (body: unknown): GatewayError => decodeError({ status: 500, headers: {}, body });
