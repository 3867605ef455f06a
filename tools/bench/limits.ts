import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { openRedis } from '../../core/services/redis/redis.ts';
import { createRedisStore } from '../../plugins/rate-limit/store/redis-store.ts';
import type { Bucket, Charge, LimitStore } from '../../plugins/rate-limit/store/store.ts';
import { MemoryStore } from '../../plugins/rate-limit/store/memory-store.ts';
import { startRedis } from '../../test/support/servers/redis.ts';
import { describeLatency } from './measure/statistics.ts';

// `npm run bench:limits`: sequential pairs of reservation and settlement over five buckets of three scopes. BENCH_PAIRS
// sets their number.
const PAIRS = Number(process.env['BENCH_PAIRS'] ?? 20_000);
const DAY = 86_400_000;

const now = Date.now();
const bucket = (key: string, kind: Bucket['kind'], per = 60_000): Bucket => ({
  key,
  kind,
  limit: 1e12,
  per,
  rate: 0,
  enforce: true,
});
const charges: readonly Charge[] = [
  { bucket: bucket('key/acme/web/alice/requests/60000', 'window'), amount: 1, kept: 1 },
  { bucket: bucket('key/acme/web/alice/tokens/60000', 'window'), amount: 1_500 },
  { bucket: bucket('project/acme/web/tokens/60000', 'window'), amount: 1_500 },
  {
    bucket: bucket('organization/acme/cost/month', 'calendar'),
    amount: 12_345_678,
    bounds: [now - 45 * DAY, now - 15 * DAY, now + 15 * DAY, now + 45 * DAY],
  },
  { bucket: bucket('organization/acme/concurrent', 'leases'), amount: 1 },
];
const used = [1, 700, 700, 5_000_000, 0];

const row = (cells: readonly string[]): string =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(24) : cell.padStart(12))).join('');
const print = (name: string, samples: readonly number[]): void => {
  const { p50, p99 } = describeLatency(samples);
  console.log(row([name, (p50 * 1_000).toFixed(1), (p99 * 1_000).toFixed(1)]));
};

/** `settle` begins when `reserve` has answered. Without an await where the store answers at once. */
const measure = async (name: string, store: LimitStore): Promise<void> => {
  const both: number[] = [];
  for (let index = -PAIRS / 10; index < PAIRS; index += 1) {
    const id = `bench-${index}`;
    const startedAt = performance.now();
    const decision = store.reserve({ id, tenant: 'acme', leaseMs: 30_000, charges });
    if (decision instanceof Promise) await decision;
    const settled = store.settle('acme', id, used);
    if (settled instanceof Promise) await settled;
    if (index >= 0) both.push(performance.now() - startedAt);
  }
  print(name, both);
};

console.log(
  `node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${PAIRS} pairs ` +
    `over ${charges.length} buckets, microseconds`,
);
console.log(row(['', 'p50', 'p99']));
await measure('in process', new MemoryStore({ now: () => Date.now(), monotonic: () => performance.now() }));

const server = await startRedis();
const silent = (): void => {};
const redis = openRedis(server.url, { info: silent, warn: silent, error: silent });
await delay(300);
const pings: number[] = [];
for (let index = 0; index < PAIRS; index += 1) {
  const startedAt = performance.now();
  await redis.ping();
  await redis.ping();
  pings.push(performance.now() - startedAt);
}
print('two pings of Redis', pings);
await measure('in Redis', createRedisStore(redis));
await redis.close();
await server.stop();
