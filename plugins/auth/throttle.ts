import { setBounded, type Services } from '../../core/index.ts';
import { readClientNetwork } from './client-network.ts';
import { createFailureCounter } from './failure-counter.ts';
import type { FailureRule } from './options.ts';

/** Blocked clients that are remembered. */
const CAPACITY = 10_000;
/** Keys of one blocked client that are looked up at the same time: its guesses do not flood a store that others wait for. */
const MOST_LOOKUPS = 4;

/** Counts wrong keys by the address of the request, and answers them otherwise once there are too many. A good key is never refused for it. */
export interface Throttle {
  /** Milliseconds for which wrong keys from this address are refused with 429; 0: it is not blocked. */
  blockedFor(address: string): number;
  /** Runs the look-up of a key from a blocked address, a few at a time for each address. */
  inTurn<T>(address: string, lookUp: () => T | Promise<T>): Promise<T>;
  /** Counts in the background: no request waits for a store. */
  failed(address: string): void;
}

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

const createLines = (): Throttle['inTurn'] => {
  const lines = new Map<string, Line>();
  return async (address, lookUp) => {
    const client = readClientNetwork(address);
    const line = lines.get(client) ?? { running: 0, waiting: [] };
    lines.set(client, line);
    if (line.running < MOST_LOOKUPS) line.running += 1;
    else await new Promise<void>((resolve) => line.waiting.push(resolve));
    try {
      return await lookUp();
    } finally {
      const next = line.waiting.shift();
      if (next !== undefined) next();
      else if ((line.running -= 1) === 0) lines.delete(client);
    }
  };
};

/**
 * Blocks addresses that present too many wrong keys: further wrong keys from there are refused with 429. Whether a key is good is looked up first,
 * so that one broken client behind a shared address shuts out no neighbour. A block is known in this process alone: one that another process made
 * is learnt at the address's next failure here.
 */
export function createThrottle(
  rule: FailureRule,
  { clock, log, redis }: Pick<Services, 'clock' | 'log' | 'redis'>,
): Throttle {
  const countFailure = createFailureCounter(rule, redis);
  const blockedUntil = new Map<string, number>();

  const block = (client: string, ms: number): void => {
    const now = clock.monotonic();
    if (now >= (blockedUntil.get(client) ?? 0))
      log.warn({ address: client, ms }, 'too many wrong keys from an address; it is blocked');
    setBounded(blockedUntil, CAPACITY, client, now + ms);
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
    inTurn: createLines(),
    failed: (address) => void count(readClientNetwork(address)),
  };
}
