import type { Socket } from 'node:net';
import { Cluster, Redis, type ClusterNode, type ClusterOptions, type Command, type RedisOptions } from 'ioredis';
import { GatewayError } from '../../errors/gateway-error.ts';

/** Factor on the timeout while Redis responds to other commands. */
const BUSY = 5;

/** Options of one connection. */
export type ConnectionOptions = Omit<RedisOptions, 'replyMapping'>;

const STREAM = Symbol('stream');

/**
 * When the certificate of a server is refused, Node reports that error, and a second one when the alert of the server
 * arrives. ioredis listens to the first alone, and an error without a listener ends the process. This covers the
 * connections that ioredis opens by itself as well: to Sentinels, and to nodes of a cluster.
 */
Object.defineProperty(Redis.prototype, 'stream', {
  get(this: { readonly [STREAM]?: Socket }) {
    return this[STREAM];
  },
  set(this: { [STREAM]?: Socket }, stream: Socket) {
    this[STREAM] = stream.on('error', () => {});
  },
});

/** A timer that is later than this: the process was busy, and could neither send nor read. */
const LATE_MS = 50;

interface WithSocketTimeout {
  readonly stream: Socket;
  readonly options: { readonly socketTimeout?: number };
  readonly commandQueue: { readonly length: number };
  socketTimeoutTimer: NodeJS.Timeout | undefined;
}

/** Replaces the connection of a silent server. What waits in the socket of a process that was busy is read first. */
function setSocketTimeout(this: WithSocketTimeout): void {
  const { stream, options } = this;
  const timeoutMs = options.socketTimeout ?? 0;
  const dueAt = performance.now() + timeoutMs;
  const timer = setTimeout(() => {
    const isLate = performance.now() - dueAt > LATE_MS;
    setImmediate(() => {
      if (this.socketTimeoutTimer !== timer) return;
      this.socketTimeoutTimer = undefined;
      stream.off('data', onData);
      if (isLate) setSocketTimeout.call(this);
      else stream.destroy(new Error(`Socket timeout. Expecting data, but didn't receive any in ${timeoutMs}ms.`));
    });
  }, timeoutMs);
  this.socketTimeoutTimer = timer;
  const onData = (): void => {
    clearTimeout(this.socketTimeoutTimer);
    this.socketTimeoutTimer = undefined;
    if (this.commandQueue.length > 0) setSocketTimeout.call(this);
  };
  // After the listener of ioredis, which takes the commands that are answered from the queue.
  stream.once('data', onData);
}

/** The timeout of ioredis is a plain timer: a process that was busy for that long would lose all of its connections. */
Object.defineProperty(Redis.prototype, 'setSocketTimeout', { value: setSocketTimeout });

/** When a server last responded, in monotonic milliseconds. */
interface Replies {
  at: number;
}

/**
 * Rejects the command with `failure: 'timeout'` if its server is silent for `timeoutMs`. The timeout of ioredis also
 * fires if Redis is working through many commands, or if this process was too busy to read the responses: neither is an
 * outage. Here responses to earlier commands extend the wait, and data in the socket is read first.
 */
const limitWait = (command: Command, replies: Replies, timeoutMs: number): void => {
  let sentAt = performance.now();
  let silentSince = sentAt;
  let dueAt = sentAt + timeoutMs;
  const expire = (): void => {
    // While this process was busy, nothing was sent: the server may have been silent for no longer than since then.
    const now = performance.now();
    const late = now - dueAt;
    if (late > LATE_MS) {
      silentSince = now;
      sentAt += late;
    }
    setImmediate(check);
  };
  const check = (): void => {
    const left = Math.min(Math.max(silentSince, replies.at) + timeoutMs, sentAt + timeoutMs * BUSY) - performance.now();
    if (left > 0) {
      dueAt = performance.now() + left;
      timer = setTimeout(expire, left);
    } else command.reject(new GatewayError('internal_error', 'Command timed out', { failure: 'timeout' }));
  };
  let timer = setTimeout(expire, timeoutMs);
  const stop = (): void => clearTimeout(timer);
  const onReply = (): void => {
    replies.at = performance.now();
    clearTimeout(timer);
  };
  command.promise.then(onReply, stop);
};

/** A client of one Redis whose commands fail if it is silent for `timeoutMs`. */
export class RedisClient extends Redis {
  readonly #replies: Replies = { at: 0 };
  /** Set by `openRedis`. */
  timeoutMs = 100;
  /** Connections that end with this one. */
  watchers: readonly Redis[] = [];
  /** Whether it was closed; otherwise it reconnects, whatever happens. */
  isClosed = false;

  override disconnect(reconnect = false): void {
    if (!reconnect) {
      this.isClosed = true;
      for (const watcher of this.watchers) watcher.disconnect();
    }
    super.disconnect(reconnect);
  }

  override sendCommand(command: Command, stream?: Parameters<Redis['sendCommand']>[1]): unknown {
    limitWait(command, this.#replies, this.timeoutMs);
    return super.sendCommand(command, stream);
  }
}

/**
 * A client of a Redis Cluster whose commands fail at once while the cluster is not known, and if the node of their slot
 * is silent for `timeoutMs`. Those for a node that is being connected wait for it.
 */
export class ClusterClient extends Cluster {
  readonly #replies = new Map<string, Replies>();
  readonly #timeoutMs: number;

  constructor(
    nodes: ClusterNode[],
    options: Omit<ClusterOptions, 'redisOptions'> & { readonly redisOptions: ConnectionOptions },
    timeoutMs: number,
  ) {
    super(nodes, options);
    this.#timeoutMs = timeoutMs;
  }

  override sendCommand(...[command, stream, node]: Parameters<Cluster['sendCommand']>): unknown {
    limitWait(command, this.#repliesOf(command), this.#timeoutMs);
    if (this.status === 'ready') return super.sendCommand(command, stream, node);
    command.reject(new Error('The Redis Cluster is not connected'));
    return command.promise;
  }

  /** The responses of one node say nothing about another. */
  #repliesOf(command: Command): Replies {
    const [key = ''] = this.slots[command.getSlot()] ?? [];
    const known = this.#replies.get(key);
    if (known !== undefined) return known;
    const replies = { at: 0 };
    this.#replies.set(key, replies);
    return replies;
  }
}
