import { parentPort, workerData } from 'node:worker_threads';
import { Arena, EMPTY, TOP } from '../../../../core/services/shared-memory/arena.ts';
import { MemoryStore } from '../../../../plugins/rate-limit/store/memory-store.ts';
import { calendar, leases, tokenBucket, window } from './charges.ts';

// A thread that counts in a memory of limits.

export interface Job {
  readonly shards: readonly SharedArrayBuffer[];
  readonly worker: number;
  /** Of requests. */
  readonly limit: number;
  readonly tries: number;
  /** It keeps what it reserves, and ends within a change of the first shard. */
  readonly hold: boolean;
}

export interface Result {
  readonly admitted: number;
}

const { shards, worker, limit, tries, hold } = workerData as Job;
const clock = { now: () => Date.UTC(2026, 0, 15), monotonic: () => 5_000 };
const store = new MemoryStore(clock, shards, { worker, aheadMs: 0 });
const charges = hold
  ? [window('requests', limit, 1, 3_600_000), leases('places', 5)]
  : [
      window('requests', limit, 1, 3_600_000),
      tokenBucket('tokens', 1_000_000, 3, 1, 1e12),
      calendar('money', 1_000_000, 3, [0, 1, 1e15, 2e15]),
      leases('places', 8),
    ];

const send = (message: unknown): void =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is not a window
  parentPort?.postMessage(message);

let admitted = 0;
for (let index = 0; index < tries; index += 1) {
  const id = `${worker}-${index}`;
  if (!store.reserve({ id, tenant: 'acme', leaseMs: 60_000, charges }).admitted) continue;
  admitted += 1;
  if (!hold) store.settle('acme', id, [1, 2, 2, 0]);
}
send({ admitted } satisfies Result);

if (hold) {
  const [shard] = shards;
  if (shard === undefined) throw new Error('It has no memory.');
  const arena = new Arena(shard, worker + 1, 2_000);
  arena.enter(5_000);
  const end = new Float64Array(shard)[TOP] ?? 0;
  for (let at = EMPTY + 1_024; at < end; at += 1) arena.put(at, 1e9);
  send('within a change');
  for (;;);
}
