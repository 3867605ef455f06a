import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import type { Headers } from '../canonical/wire.ts';
import type { UpstreamRequest, UpstreamReply } from '../contracts/extension.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { AbortListener, Cancellation } from '../lanes/upstream/deadlines.ts';
import { UpstreamBody } from '../lanes/upstream/body.ts';
import { createConnections, wasStale, type Carrier, type Connections, type ConnectionSettings } from './connections.ts';
import { createInflater, readCoding } from './content-coding.ts';
import { InflatedBody } from './inflated-body.ts';
import { describeFault, isCut } from './transport-fault.ts';

/** More than any provider sends. Bounds the memory of one response's headers. */
const MAX_HEADERS = 256;

type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** @throws GatewayError `upstream_bad_response` for more than {@link MAX_HEADERS} */
const flattenHeaders = (headers: ReceivedHeaders): Headers => {
  const flat: Record<string, string> = {};
  let count = 0;
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    count += typeof value === 'string' ? 1 : value.length;
    if (count > MAX_HEADERS) {
      throw new GatewayError('upstream_bad_response', `The provider sent more than ${MAX_HEADERS} headers.`);
    }
    flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
};

/**
 * One upstream call: undici's handler, the listener of its cancellation, and the body of its response, in one object. A
 * call on a reused connection that the provider had already closed is repeated once on a new one. Nothing else is ever
 * sent twice here.
 */
class UndiciCall extends UpstreamBody implements Dispatcher.DispatchHandler, Carrier, AbortListener {
  socket?: Socket;
  reused = false;
  before = 0;
  readonly #request: UpstreamRequest;
  readonly #cancellation: Cancellation;
  readonly #connections: Connections;
  readonly #head = Promise.withResolvers<UpstreamReply>();
  #controller: Dispatcher.DispatchController | undefined;
  #hasHead = false;
  #isRepeated = false;

  constructor(request: UpstreamRequest, cancellation: Cancellation, connections: Connections) {
    super();
    this.#request = request;
    this.#cancellation = cancellation;
    this.#connections = connections;
  }

  /** Resolves when the headers have arrived. @throws GatewayError */
  start(): Promise<UpstreamReply> {
    if (this.#cancellation.aborted) this.handleEvent();
    else {
      this.#cancellation.addEventListener('abort', this);
      this.#dispatch(this.#connections.shared);
    }
    return this.#head.promise;
  }

  /** The call is cancelled. */
  handleEvent(): void {
    this.#break(this.#cancellation.reason);
    this.#controller?.abort(abandoned);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.isSettled) controller.abort(abandoned);
    else this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, received: ReceivedHeaders): void {
    if (status < 200) return;
    try {
      const headers = flattenHeaders(received);
      const body = this.#decode(readCoding(headers['content-encoding']));
      this.#hasHead = true;
      this.#head.resolve({ status, headers, body });
    } catch (thrown) {
      this.#break(thrown);
      this.#controller?.abort(abandoned);
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.arrived(chunk);
  }

  onResponseEnd(): void {
    this.#cancellation.removeEventListener('abort', this);
    this.ended();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.isSettled) return;
    if (this.#hasHead || this.#isRepeated || !isCut(error) || !wasStale(this)) return this.#break(error);
    this.#isRepeated = true;
    const connection = this.#connections.open(this.#request.origin);
    this.#dispatch(connection);
    // Closes after the response.
    void connection.close();
  }

  protected hold(): void {
    this.#controller?.pause();
  }

  protected release(): void {
    this.#controller?.resume();
  }

  protected drop(): void {
    this.#cancellation.removeEventListener('abort', this);
    this.#controller?.abort(abandoned);
  }

  #dispatch(connection: Dispatcher): void {
    const { origin, path, method = 'POST', headers, body, upload } = this.#request;
    const options: Dispatcher.DispatchOptions & { readonly opaque: Carrier } = {
      origin,
      path,
      method,
      headers,
      // A form is read again for each call. undici iterates over it, which its types do not say: a stream would ask for
      // the next chunk before this one is sent.
      body: (upload ?? body) as typeof body,
      opaque: this,
    };
    connection.dispatch(options, this);
  }

  /** @throws GatewayError `upstream_bad_response` for an unknown content-encoding */
  #decode(coding: string): UpstreamBody {
    if (coding === '') return this;
    const inflater = createInflater(coding);
    if (inflater !== undefined) return new InflatedBody(this, inflater, coding);
    const name = JSON.stringify(coding.slice(0, 64));
    throw new GatewayError(
      'upstream_bad_response',
      `The provider sent content-encoding ${name}, which this gateway does not support.`,
    );
  }

  #break(thrown: unknown): void {
    this.#cancellation.removeEventListener('abort', this);
    const error = describeFault(thrown, this.#cancellation);
    this.failed(error);
    this.#head.reject(error);
  }
}

/** The abort reason for undici; it is never shown. */
const abandoned = new Error('The call was cancelled.');

export interface UndiciTransport {
  /** Sends one request. It has no timeout of its own: `cancellation` brings the deadlines. */
  send(request: UpstreamRequest, cancellation: Cancellation): Promise<UpstreamReply>;
  close(): Promise<void>;
}

/** Upstream calls over undici. Redirects are not followed, since the credentials would go with them. */
export function createUndiciTransport(settings: ConnectionSettings): UndiciTransport {
  const connections = createConnections(settings);
  return {
    send: (request, cancellation) => new UndiciCall(request, cancellation, connections).start(),
    close: connections.close,
  };
}
