import { hash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../contracts/services.ts';
import { GatewayError } from '../../errors.ts';
import { writeBounded } from '../../tenancy/bounded-map.ts';

const MOST_FAILURES = 20;
const WINDOW_MS = 60_000;
const MOST_ADDRESSES = 10_000;

/** What is shown as the admin token, and by whom. */
export interface TokenDoor {
  /**
   * Is it the token? Who was wrong too often is not even heard.
   * @throws GatewayError `rate_limit_exceeded`
   */
  accepts(given: string, address: string): boolean;
}

const digest = (text: string): Uint8Array => hash('sha256', text, 'buffer');

/** Compares in constant time. Of one address 20 wrong tokens a minute are heard. */
export const createTokenDoor = (token: string, { monotonic }: Pick<Clock, 'monotonic'>): TokenDoor => {
  const expected = digest(token);
  const failures = new Map<string, { readonly count: number; readonly endsAt: number }>();
  return {
    accepts: (given, address) => {
      // Who shows nothing has not tried to guess.
      if (given === '') return false;
      const now = monotonic();
      const last = failures.get(address);
      const known = last !== undefined && last.endsAt > now ? last : { count: 0, endsAt: now + WINDOW_MS };
      if (known.count >= MOST_FAILURES) {
        throw new GatewayError('rate_limit_exceeded', 'Too many wrong admin tokens came from this address; try again in a minute.', { retryAfterMs: known.endsAt - now });
      }
      if (timingSafeEqual(digest(given), expected)) return true;
      writeBounded(failures, MOST_ADDRESSES, address, { ...known, count: known.count + 1 });
      return false;
    },
  };
};
