import { redactKeys } from '../canonical/text/redact.ts';
import type { Headers, WireName } from '../canonical/wire.ts';
import { errorCodes, type CodeFacts, type ErrorCode, type FailureClass } from './codes.ts';
import type { LimitFigures } from './limit-figures.ts';

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
  get publicRetryMs(): number | undefined {
    return this.retryAfterMs === undefined
      ? undefined
      : Math.min(LONGEST_WAIT, Math.max(1, Math.ceil(this.retryAfterMs)));
  }

  /** The same in whole seconds, as `retry-after` has it: 1 to 60. */
  get publicRetrySeconds(): number | undefined {
    return this.publicRetryMs === undefined ? undefined : Math.ceil(this.publicRetryMs / 1_000);
  }

  /** What a client may read: the message without keys, or the table's sentence where the message could tell of the inside. */
  get publicMessage(): string {
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
export function describeAccessError(
  error: GatewayError,
): { readonly message: string; readonly type: string; readonly code: string } | undefined {
  const type = accessErrorTypes[error.code];
  return type === undefined
    ? undefined
    : { message: error.publicMessage, type, code: error.status === 503 ? 'service_unavailable' : error.code };
}
const accessErrorTypes: Partial<Record<ErrorCode, string>> = {
  invalid_api_key: 'invalid_request_error',
  rate_limit_exceeded: 'rate_limit_error',
  service_unavailable: 'server_error',
  limits_unavailable: 'server_error',
  ledger_unavailable: 'server_error',
};
