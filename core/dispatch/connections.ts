import type { Socket } from 'node:net';
import type { buildConnector as Connect, Client as ClientType, Dispatcher, Pool as PoolType } from 'undici';
import { GatewayError } from '../errors/gateway-error.ts';
import type { Resolve } from '../services/network/checked-lookup.ts';
import { createMetadataGuard } from '../services/network/metadata-address.ts';
import { Agent, buildConnector, Client, Pool } from './undici.ts';

export interface ConnectionSettings {
  /** Milliseconds for name, connection and handshake together. */
  readonly connect: number;
  /** How names are resolved, where not by the system. */
  readonly resolve?: Resolve;
  /** Hosts and addresses that may be connected to although a cloud hands out credentials there. */
  readonly allowMetadata?: readonly string[];
}

/** The connection of one request: travels with it as its `opaque`, and is filled in when the request is given to a connection. */
export interface Carrier {
  socket?: Socket;
  /** It served other requests before this one. */
  reused: boolean;
  /** Bytes it had received before. */
  before: number;
}

/** The provider may have closed the connection while this request was on its way to it: nothing of an answer has come, so nothing was begun. */
export const wasStale = ({ socket, reused, before }: Carrier): boolean =>
  reused && socket !== undefined && socket.bytesRead === before;

export interface Connections {
  readonly shared: Dispatcher;
  /** A connection for one request, closed after its answer. */
  open(origin: string): Dispatcher;
  close(): Promise<void>;
}

/** Deadlines are those of each call: undici's own of 300 s would cut long ones, and are a second late. */
const settings = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 15_000 } as const;

/**
 * A client is one connection after the other, with one request at a time: whether it has a connection when it is given a request tells whether
 * that is a used one. undici may still find it closed, and makes another.
 */
const createClient = (origin: string | URL, options: ClientType.Options, connector: Connect.connector): ClientType => {
  let socket: Socket | undefined;
  let carrier: Carrier | undefined;
  const client = new Client(origin, {
    ...options,
    connect: (target, callback) =>
      connector(target, (...result) => {
        socket = result[1] ?? undefined;
        if (carrier !== undefined && socket !== undefined) {
          carrier.socket = socket;
          carrier.reused = false;
        }
        callback(...result);
      }),
  });
  const dispatch = client.dispatch.bind(client);
  client.dispatch = (request: Dispatcher.RequestOptions<Carrier>, handler) => {
    carrier = request.opaque ?? undefined;
    if (carrier !== undefined && socket !== undefined && !socket.destroyed) {
      carrier.socket = socket;
      carrier.reused = true;
      carrier.before = socket.bytesRead;
    }
    return dispatch(request, handler);
  };
  return client;
};

const refused = (): GatewayError =>
  new GatewayError(
    'upstream_unreachable',
    'The address of the provider is one at which a cloud hands out credentials, or there is none.',
  );

/** Connects to no address at which a cloud hands out credentials, by whatever name. What is checked is what is connected to. */
const createGuardedConnector = ({ connect, resolve, allowMetadata = [] }: ConnectionSettings): Connect.connector => {
  const { permits, lookup } = createMetadataGuard(allowMetadata, refused, resolve);
  const connector = buildConnector({ timeout: connect, allowH2: false, lookup });
  return (target, callback) => {
    if (permits(target.hostname)) connector(target, callback);
    else callback(refused(), null);
  };
};

/** One pool per origin. HTTP/1.1 only: an answer has its connection to itself, so that the fault of one is never the fault of others. */
export function createConnections(given: ConnectionSettings): Connections {
  const connector = createGuardedConnector(given);
  const shared = new Agent({
    ...settings,
    connect: connector,
    factory: (origin, pool: PoolType.Options) =>
      new Pool(origin, {
        ...pool,
        factory: (url, options: ClientType.Options) => createClient(url, options, connector),
      }),
  });
  return {
    shared,
    open: (origin) => new Client(origin, { ...settings, connect: connector }),
    close: () => shared.destroy(),
  };
}
