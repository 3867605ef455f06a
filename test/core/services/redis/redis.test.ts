import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Redis } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import { createRedisStore } from '../../../../plugins/rate-limit/store/redis-store.ts';
import { quiet } from '../../../plugins/rate-limit/store/stores.ts';
import { openRedis, type RedisConnection } from '../../../../core/services/redis/redis.ts';
import { startProxy } from '../../../limits/support/proxy.ts';
import { requireRedis, startRedis, type RedisServer } from '../../../support/servers/redis.ts';

/** What ioredis says at once, without a wait for a response. */
const unconnected = "Stream isn't writeable";

interface Line {
  readonly fields: object;
  readonly text: string;
}

describe('the Redis connection', function suite() {
  let server: RedisServer;
  let lines: Line[];
  const opened: RedisConnection[] = [];
  const open = (url = server.url, timeoutMs?: number): RedisConnection => {
    lines = [];
    const note = (fields: object, text: string): void => void lines.push({ fields, text });
    const redis = openRedis(url, { info: note, warn: note, error: note }, timeoutMs);
    opened.push(redis);
    return redis;
  };
  const answered = async (ask: () => Promise<unknown>): Promise<void> => {
    const startedAt = performance.now();
    for (;;) {
      try {
        await ask();
        return;
      } catch (error) {
        if (performance.now() - startedAt > 30_000) throw error;
        await delay(10);
      }
    }
  };
  const refused = async (ask: () => Promise<unknown>): Promise<{ readonly ms: number; readonly error: Error }> => {
    const startedAt = performance.now();
    try {
      await ask();
    } catch (error) {
      return { ms: performance.now() - startedAt, error: error as Error };
    }
    throw new Error('This was to be refused.');
  };

  before(async function startServer() {
    requireRedis(this);
    server = await startRedis();
  });
  afterEach(async () => {
    for (const redis of opened.splice(0)) await redis.close();
    await server?.restart();
  });
  after(() => server?.stop());

  it('runs a script by its digest, and sends it again when Redis has lost it', async () => {
    const redis = open();
    const script = redis.script('koineTest', 'return {KEYS[1], ARGV[1]}');
    await answered(() => script(['a'], [1]));
    await (redis.client as { script(word: string): Promise<unknown> }).script('FLUSH');
    const answers = await Promise.all([1, 2, 3].map((word) => script(['a'], [word])));
    expect(answers).to.deep.equal([
      ['a', '1'],
      ['a', '2'],
      ['a', '3'],
    ]);
  });

  it('rejects at once while there is no Redis, and connects when one starts', async () => {
    await server.kill();
    const redis = open();
    expect((await refused(() => redis.ping())).error.message).to.include(unconnected);
    await delay(1_000);
    expect((await refused(() => redis.ping())).error.message).to.include(unconnected);
    await server.restart();
    await answered(() => redis.ping());
    expect(lines.map(({ text }) => text)).to.deep.equal(['Redis cannot be reached', 'connected to Redis']);
  });

  it('is opened by its first connection, by its first failure, and after half a second of silence', async () => {
    const redis = open();
    await redis.opened;
    await redis.ping();
    await server.kill();
    const refusing = open();
    await refusing.opened;
    expect(lines.map(({ text }) => text)).to.deep.equal(['Redis cannot be reached']);
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const waiting = open(`redis://127.0.0.1:${(silent.address() as AddressInfo).port}`, 10_000);
    await waiting.opened;
    expect(waiting.problem).to.not.equal(undefined);
    await server.restart();
    silent.close();
  });

  it('waits 100 ms for a Redis that hangs, and continues when it recovers', async () => {
    const redis = open();
    await answered(() => redis.ping());
    for (const stuckMs of [0, 2_500]) {
      server.pause();
      const { ms, error } = await refused(() => redis.ping());
      expect(error).to.include({ message: 'Command timed out', failure: 'timeout' });
      expect(ms).to.be.at.least(95);
      await delay(stuckMs);
      server.resume();
      await answered(() => redis.ping());
    }
  });

  it('accepts a response that arrived while this process was too busy to read it', async () => {
    const redis = open();
    await answered(() => redis.ping());
    const ping = redis.ping();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    await ping;
  });

  it('waits anew for a Redis 50 ms away after this process was too busy to send to it', async () => {
    const proxy = await startProxy(server.port, 25);
    const redis = open(proxy.url, 300);
    try {
      await answered(() => redis.ping());
      const ping = redis.ping();
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800);
      await ping;
    } finally {
      await redis.close();
      await proxy.stop();
    }
  });

  it('a process that is always too busy gives up a Redis that hangs', async () => {
    const redis = open();
    await answered(() => redis.ping());
    server.pause();
    const busy = setInterval(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250), 0);
    try {
      expect((await refused(() => redis.ping())).error).to.include({ failure: 'timeout' });
    } finally {
      clearInterval(busy);
      server.resume();
    }
  });

  it('waits longer for a Redis that responds to another command first', async () => {
    const timeoutMs = 3_000;
    const redis = open(server.url, timeoutMs);
    await answered(() => redis.ping());
    // Each blocks the connection for more than half of the timeout.
    const block = () => (redis.client as Redis).blpop('nothing', 1.8);
    const began = performance.now();
    expect(await Promise.all([block(), block()])).to.deep.equal([null, null]);
    expect(performance.now() - began).to.be.above(timeoutMs);
  });

  it('rejects commands in flight when Redis dies, and does not send them again', async () => {
    const redis = open();
    const count = redis.script('koineCount', "return redis.call('INCR', KEYS[1])");
    await answered(() => redis.ping());
    server.pause();
    const outcome = refused(() => count(['a'], []));
    await server.kill();
    expect((await outcome).error).to.be.instanceOf(Error);
    await server.restart();
    await answered(() => redis.ping());
    expect(await count(['a'], [])).to.equal(1);
  });

  it('never reveals its password in the log or in an error', async () => {
    const locked = await startRedis('--requirepass', 'right');
    try {
      const redis = open(locked.url.replace('//', '//:wrong-secret@'));
      await answered(async () => {
        if (lines.length === 0) throw new Error('nothing logged yet');
      });
      const { error } = await refused(() => redis.ping());
      const reported = JSON.stringify([lines, { ...error }, String(error)]);
      expect(reported).to.include('WRONGPASS');
      expect(reported).to.not.include('wrong-secret');
    } finally {
      await locked.stop();
    }
  });

  it('needs no more permissions than those of the documentation', async () => {
    const rules = ['on', '>acl-secret', '~koine:*', '+@all', '-@dangerous', '+info'];
    const locked = await startRedis('--user', 'koine', ...rules);
    try {
      const redis = openRedis({ url: locked.url, username: 'koine', password: 'acl-secret' }, quiet, 2_000);
      opened.push(redis);
      await answered(() => createRedisStore(redis).peek('acme', []) as Promise<unknown>);
      await delay(100);
      expect(redis.problem).to.equal(undefined);
    } finally {
      await locked.stop();
    }
  });

  it('the Redis connection closes in every state', async () => {
    const connected = open();
    await answered(() => connected.ping());
    await connected.close();
    const connecting = open();
    await connecting.close();
    const stuck = open();
    await answered(() => stuck.ping());
    server.pause();
    const waiting = refused(() => stuck.ping());
    await stuck.close();
    await waiting;
    server.resume();
    await server.kill();
    const reconnecting = open();
    await delay(200);
    await reconnecting.close();
    expect((await refused(() => reconnecting.ping())).error).to.be.instanceOf(Error);
  });
});
