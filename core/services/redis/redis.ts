import { Command, type Redis as Node } from 'ioredis';
import type { Log, Redis, RedisScript } from '../../contracts/services.ts';
import { ClusterClient, type RedisClient } from './client.ts';
import { connectRedis } from './connect.ts';
import { describeProblem } from './describe-problem.ts';
import type { RedisConfig } from './redis-config.ts';

/** Keys of so many slots that nearly every cluster has some of them on another node. */
const PROBED_KEYS = Array.from({ length: 16 }, (_, index) => `koine:probe:${index}`);

/** What ioredis reports of a command whose connection has failed. */
const UNSPECIFIC = 'Connection is closed.';
const CLOSED = /ECONNRESET|EPIPE/;

/** How often a Redis that refuses commands is probed. */
const PROBE_MS = 5_000;
/** How long a start waits for Redis at most. */
const OPEN_MS = 500;

type Client = RedisClient | ClusterClient;

export interface RedisConnection extends Redis {
  /** Why Redis cannot be used now, and what to do about it; undefined if it can. */
  readonly problem: string | undefined;
  /** Resolves with the first connection, with the first failure, or after half a second. */
  readonly opened: Promise<void>;
  /** Closes the connection; commands in flight fail. */
  close(): Promise<void>;
}

/**
 * Removes the command from an error of ioredis: its arguments include the password of the handshake, which must not be
 * logged.
 */
const withoutCommand = (error: unknown): never => {
  if (error instanceof Error) Reflect.deleteProperty(error, 'command');
  throw error;
};

/** Logs when the connection is lost and made again, and each reason once in between. */
class ConnectionState {
  readonly #log: Log;
  readonly #logged = new Set<string>();
  readonly #away = new Set<string>();
  #connected: boolean | undefined;
  readonly opened = Promise.withResolvers<void>();
  problem: string | undefined = 'not connected yet';

  constructor(log: Log) {
    this.#log = log;
    setTimeout(this.opened.resolve, OPEN_MS).unref();
  }

