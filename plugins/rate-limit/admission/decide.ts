import { GatewayError, type Clock, type Exchange } from '../../../core/api/index.ts';
import type { StoreName } from '../meters.ts';
import type { Calendar } from '../rules/calendar.ts';
import type { Rule, RuleSet } from '../rules/rule.ts';
import { BaselineStore, type ReadBaseline } from '../store/baseline-store.ts';
import type { GrantStore } from '../store/grants/grant-store.ts';
import type { Guard } from '../store/guard.ts';
import type { Charge, Debit, Decision, LimitStore, ReserveRequest, Spent } from '../store/store.ts';
import { addKnown, createCharges, type KnownSpending } from './charges.ts';

/** The response headers while this host counts alone. */
export const localMode = { 'x-koine-ratelimit-mode': 'local' } as const;

/** What is decided about: an exchange, or another request, which has no targets. */
export type Subject = Pick<Exchange, 'id' | 'estimate' | 'targets'>;

/** A decision with the store that made it. That store settles the reservation, and no other. */
export interface Ruling {
  readonly decision: Decision;
  readonly rules: readonly Rule[];
  readonly charges: readonly Charge[];
  readonly store: LimitStore;
  readonly storeName: StoreName;
  /** The shared store is not available. */
  readonly degraded: boolean;
}

export interface DeciderParts {
  /** undefined: there is no shared store. */
  readonly shared: Guard | undefined;
  /** Decides in place of the shared store, if `store.redis.grants` is on. */
  readonly grants?: GrantStore | undefined;
  readonly local: LimitStore;
  readonly readBaseline: ReadBaseline;
  readonly known: KnownSpending;
  readonly calendar: Calendar;
  readonly clock: Clock;
  readonly leaseMs: number;
}

const RETRY_MS = 1_000;
const unavailable = (details: { readonly cause?: unknown; readonly headers?: typeof localMode }): GatewayError =>
  new GatewayError('limits_unavailable', undefined, { ...details, retryAfterMs: RETRY_MS });

/** A request can need more than the part of a limit that one host has: then it takes all of that part. */
const cutToPart = (rules: readonly Rule[], { rules: whole }: RuleSet, amounts: readonly number[]): readonly number[] =>
  rules.map((rule) =>
    Math.min(rule.bucket.limit, amounts[whole.findIndex(({ bucket }) => bucket.key === rule.bucket.key)] ?? 0),
  );

const addFault = (request: ReserveRequest, { sinceFaultMs }: Guard): ReserveRequest =>
  sinceFaultMs === undefined ? request : { ...request, sinceFaultMs };

/** Decides about requests in the shared store if it is available, and else on this host. */
export class Decider {
  /** Whether there is a store of all hosts. */
  readonly isShared: boolean;
  private readonly parts: DeciderParts;
  private readonly sharedWithBaselines: BaselineStore | undefined;

  constructor(parts: DeciderParts) {
    const { shared, grants, readBaseline, known } = parts;
    this.isShared = shared !== undefined;
    this.parts = parts;
    this.sharedWithBaselines = shared && new BaselineStore(grants ?? shared, readBaseline, known);
  }

  /**
   * Returns a promise only if the store does.
   * @param amounts to reserve, in the order of the rules
   * @throws GatewayError 503 `limits_unavailable`
   */
  decide(subject: Subject, set: RuleSet, amounts: readonly number[]): Ruling | Promise<Ruling> {
    const { shared } = this.parts;
    if (shared === undefined) return this.decideLocally(subject, set, set.rules, amounts);
    return shared.open ? this.decideInOutage(subject, set, amounts) : this.decideShared(shared, subject, set, amounts);
  }

  /**
   * Passes on what was spent of budgets: to the shared store what this host has admitted alone, and to this host what
   * the shared store has counted.
   */
  share(
    { id, tenant, endedAt }: { readonly id: string; readonly tenant: string; readonly endedAt: number },
    { charges, degraded }: Ruling,
    settled: readonly Spent[],
    actual: readonly number[],
  ): void {
    const { shared, known } = this.parts;
    let debits: Debit[] | undefined;
    for (const { charge: index, start, spent } of settled) {
      const { bucket, bounds = [] } = charges[index] ?? {};
      if (bucket?.account === undefined) continue;
      const { key } = bucket;
      if (!degraded) {
        known.note(tenant, key, start, spent);
        continue;
      }
      const amount = actual[index] ?? 0;
      if (amount === 0) continue;
      known.add(tenant, key, start, amount);
      (debits ??= []).push({ key, start, end: bounds.find((bound) => bound > start) ?? start, amount });
    }
    if (debits !== undefined) void shared?.debit(tenant, id, debits, endedAt);
  }

  private decideLocally(
    subject: Subject,
    { tenant }: RuleSet,
    rules: readonly Rule[],
    amounts: readonly number[],
  ): Ruling | Promise<Ruling> {
    const { shared, local, known, calendar, clock, leaseMs } = this.parts;
    const own = createCharges(rules, amounts, calendar, clock.now(), subject);
    const charges = shared === undefined ? own : addKnown(own, tenant, known);
    let decision: Decision | Promise<Decision>;
    try {
      const request = { id: subject.id, tenant, leaseMs, charges };
      decision = local.reserve(shared === undefined ? request : addFault(request, shared));
    } catch (cause) {
      throw unavailable({ cause });
    }
    return decision instanceof Promise
      ? this.awaitLocal(decision, rules, charges)
      : this.ruleLocally(decision, rules, charges);
  }

  private async awaitLocal(
    decision: Promise<Decision>,
    rules: readonly Rule[],
    charges: readonly Charge[],
  ): Promise<Ruling> {
    try {
      return this.ruleLocally(await decision, rules, charges);
    } catch (cause) {
      throw unavailable({ cause });
    }
  }

  private ruleLocally(decision: Decision, rules: readonly Rule[], charges: readonly Charge[]): Ruling {
    const { shared, local } = this.parts;
    return { decision, rules, charges, store: local, storeName: 'local', degraded: shared !== undefined };
  }

  private decideInOutage(subject: Subject, set: RuleSet, amounts: readonly number[]): Ruling | Promise<Ruling> {
    if (set.deniedBy !== undefined) {
      set.deniedBy.meter.deny.local(1);
      throw unavailable({ headers: localMode });
    }
    return this.decideLocally(subject, set, set.outage, cutToPart(set.outage, set, amounts));
  }

  private decideShared(
    shared: Guard,
    subject: Subject,
    set: RuleSet,
    amounts: readonly number[],
  ): Ruling | Promise<Ruling> {
    const { grants = shared, calendar, clock, leaseMs } = this.parts;
    const { tenant, rules } = set;
    const charges = createCharges(rules, amounts, calendar, clock.now(), subject);
    const rule = (decision: Decision): Ruling => ({
      decision,
      rules,
      charges,
      store: grants,
      storeName: 'redis',
      degraded: false,
    });
    const store = this.sharedWithBaselines ?? shared;
    const decision = store.reserve(addFault({ id: subject.id, tenant, leaseMs, charges }, shared));
    // Either the guard has counted and logged the failure; or Redis has lost a budget, and the ledger does not respond.
    return decision instanceof Promise
      ? decision.then(rule, () => this.decideInOutage(subject, set, amounts))
      : rule(decision);
  }
}
