import { GatewayError, type Clock, type Exchange } from '../../core/index.ts';
import type { Calendar } from './calendar.ts';
import { createCharges } from './charges.ts';
import { fitEstimate } from './fit-estimate.ts';
import type { Guard } from './guard.ts';
import type { Place } from './meters.ts';
import type { Rule, RuleSet } from './rules.ts';
import type { Charge, Decision, LimitStore } from './store/store.ts';

/** What headers say while this host counts by itself. */
export const localMode = { 'x-koine-ratelimit-mode': 'local' } as const;

/** What was decided, and by whom: the store that took a reservation settles it, and no other. */
export interface Ruling {
  readonly decision: Decision;
  readonly rules: readonly Rule[];
  readonly charges: readonly Charge[];
  readonly store: LimitStore;
  readonly place: Place;
  /** The shared store is away. */
  readonly degraded: boolean;
}

/** @throws GatewayError 400 for what never fits, 503 `limits_unavailable` */
export type Decide = (exchange: Exchange, set: RuleSet) => Promise<Ruling>;

export interface DecideParts {
  /** undefined: there is no shared store. */
  readonly shared: Guard | undefined;
  readonly local: LimitStore;
  readonly calendar: Calendar;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly undeclaredOutput: number;
}

const RETRY_MS = 1_000;
const unavailable = (details: { readonly cause?: unknown; readonly headers?: typeof localMode }): GatewayError =>
  new GatewayError('limits_unavailable', undefined, { ...details, retryAfterMs: RETRY_MS });


/** Asks the shared store where there is one that answers; else this host decides. */
export const createDecide = ({ shared, local, calendar, clock, leaseMs, undeclaredOutput }: DecideParts): Decide => {
  const reserve = async (store: LimitStore, exchange: Exchange, { tenant }: RuleSet, rules: readonly Rule[], amounts: readonly number[]): Promise<Pick<Ruling, 'decision' | 'charges'>> => {
    const charges = createCharges(rules, amounts, calendar, clock.now());
    return { charges, decision: await store.reserve({ id: exchange.id, tenant, leaseMs, charges }) };
  };
  const decideHere = async (exchange: Exchange, set: RuleSet, rules: readonly Rule[], amounts: readonly number[]): Promise<Ruling> => {
    const degraded = shared !== undefined;
    try {
      return { ...(await reserve(local, exchange, set, rules, amounts)), rules, store: local, place: 'local', degraded };
    } catch (cause) {
      throw unavailable({ cause });
    }
  };
  /** A host's part may be smaller than what it is asked for: then all of it is taken. */
  const cut = (rules: readonly Rule[], { rules: whole }: RuleSet, amounts: readonly number[]): readonly number[] =>
    rules.map((rule) => Math.min(rule.bucket.limit, amounts[whole.findIndex(({ bucket }) => bucket.key === rule.bucket.key)] ?? 0));

  return async (exchange, set) => {
    const amounts = fitEstimate(exchange, set.rules, undeclaredOutput);
    if (shared === undefined) return decideHere(exchange, set, set.rules, amounts);
    if (!shared.open) {
      try {
        return { ...(await reserve(shared, exchange, set, set.rules, amounts)), rules: set.rules, store: shared, place: 'redis', degraded: false };
      } catch {
        // The guard has counted and logged it, and is open.
      }
    }
    if (set.deniedBy !== undefined) {
      set.deniedBy.meter.deny.local();
      throw unavailable({ headers: localMode });
    }
    return decideHere(exchange, set, set.outage, cut(set.outage, set, amounts));
  };
};
