/**
 * The class of a failure, from which failover chooses the next attempt. `unsuitable`: the target cannot carry out the
 * request (no vision, no structured output, losses rejected). Another target might; if none can, the client gets a 400.
 */
export type FailureClass =
  | 'unsuitable'
  | 'transient'
  | 'overloaded'
  | 'rate-limit'
  | 'quota'
  | 'credential'
  | 'model-access'
  | 'model-gone'
  | 'region'
  | 'caller-fault'
  | 'timeout'
  | 'unknown';

/** What a code stands for, unless the details of an error say otherwise. */
export interface CodeFacts {
  /** HTTP status on the chat-completions wire. Other wires map it (529 for overload on messages). */
  readonly status: number;
  readonly failure: FailureClass;
  /** Whether the client gets the message. Otherwise it gets `fallback`, and the message is only logged. */
  readonly exposed: boolean;
  readonly fallback: string;
}

const caller = (status: number, fallback: string): CodeFacts => ({
  status,
  failure: 'caller-fault',
  exposed: true,
  fallback,
});
const boot = (fallback: string): CodeFacts => ({ status: 500, failure: 'unknown', exposed: false, fallback });

/**
 * The codes that extensions throw, and the gateway as well. Lower-case codes reach clients in the format of their wire;
 * `KOINE_*` codes end a start or a command. docs/reference/errors.md lists all codes, and a test compares.
 */
const extensionCodes = {
  invalid_request: caller(400, 'The request is not valid.'),
  unsupported_parameter: {
    status: 400,
    failure: 'unsuitable',
    exposed: true,
    fallback: 'The model does not support this request.',
  },
  context_length_exceeded: caller(400, 'The prompt is longer than the context of the model.'),
  content_filter: caller(400, 'The provider refused the prompt.'),
  invalid_api_key: caller(401, 'Invalid API key'),
  permission_denied: caller(403, 'This key does not have permission for this.'),
  model_not_found: caller(404, 'No such model.'),
  not_found: caller(404, 'Not found.'),
  conflict: caller(409, 'The request conflicts with the current state.'),
  precondition_failed: caller(412, 'The resource has changed since it was read.'),
  request_too_large: caller(413, 'The request body is too large.'),
  rate_limit_exceeded: { status: 429, failure: 'rate-limit', exposed: true, fallback: 'Rate limit exceeded' },
  internal_error: {
    status: 500,
    failure: 'unknown',
    exposed: false,
    fallback: 'The gateway failed to handle this request.',
  },
  service_unavailable: {
    status: 503,
    failure: 'transient',
    exposed: true,
    fallback: 'Auth service temporarily unavailable',
  },
  limits_unavailable: {
    status: 503,
    failure: 'transient',
    exposed: true,
    fallback: 'The limits of this key cannot be checked at the moment; try again.',
  },
  ledger_unavailable: {
    status: 503,
    failure: 'transient',
    exposed: true,
    fallback: 'The usage of this key cannot be recorded at the moment, so the request is refused; try again.',
  },
  overloaded: {
    status: 503,
    failure: 'overloaded',
    exposed: true,
    fallback:
      'This gateway is overloaded: it has more requests than it can handle at the moment. Try again in a second.',
  },

  upstream_rate_limit: {
    status: 429,
    failure: 'rate-limit',
    exposed: true,
    fallback: 'The provider is limiting requests to this model.',
  },
  upstream_quota: { status: 429, failure: 'quota', exposed: true, fallback: 'The quota at the provider is spent.' },
  upstream_credential: {
    status: 502,
    failure: 'credential',
    exposed: false,
    fallback: 'The provider refused the credentials of the gateway.',
  },
  upstream_model: {
    status: 404,
    failure: 'model-gone',
    exposed: true,
    fallback: 'The provider does not have this model.',
  },
  upstream_region: {
    status: 502,
    failure: 'region',
    exposed: false,
    fallback: 'The provider does not serve this region.',
  },
  upstream_overloaded: { status: 503, failure: 'overloaded', exposed: true, fallback: 'The provider is overloaded.' },
  upstream_timeout: {
    status: 504,
    failure: 'timeout',
    exposed: true,
    fallback: 'The provider did not respond in time.',
  },
  upstream_unreachable: {
    status: 502,
    failure: 'transient',
    exposed: false,
    fallback: 'The provider could not be reached.',
  },
  upstream_tls: {
    status: 502,
    failure: 'credential',
    exposed: false,
    fallback: 'No secure connection to the provider could be made.',
  },
  upstream_reset: {
    status: 502,
    failure: 'transient',
    exposed: false,
    fallback: 'The provider closed the connection.',
  },
  upstream_truncated: {
    status: 502,
    failure: 'transient',
    exposed: true,
    fallback: 'The response of the provider ended before it was complete.',
  },
  upstream_bad_response: {
    status: 502,
    failure: 'transient',
    exposed: true,
    fallback: 'The provider sent an invalid response.',
  },
  upstream_error: { status: 502, failure: 'transient', exposed: true, fallback: 'The provider failed.' },
  no_target_available: {
    status: 503,
    failure: 'credential',
    exposed: false,
    fallback: 'No provider of this model is available at the moment. See the log of the gateway.',
  },

  KOINE_CONFIG_INVALID: boot('The configuration has problems.'),
  KOINE_EXTENSION_DEPENDENCY_MISSING: boot('The extension was found, but something it imports was not.'),
  KOINE_STORE_FAILED: boot('The database could not be opened.'),
} as const satisfies Record<string, CodeFacts>;

