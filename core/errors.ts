import { redactKeys } from './canonical/redact.ts';
import type { Headers, WireName } from './canonical/wire.ts';

/**
 * What a failed attempt means for the next one.
 * `unsuitable`: this target cannot carry this request (no vision, no structured output, losses rejected): the next may, and when none can it is a 400.
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

interface CodeFacts {
  /** HTTP status on the chat-completions wire; other wires map it (529 for overload on messages). */
  readonly status: number;
  readonly failure: FailureClass;
  /** May the message be shown to the client? Where not, `fallback` is shown and the message is logged. */
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
 * Every error the gateway can raise. Lower-case codes reach clients in the shape of their wire; `KOINE_*` codes end a start or a command.
 * docs/errors.md lists them; a test compares the two.
 */
export const errorCodes = {
  invalid_request: caller(400, 'The request is not valid.'),
  unsupported_parameter: {
    status: 400,
    failure: 'unsuitable',
    exposed: true,
    fallback: 'The model cannot carry this request.',
  },
  context_length_exceeded: caller(400, 'The prompt is longer than the context of the model.'),
  content_filter: caller(400, 'The provider refused the prompt.'),
  invalid_api_key: caller(401, 'Invalid API key'),
  permission_denied: caller(403, 'This key may not do that.'),
  model_not_found: caller(404, 'No such model.'),
  not_found: caller(404, 'Not found.'),
  method_not_allowed: caller(405, 'Method not allowed.'),
  request_timeout: caller(408, 'The request did not arrive in time.'),
  conflict: caller(409, 'What is there already does not allow this.'),
  precondition_failed: caller(412, 'What is there is not what the request was made for.'),
  request_too_large: caller(413, 'The request body is too large.'),
  unsupported_media_type: caller(415, 'The encoding of the body is not supported.'),
  upgrade_refused: caller(426, 'WebSocket is not spoken here; use HTTP with server-sent events.'),
  rate_limit_exceeded: { status: 429, failure: 'rate-limit', exposed: true, fallback: 'Rate limit exceeded' },
  client_closed: { status: 499, failure: 'unknown', exposed: true, fallback: 'The client closed the connection.' },
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
    fallback: 'The use of this key cannot be recorded at the moment, and without that nothing is answered; try again.',
  },
  overloaded: {
    status: 503,
    failure: 'overloaded',
    exposed: true,
    fallback:
      'This gateway is overloaded: it has more requests than it can answer at the moment. Try again in a second.',
  },
  starting: { status: 503, failure: 'transient', exposed: true, fallback: 'The gateway is starting.' },
  shutting_down: { status: 503, failure: 'transient', exposed: true, fallback: 'The gateway is shutting down.' },

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
    fallback: 'The provider did not answer in time.',
  },
  upstream_too_long: {
    status: 504,
    failure: 'timeout',
    exposed: true,
    fallback: 'The answer of the provider took longer than it may.',
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
    fallback: 'The answer of the provider ended before it was complete.',
  },
  upstream_bad_response: {
    status: 502,
    failure: 'transient',
    exposed: true,
    fallback: 'The provider sent an answer that could not be read.',
  },
  upstream_error: { status: 502, failure: 'transient', exposed: true, fallback: 'The provider failed.' },
  no_target_available: {
    status: 503,
    failure: 'credential',
    exposed: false,
    fallback: 'No provider of this model is available at the moment. The log of the gateway says why.',
  },

  KOINE_CONFIG_INVALID: boot('The configuration has problems.'),
  KOINE_CONFIG_UNREADABLE: boot('The configuration file cannot be read.'),
  KOINE_EXTENSION_NOT_FOUND: boot('The extension was not found.'),
  KOINE_EXTENSION_DEPENDENCY_MISSING: boot('The extension was found, but something it imports was not.'),
  KOINE_EXTENSION_INTEGRITY: boot('The files of the extension are not those that its integrity pins.'),
  KOINE_EXTENSION_BROKEN: boot('The extension failed while it was imported.'),
  KOINE_EXTENSION_INVALID: boot('The module is not a Koine extension.'),
  KOINE_EXTENSION_API_VERSION: boot('The extension was written for another version of the API.'),
  KOINE_EXTENSION_DUPLICATE: boot('The name is taken.'),
  KOINE_EXTENSION_START_FAILED: boot('The extension failed to start.'),
  KOINE_EXTENSION_TIMEOUT: boot('The extension did not start in time.'),
  KOINE_STORE_FAILED: boot('The database could not be opened.'),
  KOINE_LISTEN_FAILED: boot('The address could not be bound.'),
  KOINE_WORKER_FAILED: boot('The worker processes do not stay alive.'),
} as const satisfies Record<string, CodeFacts>;

export type ErrorCode = keyof typeof errorCodes;

