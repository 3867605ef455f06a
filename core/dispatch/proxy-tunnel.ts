import type { Socket } from 'node:net';
import type { buildConnector as Connect, Pool as PoolType } from 'undici';
import { GatewayError } from '../errors/gateway-error.ts';
import type { FindProxy } from '../services/network/environment-proxy.ts';
import { describeFault } from './transport-fault.ts';
import { Pool, requestTunnel } from './undici.ts';

export interface TunnelParts {
  readonly find: FindProxy;
  /** Milliseconds for the connection to the proxy and its response. */
  readonly timeout: number;
  /** Connects to a proxy. */
  readonly toProxy: Connect.connector;
  /** Connects to a provider, or makes a connection through a proxy secure. */
  readonly toProvider: Connect.connector;
}

/** Connections, some of them through proxies. */
export interface Tunnels {
  readonly connector: Connect.connector;
  close(): Promise<void>;
}

const credentialsOf = ({ username, password }: URL): { readonly 'proxy-authorization'?: string } => {
  if (username === '') return {};
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(text).toString('base64')}` };
};

const unreachable = (proxy: URL, thrown: unknown): GatewayError => {
  const { code, message } = describeFault(thrown);
  return new GatewayError(
    code === 'upstream_tls' ? code : 'upstream_unreachable',
    `The proxy ${proxy.host} cannot be used: ${message}`,
    { cause: thrown },
  );
};

const refused = ({ host }: URL, status: number): GatewayError =>
  new GatewayError(
    'upstream_unreachable',
    `The proxy ${host} refused the connection with the status ${status}. ` +
      (status === 407
        ? 'Check the name and the password in its URL.'
        : 'Check that it allows CONNECT to the address of the provider.'),
  );

const hostOf = (hostname: string): string => (hostname.includes(':') ? `[${hostname}]` : hostname);

/**
 * Tunnels by CONNECT, also to providers without TLS. The pools of undici see one connection, so that reuse and the
 * retry on a stale connection work as without a proxy.
 */
export function createTunnels({ find, timeout, toProxy, toProvider }: TunnelParts): Tunnels {
  const pools = new Map<string, PoolType>();
  const poolOf = ({ origin }: URL): PoolType => {
    let pool = pools.get(origin);
    if (pool === undefined) {
      pool = new Pool(origin, { connect: toProxy, headersTimeout: timeout });
      pools.set(origin, pool);
    }
    return pool;
  };
  const open = (proxy: URL, address: string, done: (error: Error | null, socket?: Socket) => void): void => {
    const headers = { host: address, ...credentialsOf(proxy) };
    const options = { path: address, headers, signal: AbortSignal.timeout(timeout) };
    requestTunnel.call(poolOf(proxy), options, (error, data) => {
      if (error !== null) return done(unreachable(proxy, error));
      const socket = data.socket as Socket;
      if (data.statusCode === 200) return done(null, socket);
      socket.on('error', () => undefined).destroy();
      done(refused(proxy, data.statusCode));
    });
  };
  return {
    connector: (target, callback) => {
      const { protocol, hostname } = target;
      const port = Number(target.port) || (protocol === 'https:' ? 443 : 80);
      const proxy = find(protocol, hostname, port);
      if (proxy === undefined) return void toProvider(target, callback);
      open(proxy, `${hostOf(hostname)}:${port}`, (error, socket) => {
        if (error !== null || socket === undefined) callback(error ?? new Error('no connection'), null);
        else if (protocol === 'https:') toProvider({ ...target, httpSocket: socket }, callback);
        else callback(null, socket);
      });
    },
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}
