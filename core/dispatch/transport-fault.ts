import type { ErrorCode } from '../errors/codes.ts';
import { GatewayError } from '../errors/gateway-error.ts';

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** There was no connection: nothing was sent. */
const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'ESERVFAIL',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** The connection was open and broke. */
const cut = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET']);
/** https://nodejs.org/api/tls.html#x509-certificate-error-codes, and the codes of OpenSSL for a handshake. */
const TLS = new RegExp(
  '^(?:ERR_SSL_|ERR_TLS_|CERT_|CRL_|ERROR_IN_C|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_' +
    '|PATH_LENGTH_EXCEEDED|EPROTO)',
);
/**
 * A handshake that the peer aborts has no code of its own:
 * https://github.com/nodejs/node/blob/main/lib/internal/tls/wrap.js
 */
const HANDSHAKE = /before secure TLS connection was established/;
/** zlib's message for data that ends too early: gzip and deflate, brotli, zstd. */
const ENDS_EARLY = /^unexpected end of file$/;
const CODING = /^(?:Z_|ERR__ERROR_|ERR_BROTLI|ZSTD_|ERR_ZSTD)/;

const classify = (code: string, message: string): ErrorCode => {
  if (unreachable.has(code)) return 'upstream_unreachable';
  if (TLS.test(code) || HANDSHAKE.test(message)) return 'upstream_tls';
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'upstream_bad_response';
  if (ENDS_EARLY.test(message)) return 'upstream_truncated';
  return CODING.test(code) ? 'upstream_bad_response' : 'upstream_reset';
};

/**
 * A fault of the transport as a GatewayError.
 * @param cancellation of the call: if it has aborted, its reason is the error
 */
export function describeFault(thrown: unknown, cancellation?: Pick<AbortSignal, 'aborted' | 'reason'>): GatewayError {
  if (cancellation?.aborted === true && GatewayError.is(cancellation.reason)) return cancellation.reason;
  if (GatewayError.is(thrown)) return thrown;
  const code = codeOf(thrown);
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new GatewayError(classify(code, message), `${code} ${message}`.trim(), { cause: thrown });
}

/** Whether the connection has broken. */
export const isCut = (thrown: unknown): boolean => cut.has(codeOf(thrown));
