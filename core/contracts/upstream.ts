import type { Headers, WireName } from '../canonical/wire.ts';

/** An HTTP request to an upstream. */
export interface UpstreamRequest {
  /** Default `POST`. */
  readonly method?: 'GET' | 'DELETE';
  /** Scheme, host and port. */
  readonly origin: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** An HTTP response of an upstream. */
export interface UpstreamReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Sends an HTTP request. Its deadlines are those of the signal; it has none of its own.
 * @throws GatewayError `upstream_unreachable`, `upstream_tls`, `upstream_reset` or `upstream_bad_response`
 * @throws the reason of the signal if it aborts
 */
export type Transport = (request: UpstreamRequest, signal: AbortSignal) => Promise<UpstreamReply>;

/** What clients do with a response that its vendor stores. `input-items`: the list of what it was created from. */
export type StoredOperation = 'retrieve' | 'cancel' | 'delete' | 'input-items';

/** How a wire expresses such an operation. */
export interface StoredPath {
  readonly method: StoredCall['method'];
  /** What follows the id of the response in the path. @example suffix: '/cancel' */
  readonly suffix: string;
}

/** A call with the id of a stored response. */
export interface StoredCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the path of the wire: `/resp_1/cancel`. Encoded. */
  readonly path: string;
  /** As the client sent it, without the question mark and without its key; empty: none. */
  readonly query: string;
  /** Id of the credential. */
  readonly credential: string;
  readonly signal: AbortSignal;
}

/** The calls to what a vendor stores for clients of one wire. */
export interface StoredCalls {
  readonly wire: WireName;
  /** @example buildRequest: ({ method, path, credential }) => addressOf(`/v1/slips${path}`, method, credential) */
  buildRequest(call: StoredCall): UpstreamRequest | Promise<UpstreamRequest>;
}
