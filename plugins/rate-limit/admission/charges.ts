import type { Exchange } from '../../../core/api/index.ts';
import { setBounded } from '../../../core/api/internal.ts';
import { costKept } from './amounts.ts';
import type { Calendar } from '../rules/calendar.ts';
import type { Rule } from '../rules/rule.ts';
import type { Charge, Known } from '../store/store.ts';

/** Charges that take nothing, to read the state of the rules. @param now unix milliseconds */
export const createPeekCharges = (
  rules: readonly Pick<Rule, 'bucket' | 'limit'>[],
  calendar: Calendar,
  now: number,
): readonly Charge[] =>
  rules.map(({ bucket, limit: { per } }) => ({
    bucket,
    amount: 0,
    ...(typeof per === 'string' ? { bounds: calendar.bounds(per, now) } : {}),
  }));

/**
 * The charges of an exchange, one per rule.
 * @param amounts in the order of the rules
 * @param now unix milliseconds
 */
export function createCharges(
  rules: readonly Rule[],
  amounts: readonly number[],
  calendar: Calendar,
  now: number,
  exchange: Pick<Exchange, 'estimate' | 'targets'>,
): readonly Charge[] {
  const charges: Charge[] = [];
  let kept: number | undefined;
  for (let at = 0; at < rules.length; at += 1) {
    const rule = rules[at];
    if (rule === undefined) continue;
    const { bucket, charge, limit } = rule;
    const { per } = limit;
    const amount = amounts[at] ?? 0;
    if (charge !== undefined) charges.push(charge);
    else if (typeof per !== 'string') charges.push({ bucket, amount });
    else
      charges.push({
        bucket,
        amount,
        bounds: calendar.bounds(per, now),
        kept: Math.min(amount, (kept ??= costKept(exchange))),
      });
  }
  return charges;
}

/** Budgets of an organization whose spending is kept. */
const MAX_BUDGETS = 10_000;
const nothing: Known = { since: 0, amount: 0, alone: 0, countedAt: 0 };

interface Spending {
  since: number;
  amount: number;
  alone: number;
  countedAt: number;
  /** What the shared store had last counted, without what was only reserved. */
  spent: number;
  /** How many faults there had been when it changed last, and what the store had counted before the last of them. */
  faults: number;
  spentAtFault: number;
}

/**
 * The least that each budget has spent, by what this process has seen: what the shared store last counted, and what
 * this process has admitted alone since. It is there before the rows are in the ledger, and while the ledger is away.
 * Amounts are nano-dollars, times unix milliseconds.
 */
export class KnownSpending {
  readonly #byTenant = new Map<string, Map<string, Spending>>();
  #faults = 0;

  /** The shared store has had a fault. */
  noteFault(): void {
    this.#faults += 1;
  }

  /**
   * What the shared store counts.
   * @param since when the window began
   * @param reserved by requests of all gateways that have not ended
   */
  note(tenant: string, key: string, since: number, spent: number, reserved: number, now: number): void {
    const known = this.#change(tenant, key, since);
    known.spent = spent;
    known.amount = spent + reserved;
    known.alone = 0;
    known.countedAt = now;
  }

  /** The shared store has settled a reservation. What others have reserved is as it was. */
  noteSettled(tenant: string, key: string, since: number, spent: number, settled: number, now: number): void {
    const { amount, spent: before } = this.#change(tenant, key, since);
    this.note(tenant, key, since, spent, Math.max(0, amount - before - settled), now);
  }

  /** An exchange has cost less or more than it had reserved in the shared store, which has not settled it. */
  correct(tenant: string, key: string, since: number, change: number): void {
    const known = this.#change(tenant, key, since);
    known.amount = Math.max(known.spent, known.amount + change);
  }

  /** What this process has admitted alone. */
  add(tenant: string, key: string, since: number, amount: number): void {
    this.#change(tenant, key, since).alone += amount;
  }

  of(tenant: string, key: string): Known {
    return this.#byTenant.get(tenant)?.get(key) ?? nothing;
  }

  /** What the shared store had counted as spent in a window before its last fault. */
  atFault(tenant: string, key: string, since: number): number {
    const known = this.#byTenant.get(tenant)?.get(key);
    if (known?.since !== since) return 0;
    return known.faults === this.#faults ? known.spentAtFault : known.spent;
  }

  #change(tenant: string, key: string, since: number): Spending {
    const known = this.#byTenant.get(tenant)?.get(key);
    if (known?.since !== since) {
      const ofTenant = this.#byTenant.get(tenant) ?? new Map<string, Spending>();
      this.#byTenant.set(tenant, ofTenant);
      const begun = { since, amount: 0, alone: 0, countedAt: 0, spent: 0, faults: this.#faults, spentAtFault: 0 };
      setBounded(ofTenant, MAX_BUDGETS, key, begun);
      return begun;
    }
    if (known.faults !== this.#faults) [known.faults, known.spentAtFault] = [this.#faults, known.spent];
    return known;
  }
}

/** Adds to the charges of budgets what is known of them, for a host that counts alone. */
export const addKnown = (charges: readonly Charge[], tenant: string, known: KnownSpending): readonly Charge[] =>
  charges.map((charge) =>
    charge.bucket.account === undefined ? charge : { ...charge, known: known.of(tenant, charge.bucket.key) },
  );
