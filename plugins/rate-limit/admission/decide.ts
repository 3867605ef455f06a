import { GatewayError, type Clock, type Exchange } from '../../../core/api/index.ts';
import type { StoreName, StoreOperation } from '../meters.ts';
import { endOf, type Calendar } from '../rules/calendar.ts';
import type { Rule, RuleSet } from '../rules/rule.ts';
import { BaselineStore, type ReadBaseline } from '../store/baseline-store.ts';
import type { GrantStore } from '../store/grants/grant-store.ts';
import type { Breaker } from '../store/breaker.ts';
import type { MemoryStore } from '../store/memory-store.ts';
import type { Charge, Debit, Decision, LimitStore, ReserveRequest, Spent } from '../store/store.ts';
import { addKnown, createCharges, type KnownSpending } from './charges.ts';

/** The response headers while this host counts alone. */
export const localMode = { 'x-koine-ratelimit-mode': 'local' } as const;

/** What is decided about: an exchange, or another request, which has no targets. */
export type LimitedExchange = Pick<Exchange, 'id' | 'estimate' | 'targets'>;

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

/** The end of an exchange. */
interface Settlement {
  readonly id: string;
  readonly tenant: string;
  /** Unix milliseconds. */
  readonly endedAt: number;
}

export interface DeciderParts {
  /** undefined: there is no shared store. */
  readonly shared: Breaker | undefined;
  /** Decides in place of the shared store, if `store.redis.grants` is on. */
  readonly grants?: GrantStore | undefined;
  /** The counts of this host. */
  readonly counts: Pick<MemoryStore, 'correct'>;
  /** The same, with the baselines of budgets. */
  readonly local: LimitStore;
  /** Called if the counts of this host fail. */
  readonly onFailure: (operation: StoreOperation, error: unknown) => void;
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

/** When the window of a state began: of the windows of its charge, the one that ends nearest to `end`. */
const startOf = (bounds: readonly number[], end: number): number => {
  let nearest = 1;
  for (let at = 2; at < bounds.length; at += 1)
    if (Math.abs((bounds[at] ?? 0) - end) < Math.abs((bounds[nearest] ?? 0) - end)) nearest = at;
  return bounds[nearest - 1] ?? 0;
};

const addFault = (request: ReserveRequest, { sinceFaultMs }: Breaker): ReserveRequest =>
  sinceFaultMs === undefined ? request : { ...request, sinceFaultMs };

/** Decides about requests in the shared store if it is available, and else on this host. */
export class Decider {
  /** Whether there is a store of all hosts. */
  readonly isShared: boolean;
  readonly #parts: DeciderParts;
  readonly #sharedWithBaselines: BaselineStore | undefined;

  constructor(parts: DeciderParts) {
    const { shared, grants, readBaseline, known } = parts;
    this.isShared = shared !== undefined;
    this.#parts = parts;
    this.#sharedWithBaselines = shared && new BaselineStore(grants ?? shared, readBaseline, known);
  }

  /**
   * Returns a promise only if the store does.
   * @param amounts to reserve, in the order of the rules
   * @throws GatewayError 503 `limits_unavailable`
   */
  decide(exchange: LimitedExchange, set: RuleSet, amounts: readonly number[]): Ruling | Promise<Ruling> {
    const { shared } = this.#parts;
    if (shared === undefined) return this.#decideLocally(exchange, set, set.rules, amounts);
    return shared.open
      ? this.#decideInOutage(exchange, set, amounts)
      : this.#decideShared(shared, exchange, set, amounts);
  }

  /**
   * Passes on what was spent of budgets: to the shared store what this host has admitted alone, and to this host what
   * the shared store has counted.
   * @param settled undefined: the store has not settled the reservation, or has lost it
   */
  share(
    { id, tenant, endedAt }: Settlement,
    ruling: Ruling,
    settled: readonly Spent[] | undefined,
    actual: readonly number[],
  ): void {
    const { shared, known, clock, leaseMs } = this.#parts;
    const { charges, degraded } = ruling;
    if (settled === undefined)
      return degraded ? undefined : this.#shareUnsettled({ id, tenant, endedAt }, ruling, actual);
    let budgets: Debit[] | undefined;
    for (const { charge: index, start, spent } of settled) {
      const { bucket, bounds = [], amount: reserved = 0 } = charges[index] ?? {};
      if (bucket?.account === undefined) continue;
      const { key } = bucket;
      if (!degraded) {
        known.noteSettled(tenant, key, start, spent, reserved, clock.now());
        continue;
      }
      const amount = actual[index] ?? 0;
      if (amount === 0) continue;
      known.add(tenant, key, start, amount);
      (budgets ??= []).push({ key, start, end: endOf(bounds, start), amount });
    }
    if (budgets !== undefined) void shared?.debit(tenant, id, { budgets, endedAt, leaseMs });
  }