  connect(): void {
    this.opened.resolve();
    this.accept();
    if (this.#connected !== true) this.#log.info({}, 'connected to Redis');
    this.#connected = true;
  }

  fail(error: Error): void {
    this.#connected = false;
    this.#report(error, 'Redis cannot be reached');
  }

  /** It responds, but is not what the settings say. */
  reject(error: Error): void {
    this.#report(error, 'Redis cannot be used');
  }

  accept(): void {
    this.problem = undefined;
    this.#logged.clear();
  }

  /** A node of a cluster is away. Its replica takes over, if it has one. */
  lack(node: string, error: Error): void {
    if (this.#away.has(node)) return;
    this.#away.add(node);
    this.#log.warn({ node, error: describeProblem(error) }, 'a node of the Redis Cluster cannot be reached');
  }

  regain(node: string): void {
    if (this.#away.delete(node)) this.#log.info({ node }, 'a node of the Redis Cluster is back');
  }

  #report(error: Error, text: string): void {
    this.opened.resolve();
    const problem = describeProblem(error);
    // It follows other reasons, and says less.
    if (problem === UNSPECIFIC && this.#logged.size > 0) return;
    this.problem = problem;
    if (this.#logged.has(this.problem)) return;
    this.#logged.add(this.problem);
    this.#log.warn({ error: this.problem }, text);
  }
}

/**
 * Reads keys of many slots. A node of a cluster, a replica or a user without permissions accepts the connection, and
 * then refuses commands.
 */
function probe(client: Client, state: ConnectionState): void {
  Promise.all(PROBED_KEYS.map((key) => client.exists(key))).then(
    () => state.accept(),
    (error: Error) => {
      if (error.name !== 'ReplyError' && !/redirections/.test(error.message)) return;
      state.reject(error);
      setTimeout(() => probe(client, state), PROBE_MS).unref();
    },
  );
}

/** One address: a single Redis, or the primary that Sentinels name. */
function watchClient(client: RedisClient, state: ConnectionState): void {
  let opening = false;
  const fail = (error: Error): void => {
    // A server that expects TLS closes a connection without it, before or after it has reset it.
    state.fail(opening && CLOSED.test(error.message) ? new Error('Redis closed the connection') : error);
    opening = false;
  };
  client
    .on('connect', () => (opening = true))
    .on('ready', () => {
      opening = false;
      state.connect();
      probe(client, state);
    })
    .on('error', fail)
    .on('sentinelError', fail)
    .on('close', () => {
      if (opening) fail(new Error('ECONNRESET'));
    });
}

const nameOf = ({ options: { host, port } }: Node): string => `${host}:${port}`;

/** A cluster responds while one of its nodes does not: from then on, the nodes are logged one by one. */
function watchCluster(client: ClusterClient, state: ConnectionState): void {
  let connected = false;
  const update = (): void => {
    const primaries = client.nodes('master');
    if (connected || client.status !== 'ready' || primaries.length === 0) return;
    if (primaries.some(({ status }) => status !== 'ready')) return;
    connected = true;
    state.connect();
    probe(client, state);
  };
  client
    .on('ready', update)
    .on('-node', update)
    .on('close', () => (connected = false))
    .on('error', (error: Error) => state.fail(error))
    .on('node error', (error: Error, node: string) => {
      if (connected) state.lack(node, error);
      else state.fail(error);
    })
    .on('+node', (node: Node) => {
      node.on('ready', () => {
        state.regain(nameOf(node));
        update();
      });
    });
}

/** Pings the Redis, or every primary of the cluster. */
const pingAll = async (client: Client): Promise<void> => {
  const primaries = client instanceof ClusterClient ? client.nodes('master') : [];
  if (primaries.length === 0) await client.ping();
  else await Promise.all(primaries.map((redis) => client.sendCommand(new Command('ping'), undefined, { redis })));
};

/** Resolves when no socket is left. */
const closeClient = async (client: Client): Promise<void> => {
  const nodes = client instanceof ClusterClient ? client.nodes() : [client];
  // Between two attempts there is no stream that would report its end.
  const streams = nodes.flatMap(({ stream }) => (stream?.closed === false ? [stream] : []));
  client.disconnect();
  await Promise.all(streams.map((stream) => new Promise((resolve) => stream.once('close', resolve))));
};

/**
 * Opens a connection that never delays a request: no command is queued while disconnected, none is sent again, and none
 * waits longer than `timeoutMs` while Redis is silent. It reconnects by itself, and the first connection can come
 * later. Of a cluster, commands whose slot is being moved wait for the end of the move, up to `timeoutMs`.
 * @param redis a URL, or the settings
 */
export function openRedis(redis: string | RedisConfig, log: Log, timeoutMs = 100): RedisConnection {
  const client = connectRedis(typeof redis === 'string' ? { url: redis } : redis, timeoutMs);
  const state = new ConnectionState(log);
  if (client instanceof ClusterClient) watchCluster(client, state);
  else watchClient(client, state);
  const scripts = new Map<string, RedisScript>();
  return {
    client,
    grants: typeof redis !== 'string' && redis.grants === 'on',
    get problem() {
      return state.problem;
    },
    opened: state.opened.promise,
    script: (name, lua) => {
      const known = scripts.get(name);
      if (known !== undefined) return known;
      client.defineCommand(name, { lua });
      const command = Reflect.get(client, name) as (
        count: number,
        ...words: readonly (string | number)[]
      ) => Promise<unknown>;
      const script: RedisScript = (keys, args) =>
        command.call(client, keys.length, ...keys, ...args).catch(withoutCommand);
      scripts.set(name, script);
      return script;
    },
    ping: () => pingAll(client).catch(withoutCommand),
    close: () => closeClient(client),
  };
}
