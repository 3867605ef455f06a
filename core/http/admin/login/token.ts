import { hash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import type { Clock } from '../../../contracts/services.ts';
import { GatewayError } from '../../../errors/gateway-error.ts';
import { setBounded } from '../../../services/bounded-map.ts';

const MAX_FAILURES = 20;
const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;

export interface TokenCheck {
  /**
   * Whether it is the token. The right token is accepted regardless of how many wrong ones came from its address.
   * @throws GatewayError `rate_limit_exceeded` for a wrong token after 20 within a minute from the same address
   */
  accepts(given: string, address: string): boolean;
}

/** The token of the header `Authorization: Bearer`; empty without one. */
export const readBearer = (context: Context): string => context.get('authorization').replace(/^bearer +/i, '');

const digest = (text: string): Uint8Array => hash('sha256', text, 'buffer');

/** Compares in constant time, and counts wrong tokens by address. */
export function createTokenCheck(token: string, { monotonic }: Pick<Clock, 'monotonic'>): TokenCheck {
  const expected = digest(token);
  const failures = new Map<string, { readonly count: number; readonly endsAt: number }>();
  return {
    accepts: (given, address) => {
      // A request without a token is not a guess.
      if (given === '') return false;
      if (timingSafeEqual(digest(given), expected)) return true;
      const now = monotonic();
      const last = failures.get(address);
      const known = last !== undefined && last.endsAt > now ? last : { count: 0, endsAt: now + WINDOW_MS };
      if (known.count >= MAX_FAILURES) {
        throw new GatewayError(
          'rate_limit_exceeded',
          'Too many wrong tokens came from this address; try again in a minute.',
          { retryAfterMs: known.endsAt - now },
        );
      }
      setBounded(failures, MAX_ADDRESSES, address, { ...known, count: known.count + 1 });
      return false;
    },
  };
}
