import type { Dispatcher } from 'undici';
import type { Headers } from '../canonical/wire.ts';
import type { Transport, UpstreamReply, UpstreamRequest } from '../contracts/provider.ts';
import { GatewayError } from '../errors.ts';
import { createCarrier, createConnections, wasStale, type Carrier, type ConnectionSettings } from './connections.ts';
import { decodeBody } from './content-coding.ts';
import { guardBody } from './guard-body.ts';
import { describeFault, isCut } from './transport-fault.ts';

/** More than any provider sends; each costs memory before anyone looks at it. */
const MOST_HEADERS = 256;

/** @throws GatewayError `upstream_bad_response` for more than any answer has */
const flattenHeaders = (headers: Readonly<Record<string, string | string[] | undefined>>): Headers => {
  const flat: Record<string, string> = {};
  let count = 0;
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    count += typeof value === 'string' ? 1 : value.length;
    if (count > MOST_HEADERS) throw new GatewayError('upstream_bad_response', `The provider sent more than ${MOST_HEADERS} headers.`);
    flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
};

const readReply = ({ statusCode, headers, body }: Dispatcher.ResponseData<unknown>, signal: AbortSignal): UpstreamReply => {
  try {
    const flat = flattenHeaders(headers);
    return { status: statusCode, headers: flat, body: guardBody(decodeBody(body, flat['content-encoding']), signal) };
  } catch (thrown) {
    body.on('error', () => {}).destroy();
    throw thrown;
  }
};

export interface UndiciTransport {
  /** How long a call may take is its signal's affair. */
  readonly send: Transport;
  close(): Promise<void>;
}

/**
 * Upstream calls over undici. Redirects are not followed: they would carry the credentials with them. A call that met a connection which the provider
 * had closed meanwhile is made once more, on a new one; nothing else is ever sent twice here.
 */
export const createUndiciTransport = (settings: ConnectionSettings): UndiciTransport => {
  const { shared, open, close } = createConnections(settings);

  const callOf = ({ origin, path, headers, body }: UpstreamRequest, signal: AbortSignal) => ({ origin, path, method: 'POST', headers, body, signal }) as const;
  const callAnew = async (request: UpstreamRequest, signal: AbortSignal) => {
    const connection = open(request.origin);
    try {
      return await connection.request(callOf(request, signal));
    } finally {
      // Waits for the answer.
      void connection.close();
    }
  };
  const call = async (request: UpstreamRequest, signal: AbortSignal) => {
    const opaque: Carrier = createCarrier();
    try {
      return await shared.request({ ...callOf(request, signal), opaque });
    } catch (thrown) {
      if (signal.aborted || !isCut(thrown) || !wasStale(opaque)) throw thrown;
      return callAnew(request, signal);
    }
  };

  const send: Transport = async (request, signal) => {
    try {
      return readReply(await call(request, signal), signal);
    } catch (thrown) {
      throw describeFault(thrown, signal);
    }
  };
  return { send, close };
};
