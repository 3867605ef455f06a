import type { Readable } from 'node:stream';
import { Agent } from 'undici';
import type { Headers } from '../canonical/wire.ts';
import type { Transport, UpstreamReply } from '../contracts/provider.ts';
import { GatewayError } from '../errors.ts';

/** Milliseconds. undici's own defaults of 300 s would cut long calls, so all three are always set. */
export interface TransportTimeouts {
  readonly connect: number;
  readonly firstByte: number;
  readonly idle: number;
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '');

const timeouts: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: 'The connection to the provider was not made in time.',
  UND_ERR_HEADERS_TIMEOUT: 'The provider did not begin to answer in time.',
  UND_ERR_BODY_TIMEOUT: 'The provider fell silent in the middle of its answer.',
};
const unreachable = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

/** A fault of the transport as the gateway's error. What the caller's own signal aborted comes back as its reason. */
const describeFault = (thrown: unknown, signal: AbortSignal): GatewayError => {
  if (signal.aborted && GatewayError.is(signal.reason)) return signal.reason;
  const code = codeOf(thrown);
  const timeout = timeouts[code];
  if (timeout !== undefined) return new GatewayError('upstream_timeout', timeout, { cause: thrown });
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return new GatewayError(unreachable.has(code) ? 'upstream_unreachable' : 'upstream_reset', `${code} ${text}`.trim(), { cause: thrown });
};

const flattenHeaders = (headers: Readonly<Record<string, string | string[] | undefined>>): Headers => {
  const flat: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
};

/**
 * The body's chunks, with faults in the gateway's words. Stopping early (`return`) drops the connection at once: the stream's own iterator
 * would wait for the next chunk first.
 */
const guardBody = (body: Readable, signal: AbortSignal): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => {
    const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
    // A body that is dropped tells of it by an event, which nobody else listens to.
    body.on('error', () => {});
    return {
      next: () =>
        chunks.next().catch((thrown: unknown) => {
          throw describeFault(thrown, signal);
        }),
      return: () => {
        body.destroy();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  },
});

/** Upstream calls over undici, one pool per origin. Redirects are not followed: they would carry the credentials with them. */
export const createUndiciTransport = ({ connect, firstByte, idle }: TransportTimeouts): { readonly send: Transport; close(): Promise<void> } => {
  const agent = new Agent({ connect: { timeout: connect }, headersTimeout: firstByte, bodyTimeout: idle, keepAliveTimeout: 15_000 });
  const send: Transport = async ({ origin, path, headers, body }, signal): Promise<UpstreamReply> => {
    try {
      const reply = await agent.request({ origin, path, method: 'POST', headers, body, signal });
      return { status: reply.statusCode, headers: flattenHeaders(reply.headers), body: guardBody(reply.body, signal) };
    } catch (thrown) {
      throw describeFault(thrown, signal);
    }
  };
  return { send, close: () => agent.destroy() };
};
