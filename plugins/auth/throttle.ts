import { writeBounded, type Services } from '../../core/index.ts';
import { readClientNetwork } from './client-network.ts';
import { createFailureCounter } from './failure-counter.ts';
import type { FailureRule } from './options.ts';

/** Blocked clients, and clients with a key that was good, that are remembered. */
const CAPACITY = 10_000;

/** Who guesses keys, by the address of the request. A digest is undefined where what was presented cannot be a key. */
export interface Throttle {
  /** Milliseconds for which this key is not looked at from this address; 0: it is. */
  blockedFor(address: string, digest: Buffer | undefined): number;
  accepted(address: string, digest: Buffer): void;
  /** Counts in the background: nobody waits for a store. */
  failed(address: string, digest: Buffer | undefined): void;
}

/** One character a byte. The digest, never the key: this outlives the request. The address as it is: good keys pay for nothing more. */
const pairOf = (address: string, digest: Buffer): string => `${address} ${digest.toString('latin1')}`;

/**
 * Blocks addresses that present wrong keys. A key that was good from a blocked address goes on from there, so that one broken client behind
 * a shared address does not shut out its neighbours. Who is blocked is known in this process alone, without asking: a block that another
 * process made is learnt at the address's next failure here.
 */
export const createThrottle = (rule: FailureRule, { clock, log, redis }: Pick<Services, 'clock' | 'log' | 'redis'>): Throttle => {
  const countFailure = createFailureCounter(rule, redis);
  const good = new Map<string, true>();
  const blockedUntil = new Map<string, number>();

  const block = (client: string, ms: number): void => {
    const now = clock.monotonic();
    if (now >= (blockedUntil.get(client) ?? 0)) log.warn({ address: client, ms }, 'too many wrong keys from an address; it is blocked');
    writeBounded(blockedUntil, CAPACITY, client, now + ms);
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
    blockedFor: (address, digest) => {
      if (blockedUntil.size === 0) return 0;
      const client = readClientNetwork(address);
      const until = blockedUntil.get(client);
      if (until === undefined) return 0;
      const left = until - clock.monotonic();
      if (left <= 0) blockedUntil.delete(client);
      return left <= 0 || (digest !== undefined && good.has(pairOf(address, digest))) ? 0 : left;
    },
    accepted: (address, digest) => {
      const pair = pairOf(address, digest);
      if (!good.has(pair)) writeBounded(good, CAPACITY, pair, true);
    },
    failed: (address, digest) => {
      const client = readClientNetwork(address);
      if (digest !== undefined) good.delete(pairOf(address, digest));
      void count(client);
    },
  };
};
