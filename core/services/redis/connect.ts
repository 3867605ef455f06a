import type { ConnectionOptions as TlsOptions } from 'node:tls';
import { Redis, type SentinelAddress } from 'ioredis';
import type { ClientTls } from '../network/client-tls.ts';
import { ClusterClient, RedisClient, type ConnectionOptions } from './client.ts';
import type { RedisConfig } from './redis-config.ts';

const CONNECT_MS = 500;
/** A connection that is silent for this long is replaced: the machine behind it can be gone. */
const SILENCE_MS = 1_000;
/** Maximum delay between reconnects. */
const RECONNECT_MS = 500;
/** How long a connection can take to close. */
const DISCONNECT_MS = 500;
const REDIS_PORT = 6379;
const SENTINEL_PORT = 26379;
const SWITCHED = '+switch-master';
/** A script whose slot is being moved, or has no primary, is sent again this often. */
const MOVING_MS = 25;
/** Responses that lead a command to another node of a cluster, beside those of a slot that is being moved. */
const REDIRECTIONS = 16;

const reconnectDelay = (times: number): number => Math.min(RECONNECT_MS, times * 50);

/** @param address `host:port`; an IPv6 address has brackets */
const parseHost = (address: string, defaultPort: number): { readonly host: string; readonly port: number } => {
  const [, host = address, port] = /^(.*?)(?::(\d+))?$/.exec(address) ?? [];
  return { host: host.replace(/^\[|\]$/g, ''), port: port === undefined ? defaultPort : Number(port) };
};

const tlsOptions = ({ ca, cert, key, serverName }: ClientTls): TlsOptions => ({
  ...(ca === undefined ? {} : { ca }),
  ...(cert === undefined || key === undefined ? {} : { cert, key }),
  ...(serverName === undefined ? {} : { servername: serverName }),
});

/** No command is queued while disconnected, and none is sent again: it could have been executed. */
const connectionOptions = ({ username, password, tls }: RedisConfig, timeoutMs: number): ConnectionOptions => ({
  connectTimeout: CONNECT_MS,
  socketTimeout: Math.max(SILENCE_MS, timeoutMs * 2),
  disconnectTimeout: DISCONNECT_MS,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  retryStrategy: reconnectDelay,
  // A former primary after a failover: reconnecting can lead to the new one.
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
  ...(username === undefined ? {} : { username }),
  ...(password === undefined ? {} : { password }),
  ...(tls === undefined ? {} : { tls: tlsOptions(tls) }),
});

/**
 * Nodes are used under the names that they announce, so that their certificates can be verified by name. All are
 * connected at once: no request waits for the first connection to a node, nor for that to a replica after a failover.
 */
function connectCluster(hosts: readonly string[], config: RedisConfig, timeoutMs: number): ClusterClient {
  const { enableOfflineQueue: _queue, retryStrategy: _retry, ...redisOptions } = connectionOptions(config, timeoutMs);
  const client = new ClusterClient(
    hosts.map((host) => parseHost(host, REDIS_PORT)),
    {
      redisOptions,
      lazyConnect: true,
      enableReadyCheck: false,
      clusterRetryStrategy: reconnectDelay,
      dnsLookup: (name, found) => found(null, name),
      slotsRefreshTimeout: CONNECT_MS,
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: MOVING_MS,
      retryDelayOnTryAgain: MOVING_MS,
      maxRedirections: REDIRECTIONS + Math.ceil(timeoutMs / MOVING_MS),
    },
    timeoutMs,
  );
  client.on('+node', (node: Redis) => void node.connect().catch(() => {}));
  void client.connect().catch(() => {});
  return client;
}

/**
 * Reconnects when a Sentinel reports another primary. The old one can still be reachable, and would otherwise be used
 * until it takes no writes. A Sentinel that is away is no error.
 */
function followSentinels(client: RedisClient, sentinels: readonly SentinelAddress[], options: ConnectionOptions): void {
  client.watchers = sentinels.map((sentinel) => {
    const watcher = new Redis({ ...options, ...sentinel });
    const subscribe = (): void => void watcher.subscribe(SWITCHED).catch(() => {});
    return watcher
      .on('error', () => {})
      .on('ready', subscribe)
      .on('message', (_channel: string, text: string) => {
        if (text.startsWith(`${client.options.name} `)) client.disconnect(true);
      });
  });
}

function connectSentinel(
  { hosts, name, username, password }: NonNullable<RedisConfig['sentinel']>,
  config: RedisConfig,
  timeoutMs: number,
): RedisClient {
  const sentinels = hosts.map((host) => parseHost(host, SENTINEL_PORT));
  const options = connectionOptions(config, timeoutMs);
  const client = new RedisClient({
    ...options,
    sentinels,
    name,
    sentinelRetryStrategy: reconnectDelay,
    sentinelCommandTimeout: CONNECT_MS,
    ...(username === undefined ? {} : { sentinelUsername: username }),
    ...(password === undefined ? {} : { sentinelPassword: password }),
    ...(options.tls === undefined ? {} : { sentinelTLS: options.tls, enableTLSForSentinelMode: true }),
  });
  followSentinels(client, sentinels, {
    connectTimeout: CONNECT_MS,
    retryStrategy: () => SILENCE_MS,
    enableReadyCheck: false,
    autoResubscribe: false,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(options.tls === undefined ? {} : { tls: options.tls }),
  });
  return client;
}

/** Creates the client of `store.redis`, which connects and reconnects by itself. */
export function connectRedis(config: RedisConfig, timeoutMs: number): RedisClient | ClusterClient {
  const { url, cluster, sentinel } = config;
  if (cluster !== undefined) return connectCluster(cluster, config, timeoutMs);
  const client =
    sentinel === undefined
      ? new RedisClient(url ?? '', connectionOptions(config, timeoutMs))
      : connectSentinel(sentinel, config, timeoutMs);
  client.timeoutMs = timeoutMs;
  // ioredis gives up if it is disconnected while it asks a Sentinel.
  client.on('end', () => {
    const connect = (): unknown => (client.isClosed ? undefined : client.connect().catch(() => {}));
    setTimeout(connect, reconnectDelay(1));
  });
  return client;
}
