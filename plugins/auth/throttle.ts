import type { Services } from '../../core/api/index.ts';
import { setBounded } from '../../core/api/internal.ts';
import { readClientNetwork } from './client-network.ts';
import { createFailureCounter } from './failure-counter.ts';
import type { FailureRule } from './options.ts';

const MAX_BLOCKED = 10_000;
/** Concurrent lookups for one blocked client, so that its guesses do not flood a store that other clients need. */
const MAX_LOOKUPS = 4;

/** Counts wrong keys by client address, and blocks addresses that present too many. */
export interface Throttle {
  /** Milliseconds for which wrong keys from this address are refused with 429; 0: it is not blocked. */
  blockedFor(address: string): number;
  /** Runs the lookup of a key from a blocked address, with a limit on concurrent ones. */
  queueLookup<T>(address: string, lookUp: () => T | Promise<T>): Promise<T>;
  /** Counts a wrong key in the background: no request waits for a store. */
  failed(address: string): void;
}

interface Queue {
  running: number;
  readonly waiting: (() => void)[];
}

const createLookupQueues = (): Throttle['queueLookup'] => {
  const queues = new Map<string, Queue>();
  return async (address, lookUp) => {
    const client = readClientNetwork(address);
    const queue = queues.get(client) ?? { running: 0, waiting: [] };
    queues.set(client, queue);
    if (queue.running < MAX_LOOKUPS) queue.running += 1;
    else await new Promise<void>((resolve) => queue.waiting.push(resolve));
    try {
      return await lookUp();
    } finally {
      const next = queue.waiting.shift();
      if (next !== undefined) next();
      else if ((queue.running -= 1) === 0) queues.delete(client);
    }
  };
};

/**
 * Blocks addresses that present too many wrong keys: further wrong keys get 429. Every key is looked up first, so that
 * a broken client does not lock out others behind the same address. Blocks are kept in each thread: a block of another
 * one takes effect here with the next failure of the address.
 */
export function createThrottle(
  rule: FailureRule,
  services: Pick<Services, 'clock' | 'log' | 'redis' | 'sharedTable'>,
): Throttle {
  const { clock, log } = services;
  const countFailure = createFailureCounter(rule, services);
  const blockedUntil = new Map<string, number>();

  const block = (client: string, ms: number): void => {
    const now = clock.monotonic();
    if (now >= (blockedUntil.get(client) ?? 0))
      log.warn({ address: client, ms }, 'too many wrong keys from an address; blocking it');
    setBounded(blockedUntil, MAX_BLOCKED, client, now + ms);
  };

  const count = async (client: string): Promise<void> => {
    try {
      const ms = await countFailure(client);
      if (ms > 0) block(client, ms);
    } catch (error) {
      log.warn({ error }, 'a wrong key was not counted');
    }
  };

  return {
    blockedFor: (address) => {
      if (blockedUntil.size === 0) return 0;
      const client = readClientNetwork(address);
      const until = blockedUntil.get(client);
      if (until === undefined) return 0;
      const left = until - clock.monotonic();
      if (left <= 0) blockedUntil.delete(client);
      return Math.max(0, left);
    },
    queueLookup: createLookupQueues(),
    failed: (address) => void count(readClientNetwork(address)),
  };
}
