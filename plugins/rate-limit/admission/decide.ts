import { GatewayError, type Clock, type Exchange } from '../../../core/index.ts';
import type { Calendar } from '../rules/calendar.ts';
import { createCharges } from './charges.ts';
import { fitEstimate } from './fit-estimate.ts';
import type { Guard } from '../store/guard.ts';
import type { Place } from '../meters.ts';
import type { Rule, RuleSet } from '../rules/rules.ts';
import { createBaselineStore, type ReadBaseline } from '../store/baseline-store.ts';
import type { Charge, Decision, LimitStore } from '../store/store.ts';

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

/** Without a promise where the store answers without one. @throws GatewayError 400 for what never fits, 503 `limits_unavailable` */
export type Decide = (exchange: Exchange, set: RuleSet) => Ruling | Promise<Ruling>;

export interface DecideParts {
  /** undefined: there is no shared store. */
  readonly shared: Guard | undefined;
  readonly local: LimitStore;
  readonly readBaseline: ReadBaseline;
  readonly calendar: Calendar;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly undeclaredOutput: number;
}

const RETRY_MS = 1_000;
const unavailable = (details: { readonly cause?: unknown; readonly headers?: typeof localMode }): GatewayError =>
  new GatewayError('limits_unavailable', undefined, { ...details, retryAfterMs: RETRY_MS });

/** A host's part may be smaller than what it is asked for: then all of it is taken. */
const cutToPart = (rules: readonly Rule[], { rules: whole }: RuleSet, amounts: readonly number[]): readonly number[] =>
  rules.map((rule) =>
    Math.min(rule.bucket.limit, amounts[whole.findIndex(({ bucket }) => bucket.key === rule.bucket.key)] ?? 0),
  );

/** Asks the shared store where there is one that answers; else this host decides. */
export function createDecide({
  shared,
  local,
  readBaseline,
  calendar,
  clock,
  leaseMs,
  undeclaredOutput,
}: DecideParts): Decide {
  const opened = shared && createBaselineStore(shared, readBaseline);

  const ruleHere = (decision: Decision, rules: readonly Rule[], charges: readonly Charge[]): Ruling => ({
    decision,
    rules,
    charges,
    store: local,
    place: 'local',
    degraded: shared !== undefined,
  });
  const ruleLater = async (
    decision: Promise<Decision>,
    rules: readonly Rule[],
    charges: readonly Charge[],
  ): Promise<Ruling> => {
    try {
      return ruleHere(await decision, rules, charges);
    } catch (cause) {
      throw unavailable({ cause });
    }
  };
  const decideHere = (
    exchange: Exchange,
    { tenant }: RuleSet,
    rules: readonly Rule[],
    amounts: readonly number[],
  ): Ruling | Promise<Ruling> => {
    const charges = createCharges(rules, amounts, calendar, clock.now(), exchange);
    let decision: Decision | Promise<Decision>;
    try {
      decision = local.reserve({ id: exchange.id, tenant, leaseMs, charges });
    } catch (cause) {
      throw unavailable({ cause });
    }
    return decision instanceof Promise ? ruleLater(decision, rules, charges) : ruleHere(decision, rules, charges);
  };

  const decideWithout = (exchange: Exchange, set: RuleSet, amounts: readonly number[]): Ruling | Promise<Ruling> => {
    if (set.deniedBy !== undefined) {
      set.deniedBy.meter.deny.local(1);
      throw unavailable({ headers: localMode });
    }
    return decideHere(exchange, set, set.outage, cutToPart(set.outage, set, amounts));
  };

  const decideShared = async (
    guard: Guard,
    store: LimitStore,
    exchange: Exchange,
    set: RuleSet,
    amounts: readonly number[],
  ): Promise<Ruling> => {
    const { tenant, rules } = set;
    const charges = createCharges(rules, amounts, calendar, clock.now(), exchange);
    try {
      const decision = await store.reserve({ id: exchange.id, tenant, leaseMs, charges });
      return { decision, rules, charges, store: guard, place: 'redis', degraded: false };
    } catch {
      // The guard has counted and logged it, and is open; or nobody can say what a budget has spent already, which Redis has forgotten.
      return decideWithout(exchange, set, amounts);
    }
  };

  return (exchange, set) => {
    const amounts = fitEstimate(exchange, set, undeclaredOutput);
    if (shared === undefined || opened === undefined) return decideHere(exchange, set, set.rules, amounts);
    return shared.open ? decideWithout(exchange, set, amounts) : decideShared(shared, opened, exchange, set, amounts);
  };
}
