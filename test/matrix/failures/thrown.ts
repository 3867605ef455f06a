import type { Wire } from '../wires.ts';

/** What the client's SDK throws. */
export interface Thrown {
  /** Name of the SDK's class. */
  readonly class: string;
  readonly status: number;
  /** `error.type`; Google's `error.status`. */
  readonly type: string;
  /** OpenAI's wires only. */
  readonly code?: string | null;
}

export type Kind =
  | 'bad request'
  | 'too large'
  | 'too long'
  | 'forbidden'
  | 'not found'
  | 'no model'
  | 'credentials'
  | 'rate limit'
  | 'quota'
  | 'bad gateway'
  | 'cut off'
  | 'overloaded'
  | 'timeout';

const byKind: Readonly<
  Record<Kind, { readonly openai: Thrown; readonly messages: Thrown; readonly google: readonly [number, string] }>
> = {
  'bad request': {
    openai: { class: 'BadRequestError', status: 400, type: 'invalid_request_error', code: null },
    messages: { class: 'BadRequestError', status: 400, type: 'invalid_request_error' },
    google: [400, 'INVALID_ARGUMENT'],
  },
  'too large': {
    openai: { class: 'APIError', status: 413, type: 'invalid_request_error' },
    messages: { class: 'ContentTooLargeError', status: 413, type: 'request_too_large' },
    google: [413, 'INVALID_ARGUMENT'],
  },
  'too long': {
    openai: { class: 'BadRequestError', status: 400, type: 'invalid_request_error', code: 'context_length_exceeded' },
    messages: { class: 'BadRequestError', status: 400, type: 'invalid_request_error' },
    google: [400, 'INVALID_ARGUMENT'],
  },
  'forbidden': {
    openai: { class: 'PermissionDeniedError', status: 403, type: 'invalid_request_error', code: null },
    messages: { class: 'PermissionDeniedError', status: 403, type: 'permission_error' },
    google: [403, 'PERMISSION_DENIED'],
  },
  'not found': {
    openai: { class: 'NotFoundError', status: 404, type: 'invalid_request_error', code: null },
    messages: { class: 'NotFoundError', status: 404, type: 'not_found_error' },
    google: [404, 'NOT_FOUND'],
  },
  'no model': {
    openai: { class: 'NotFoundError', status: 404, type: 'invalid_request_error', code: 'model_not_found' },
    messages: { class: 'NotFoundError', status: 404, type: 'not_found_error' },
    google: [404, 'NOT_FOUND'],
  },
  credentials: {
    openai: { class: 'InternalServerError', status: 502, type: 'server_error', code: 'upstream_auth' },
    messages: { class: 'InternalServerError', status: 500, type: 'api_error' },
    google: [500, 'INTERNAL'],
  },
  'rate limit': {
    openai: { class: 'RateLimitError', status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' },
    messages: { class: 'RateLimitError', status: 429, type: 'rate_limit_error' },
    google: [429, 'RESOURCE_EXHAUSTED'],
  },
  quota: {
    openai: { class: 'RateLimitError', status: 429, type: 'insufficient_quota', code: 'insufficient_quota' },
    messages: { class: 'PaymentRequiredError', status: 402, type: 'billing_error' },
    google: [429, 'RESOURCE_EXHAUSTED'],
  },
  'bad gateway': {
    openai: { class: 'InternalServerError', status: 502, type: 'server_error', code: 'bad_gateway' },
    messages: { class: 'InternalServerError', status: 500, type: 'api_error' },
    google: [500, 'INTERNAL'],
  },
  'cut off': {
    openai: { class: 'InternalServerError', status: 502, type: 'server_error', code: 'bad_gateway' },
    messages: { class: 'InternalServerError', status: 500, type: 'api_error' },
    google: [502, 'INTERNAL'],
  },
  overloaded: {
    openai: { class: 'InternalServerError', status: 503, type: 'server_error', code: 'overloaded' },
    messages: { class: 'OverloadedError', status: 529, type: 'overloaded_error' },
    google: [503, 'UNAVAILABLE'],
  },
  timeout: {
    openai: { class: 'InternalServerError', status: 504, type: 'server_error', code: 'timeout' },
    messages: { class: 'GatewayTimeoutError', status: 504, type: 'timeout_error' },
    google: [504, 'DEADLINE_EXCEEDED'],
  },
};

/** A model that is not available on responses is a 400. */
const onResponses: Partial<Record<Kind, Thrown>> = {
  'no model': { class: 'BadRequestError', status: 400, type: 'invalid_request_error', code: 'model_not_found' },
};

/** The error that the SDK throws. Google's SDK has one class for all. */
export const thrownOf = (kind: Kind, client: Wire): Thrown => {
  const { openai, messages, google } = byKind[kind];
  if (client === 'google') return { class: 'ApiError', status: google[0], type: google[1] };
  if (client === 'messages') return messages;
  return (client === 'responses' ? onResponses[kind] : undefined) ?? openai;
};
