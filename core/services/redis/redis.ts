import type { Log, Redis, RedisScript } from '../../contracts/services.ts';
import { RedisClient } from './client.ts';

const CONNECT_MS = 500;
/** A connection that is silent for this long is replaced: the machine behind it can be gone. */
const SILENCE_MS = 1_000;
/** Maximum delay between reconnects. */
const RECONNECT_MS = 500;
/** How long a connection can take to close. */
const DISCONNECT_MS = 500;

export interface RedisConnection extends Redis {
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

/**
 * Opens a connection that never delays a request: no command is queued while disconnected, none is sent again, and none
 * waits longer than `timeoutMs` while Redis is silent. It reconnects by itself, and the first connection can come
 * later.
 * @param url `redis://` or `rediss://`
 */
export function openRedis(url: string, log: Log, timeoutMs = 100): RedisConnection {
  const client = new RedisClient(url, {
    connectTimeout: CONNECT_MS,
    socketTimeout: Math.max(SILENCE_MS, timeoutMs * 2),
    disconnectTimeout: DISCONNECT_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (times) => Math.min(RECONNECT_MS, times * 50),
    // A former primary after a failover: reconnecting can lead to the new one.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  client.timeoutMs = timeoutMs;
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
        command.call(client, keys.length, ...keys, ...args).catch(withoutCommand);
      scripts.set(name, script);
      return script;
    },
    ping: async () => {
      await client.ping().catch(withoutCommand);
    },
    close: async () => {
      const { stream } = client;
      client.disconnect();
      // Between two attempts there is no stream that would report its end.
      if (stream?.closed === false) await new Promise((resolve) => stream.once('close', resolve));
    },
  };
}