/** The codes of what only the gateway does: listening, loading of extensions, the end of a process. */
const gatewayCodes = {
  method_not_allowed: caller(405, 'Method not allowed.'),
  request_timeout: caller(408, 'The request did not arrive in time.'),
  unsupported_media_type: caller(415, 'The encoding of the body is not supported.'),
  upgrade_refused: caller(426, 'WebSocket is not served here; use HTTP with server-sent events.'),
  socket_expired: caller(400, 'This WebSocket has been open for 60 minutes. Open another one.'),
  client_closed: { status: 499, failure: 'unknown', exposed: true, fallback: 'The client closed the connection.' },
  starting: { status: 503, failure: 'transient', exposed: true, fallback: 'The gateway is starting.' },
  shutting_down: { status: 503, failure: 'transient', exposed: true, fallback: 'The gateway is shutting down.' },

  upstream_too_long: {
    status: 504,
    failure: 'timeout',
    exposed: true,
    fallback: 'The response of the provider exceeded its maximum duration.',
  },

  KOINE_CONFIG_UNREADABLE: boot('The configuration file cannot be read.'),
  KOINE_EXTENSION_NOT_FOUND: boot('The extension was not found.'),
  KOINE_EXTENSION_INTEGRITY: boot('The files of the extension do not match its integrity hash.'),
  KOINE_EXTENSION_TYPESCRIPT: boot('The extension has TypeScript that Node cannot run.'),
  KOINE_EXTENSION_BROKEN: boot('The extension failed while it was imported.'),
  KOINE_EXTENSION_INVALID: boot('The module is not a Koine extension.'),
  KOINE_EXTENSION_API_VERSION: boot('The extension was written for another version of the API.'),
  KOINE_EXTENSION_DUPLICATE: boot('The name is taken.'),
  KOINE_EXTENSION_START_FAILED: boot('The extension failed to start.'),
  KOINE_EXTENSION_TIMEOUT: boot('The extension did not start in time.'),
  KOINE_LISTEN_FAILED: boot('The address could not be bound.'),
  KOINE_WORKER_FAILED: boot('The workers do not stay alive.'),
} as const satisfies Record<string, CodeFacts>;

/** A code that extensions can throw (docs/reference/errors.md). */
export type ErrorCode = keyof typeof extensionCodes;

/** The code of any {@link GatewayError}: one that extensions can throw, or one of the gateway's own. */
export type AnyErrorCode = ErrorCode | keyof typeof gatewayCodes;

/** Every error of the gateway. */
export const errorCodes: Readonly<Record<AnyErrorCode, CodeFacts>> = { ...extensionCodes, ...gatewayCodes };