  /** An exchange has ended that the shared store had admitted, and that it does not count now. */
  #shareUnsettled(
    { id, tenant, endedAt }: Settlement,
    { charges, decision: { states } }: Ruling,
    actual: readonly number[],
  ): void {
    const { shared, counts, known, clock, leaseMs, onFailure } = this.#parts;
    const [budgets, changes]: [Debit[], Debit[]] = [[], []];
    for (const [index, { bucket, bounds = [], amount: reserved }] of charges.entries()) {
      if (bucket.account === undefined) continue;
      const amount = actual[index] ?? 0;
      const start = startOf(bounds, clock.now() + (states[index]?.resetMs ?? 0));
      const debit = { key: bucket.key, start, end: endOf(bounds, start), amount };
      known.correct(tenant, bucket.key, start, amount - reserved);
      if (amount > 0) budgets.push(debit);
      if (amount !== reserved) changes.push({ ...debit, amount: amount - reserved });
    }
    if (budgets.length > 0) shared?.debitIfLost(tenant, id, { budgets, endedAt, leaseMs });
    if (changes.length === 0) return;
    try {
      counts.correct(tenant, changes);
    } catch (error) {
      // More than was spent stays counted until the outage is over.
      onFailure('correct', error);
    }
  }

  /** The store of a ruling has thrown at its settlement. */
  settlementFailed(error: unknown): void {
    this.#parts.onFailure('settle', error);
  }

  #decideLocally(
    exchange: LimitedExchange,
    { tenant }: RuleSet,
    rules: readonly Rule[],
    amounts: readonly number[],
  ): Ruling | Promise<Ruling> {
    const { shared, local, known, calendar, clock, leaseMs } = this.#parts;
    const own = createCharges(rules, amounts, calendar, clock.now(), exchange);
    const charges = shared === undefined ? own : addKnown(own, tenant, known);
    let decision: Decision | Promise<Decision>;
    try {
      const request = { id: exchange.id, tenant, leaseMs, charges };
      decision = local.reserve(shared === undefined ? request : addFault(request, shared));
    } catch (cause) {
      throw this.#localFailed(cause);
    }
    return decision instanceof Promise
      ? this.#awaitLocal(decision, rules, charges)
      : this.#ruleLocally(decision, rules, charges);
  }

  async #awaitLocal(decision: Promise<Decision>, rules: readonly Rule[], charges: readonly Charge[]): Promise<Ruling> {
    try {
      return this.#ruleLocally(await decision, rules, charges);
    } catch (cause) {
      throw this.#localFailed(cause);
    }
  }

  #localFailed(cause: unknown): GatewayError {
    this.#parts.onFailure('reserve', cause);
    return unavailable({ cause });
  }

  #ruleLocally(decision: Decision, rules: readonly Rule[], charges: readonly Charge[]): Ruling {
    const { shared, local } = this.#parts;
    return { decision, rules, charges, store: local, storeName: 'local', degraded: shared !== undefined };
  }

  /** What the shared store counts, with what is only reserved: in an outage others must not admit it again. */
  #note(tenant: string, charges: readonly Charge[], { states }: Decision): void {
    const { known, clock } = this.#parts;
    for (let at = 0; at < charges.length; at += 1) {
      const [charge, state] = [charges[at], states[at]];
      if (charge?.bucket.account === undefined || state?.spent === undefined) continue;
      const { bucket, bounds = [] } = charge;
      const now = clock.now();
      const reserved = Math.max(0, bucket.limit - state.remaining - state.spent);
      known.note(tenant, bucket.key, startOf(bounds, now + state.resetMs), state.spent, reserved, now);
    }
  }

  #decideInOutage(exchange: LimitedExchange, set: RuleSet, amounts: readonly number[]): Ruling | Promise<Ruling> {
    if (set.deniedBy !== undefined) {
      set.deniedBy.meter.deny.local(1);
      throw unavailable({ headers: localMode });
    }
    return this.#decideLocally(exchange, set, set.outage, cutToPart(set.outage, set, amounts));
  }

  #decideShared(
    shared: Breaker,
    exchange: LimitedExchange,
    set: RuleSet,
    amounts: readonly number[],
  ): Ruling | Promise<Ruling> {
    const { grants = shared, calendar, clock, leaseMs } = this.#parts;
    const { tenant, rules } = set;
    const charges = createCharges(rules, amounts, calendar, clock.now(), exchange);
    const rule = (decision: Decision): Ruling => {
      this.#note(tenant, charges, decision);
      return { decision, rules, charges, store: grants, storeName: 'redis', degraded: false };
    };
    const store = this.#sharedWithBaselines ?? shared;
    const decision = store.reserve(addFault({ id: exchange.id, tenant, leaseMs, charges }, shared));
    // Either the breaker has counted and logged the failure; or Redis has lost a budget, and the ledger is unavailable.
    return decision instanceof Promise
      ? decision.then(rule, () => this.#decideInOutage(exchange, set, amounts))
      : rule(decision);
  }
}
