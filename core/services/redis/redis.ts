import type { Log, Redis, RedisScript } from '../../contracts/services.ts';
import { RedisClient } from './client.ts';

const CONNECT_MS = 500;
/** A connection that answers nothing for so long is given up for a new one: behind it may be a machine that is gone. */
const SILENCE_MS = 1_000;
/** How soon a lost connection is tried again, at most. */
const RECONNECT_MS = 500;
/** How long a connection that is given up may take to say goodbye. */
const GOODBYE_MS = 500;

export interface RedisConnection extends Redis {
  /** Ends at once what is under way. */
  close(): Promise<void>;
}

/** ioredis tells with an error which command it was, with all its words: the password of the greeting among them. None of that belongs into a log. */
const withoutWords = (error: unknown): never => {
  if (error instanceof Error) Reflect.deleteProperty(error, 'command');
  throw error;
};

/**
 * One connection that never makes a request wait: no command is queued while there is none, none is sent again, and none is waited for
 * longer than `patienceMs` while Redis is silent. A Redis that comes back, or comes up later, is found by itself.
 * @param url `redis://` or `rediss://`
 */
export function openRedis(url: string, log: Log, patienceMs = 100): RedisConnection {
  const client = new RedisClient(url, {
    connectTimeout: CONNECT_MS,
    socketTimeout: Math.max(SILENCE_MS, patienceMs * 2),
    disconnectTimeout: GOODBYE_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (times) => Math.min(RECONNECT_MS, times * 50),
    // A replica that was the primary before a failover: the next connection may lead to the new one.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  client.patienceMs = patienceMs;
  let connected: boolean | undefined;
  const note = (now: boolean, error?: Error): void => {
    if (connected === now) return;
    connected = now;
    if (now) log.info({}, 'connected to Redis');
    else log.warn({ error: error?.message }, 'Redis cannot be reached');
  };
  client.on('ready', () => note(true)).on('error', (error: Error) => note(false, error));
  const scripts = new Map<string, RedisScript>();
  return {
    client,
    script: (name, lua) => {
      const known = scripts.get(name);
      if (known !== undefined) return known;
      client.defineCommand(name, { lua });
      const command = Reflect.get(client, name) as (
        count: number,
        ...words: readonly (string | number)[]
      ) => Promise<unknown>;
      const script: RedisScript = (keys, args) =>
        command.call(client, keys.length, ...keys, ...args).catch(withoutWords);
      scripts.set(name, script);
      return script;
    },
    ping: async () => {
      await client.ping().catch(withoutWords);
    },
    close: async () => {
      const { stream } = client;
      client.disconnect();
      // Between two tries there is none, and nothing that would say that it has ended.
      if (stream?.closed === false) await new Promise((resolve) => stream.once('close', resolve));
    },
  };
}
