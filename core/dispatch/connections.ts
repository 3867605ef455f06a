import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { buildConnector as Connect, Client as ClientType, Dispatcher, Pool as PoolType } from 'undici';
import { GatewayError } from '../errors/gateway-error.ts';
import type { Resolve } from '../services/network/checked-lookup.ts';
import { createMetadataCheck } from '../services/network/metadata-address.ts';
import type { FindProxy } from '../services/network/environment-proxy.ts';
import { createTunnels, type Tunnels } from './proxy-tunnel.ts';
import { Agent, buildConnector, Client, Pool } from './undici.ts';

export interface ConnectionSettings {
  /** Milliseconds for name, connection and handshake together; with a proxy, for each of the two connections. */
  readonly connect: number;
  /** Replaces the name resolution of the system. */
  readonly resolve?: Resolve;
  /** Metadata hosts and addresses, where clouds serve credentials, that are allowed even so. */
  readonly allowMetadata?: readonly string[];
  /** Absent: all connections are direct. */
  readonly proxy?: FindProxy;
  /** Absent: the authorities that Node trusts, no certificate of its own, and the name in the address. */
  readonly tls?: { readonly context?: SecureContext; readonly serverName?: string };
}

/** The connection of one request. Passed to undici as `opaque`, and filled in when the request gets its connection. */
export interface Carrier {
  socket?: Socket;
  /** The connection served other requests before this one. */
  reused: boolean;
  /** Bytes that the connection had received before this request. */
  before: number;
}

/**
 * Whether the provider had closed a reused connection before the request reached it. No byte of a response has arrived,
 * so the provider has not begun to work on the request.
 */
export const wasStale = ({ socket, reused, before }: Carrier): boolean =>
  reused && socket !== undefined && socket.bytesRead === before;

export interface Connections {
  readonly shared: Dispatcher;
  /** A connection for one request, closed after its response. */
  open(origin: string): Dispatcher;
  close(): Promise<void>;
}

/** undici's own timeouts are off: each call has its deadlines, and undici's 300 s would cut long responses. */
const settings = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 15_000 } as const;

/**
 * A client that records the connection of each request in its {@link Carrier}. An undici client has one connection at a
 * time, with one request at a time: if it has one when a request is dispatched, that one is reused. undici can still
 * find it closed, and opens another.
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
    'The address of the provider is one at which a cloud hands out credentials, or its name has no address.',
  );

/** Never connects to a metadata address, whatever its name. The address that is checked is the one connected to. */
const createCheckedConnector = ({
  connect,
  resolve,
  allowMetadata = [],
  proxy,
  tls: { context, serverName } = {},
}: ConnectionSettings): Tunnels => {
  const { permits, lookup } = createMetadataCheck(allowMetadata, refused, resolve);
  const common = { timeout: connect, allowH2: false, lookup };
  const secure = buildConnector({ ...common, ...(context === undefined ? {} : { secureContext: context }) });
  const toProvider: Connect.connector =
    serverName === undefined ? secure : (target, callback) => secure({ ...target, servername: serverName }, callback);
  const { connector, close } =
    proxy === undefined
      ? { connector: toProvider, close: () => Promise.resolve() }
      : createTunnels({ find: proxy, timeout: connect, toProxy: buildConnector(common), toProvider });
  return {
    connector: (target, callback) => {
      if (permits(target.hostname)) connector(target, callback);
      else callback(refused(), null);
    },
    close,
  };
};

/** One pool per origin. HTTP/1.1 only: with one response per connection, a fault affects no other response. */
export function createConnections(given: ConnectionSettings): Connections {
  const { connector, close } = createCheckedConnector(given);
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
    close: async () => {
      await shared.destroy();
      await close();
    },
  };
}