/** One limit as its owner sees it: how much, how much is left, and in how many milliseconds it is whole again. */
export interface LimitFigure {
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
  /** Known where the limiter has a calendar clock. */
  readonly resetAt?: number;
}
/** The tightest figures of a caller, per unit. The limiter gives figures, the wire gives names. */
export interface LimitFigures {
  readonly requests?: LimitFigure;
  readonly tokens?: LimitFigure;
  readonly inputTokens?: LimitFigure;
  readonly outputTokens?: LimitFigure;
}

/** The error as the vendor sent it, kept so that a client of the same wire can be given the vendor's own words. */
export interface VendorError {
  readonly wire: WireName;
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface ErrorDetails {
  /** Overrides the table's status, e.g. to keep an upstream's 413 or 422. */
  readonly status?: number;
  readonly failure?: FailureClass;
  /** The member of the request that is wrong, as a path: `messages[2].content[0].image_url`. */
  readonly param?: string;
  readonly retryAfterMs?: number;
  readonly limits?: LimitFigures;
  /** Further headers of the answer. */
  readonly headers?: Headers;
  readonly vendor?: VendorError;
  readonly cause?: unknown;
}

/** Milliseconds: SDKs sleep for as long as they are told, and cannot be woken. */
const LONGEST_WAIT = 60_000;

const BRAND = Symbol.for('koine.error');

/**
 * The one error of the gateway. Failover reads `failure`, wires read `code` and `status`.
 * Recognised across duplicate copies of the package by a global symbol: use {@link GatewayError.is}, not `instanceof`.
 */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly failure: FailureClass;
  readonly exposed: boolean;
  declare readonly param?: string;
  declare readonly retryAfterMs?: number;
  declare readonly limits?: LimitFigures;
  declare readonly headers?: Headers;
  /** Not enumerable, so that logs stay small. */
  declare readonly vendor?: VendorError;

  constructor(code: ErrorCode, message?: string, details: ErrorDetails = {}) {
    const facts: CodeFacts = errorCodes[code];
    super(message ?? facts.fallback, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'GatewayError';
    this.code = code;
    this.status = details.status ?? facts.status;
    this.failure = details.failure ?? facts.failure;
    this.exposed = facts.exposed;
    if (details.param !== undefined) this.param = details.param;
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs;
    if (details.limits !== undefined) this.limits = details.limits;
    if (details.headers !== undefined) this.headers = details.headers;
    if (details.vendor !== undefined)
      Object.defineProperty(this, 'vendor', { value: details.vendor, enumerable: false });
    Object.defineProperty(this, BRAND, { value: true, enumerable: false });
  }

  static is(value: unknown): value is GatewayError {
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  /** What a client is told to wait, in milliseconds: never nothing, and a minute at most. */
  get shownWaitMs(): number | undefined {
    return this.retryAfterMs === undefined
      ? undefined
      : Math.min(LONGEST_WAIT, Math.max(1, Math.ceil(this.retryAfterMs)));
  }

  /** The same in whole seconds, as `retry-after` has it: 1 to 60. */
  get shownWait(): number | undefined {
    return this.shownWaitMs === undefined ? undefined : Math.ceil(this.shownWaitMs / 1_000);
  }

  /** What a client may read: the message without keys, or the table's sentence where the message could tell of the inside. */
  get shownMessage(): string {
    return this.exposed ? redactKeys(this.message) : errorCodes[this.code].fallback;
  }
}

/** Any throw as a GatewayError: ours as it is, everything else as `internal_error` with the cause kept. */
export const toGatewayError = (thrown: unknown): GatewayError =>
  GatewayError.is(thrown)
    ? thrown
    : new GatewayError('internal_error', thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown });

/** A 400 that names the member at fault (empty: the body as a whole). The usual way for a codec to refuse a request. */
export const invalidRequest = (param: string, message: string): GatewayError =>
  new GatewayError('invalid_request', message, param === '' ? {} : { param });

/**
 * The words of mission.md for authentication and rate limiting, the same on every wire: `{error:{message,type,code}}`.
 * `undefined` for any other error. A wire may add members that its SDK needs, never take these away.
 */
export const describeAccessError = (
  error: GatewayError,
): { readonly message: string; readonly type: string; readonly code: string } | undefined => {
  const type = accessErrorTypes[error.code];
  return type === undefined
    ? undefined
    : { message: error.shownMessage, type, code: error.status === 503 ? 'service_unavailable' : error.code };
};
const accessErrorTypes: Partial<Record<ErrorCode, string>> = {
  invalid_api_key: 'invalid_request_error',
  rate_limit_exceeded: 'rate_limit_error',
  service_unavailable: 'server_error',
  limits_unavailable: 'server_error',
  ledger_unavailable: 'server_error',
};
