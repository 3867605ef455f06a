import { redactKeys } from '../canonical/text/redact.ts';
import type { Headers, WireName } from '../canonical/wire.ts';
import { errorCodes, type AnyErrorCode, type ErrorCode, type FailureClass } from './codes.ts';
import type { LimitFigures } from './limit-figures.ts';

/** The error as the vendor sent it, so that clients of the same wire get it unchanged. */
export interface VendorError {
  readonly wire: WireName;
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** What an error says beyond its code and its message. */
export interface ErrorDetails {
  /** Overrides the status of the code, e.g. to keep a vendor's 413 or 422. */
  readonly status?: number;
  readonly failure?: FailureClass;
  /** Path of the invalid member of the request: `messages[2].content[0].image_url`. */
  readonly param?: string;
  readonly retryAfterMs?: number;
  readonly limits?: LimitFigures;
  /** Additional response headers. */
  readonly headers?: Headers;
  readonly vendor?: VendorError;
  readonly cause?: unknown;
}

/** In milliseconds. SDKs sleep for the whole time that `retry-after` states. */
const MAX_RETRY_MS = 60_000;

const BRAND = Symbol.for('koine.error');

/**
 * The error class of the gateway. Failover reads `failure`, wires read `code` and `status`. Instances are recognised
 * across duplicate copies of the package by a global symbol: use {@link GatewayError.is}, not `instanceof`.
 * @example throw new GatewayError('rate_limit_exceeded', 'Rate limit exceeded: 10 requests.', { retryAfterMs: 1_500 });
 */
export class GatewayError extends Error {
  readonly code: AnyErrorCode;
  readonly status: number;
  readonly failure: FailureClass;
  readonly exposed: boolean;
  declare readonly param?: string;
  declare readonly retryAfterMs?: number;
  declare readonly limits?: LimitFigures;
  declare readonly headers?: Headers;
  /** Not enumerable, which keeps log lines small. */
  declare readonly vendor?: VendorError;

  constructor(code: ErrorCode, message?: string, details?: ErrorDetails);
  /** @internal With a code of the gateway's own. The declarations of the package leave this out. */
  constructor(code: AnyErrorCode, message?: string, details?: ErrorDetails);
  constructor(code: AnyErrorCode, message?: string, details: ErrorDetails = {}) {
    const facts = errorCodes[code];
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

  /** Whether a retry cannot help soon, for `x-should-retry`: the money is spent, or the key is wrong. */
  get isFinal(): boolean {
    return this.failure === 'quota' || this.failure === 'credential' || this.code === 'invalid_api_key';
  }

  /**
   * How long a client should wait, in milliseconds: 1 to 60,000. The end of a spent budget is stated as it is: clients
   * that retry do not wait for it (`isFinal`). Undefined: not stated.
   */
  get publicRetryMs(): number | undefined {
    if (this.retryAfterMs === undefined) return undefined;
    const ms = Math.max(1, Math.ceil(this.retryAfterMs));
    return this.failure === 'quota' ? ms : Math.min(MAX_RETRY_MS, ms);
  }

  /** The same in whole seconds, for `retry-after`. */
  get publicRetrySeconds(): number | undefined {
    return this.publicRetryMs === undefined ? undefined : Math.ceil(this.publicRetryMs / 1_000);
  }

  /** The message for the client: without keys, or the fixed text of the code if the message could reveal internals. */
  get publicMessage(): string {
    return this.exposed ? redactKeys(this.message) : errorCodes[this.code].fallback;
  }
}

/**
 * Converts any thrown value: a GatewayError is returned unchanged, everything else becomes `internal_error` with the
 * value as its cause.
 */
export const toGatewayError = (thrown: unknown): GatewayError =>
  GatewayError.is(thrown)
    ? thrown
    : new GatewayError('internal_error', thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown });

/**
 * A 400 with the path of the invalid member (empty: the body as a whole). The usual error of a decoder.
 * @example throw invalidRequest('stop[4]', "'stop' can have at most 4 entries.");
 */
export const invalidRequest = (param: string, message: string): GatewayError =>
  new GatewayError('invalid_request', message, param === '' ? {} : { param });

/**
 * The error of authentication and rate limiting, which is the same on every wire: `{error:{message,type,code}}`.
 * Undefined for other errors. A wire can add members that its SDK needs, but not remove these.
 */
export function describeAccessError(
  error: GatewayError,
): { readonly message: string; readonly type: string; readonly code: string } | undefined {
  const type = accessErrorTypes[error.code];
  return type === undefined
    ? undefined
    : { message: error.publicMessage, type, code: error.status === 503 ? 'service_unavailable' : error.code };
}
const accessErrorTypes: Partial<Record<AnyErrorCode, string>> = {
  invalid_api_key: 'invalid_request_error',
  rate_limit_exceeded: 'rate_limit_error',
  service_unavailable: 'server_error',
  limits_unavailable: 'server_error',
  ledger_unavailable: 'server_error',
};
