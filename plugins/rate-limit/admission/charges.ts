import type { Exchange } from '../../../core/api/index.ts';
import { setBounded } from '../../../core/api/internal.ts';
import { costKept } from './amounts.ts';
import type { Calendar } from '../rules/calendar.ts';
import type { Rule } from '../rules/rule.ts';
import type { Baseline, Charge } from '../store/store.ts';

/** Charges that take nothing, to read the state of the rules. @param now unix milliseconds */
export const createPeekCharges = (rules: readonly Rule[], calendar: Calendar, now: number): readonly Charge[] =>
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
    const {
      bucket,
      charge,
      limit: { per },
    } = rule;
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
const nothing: Baseline = { since: 0, amount: 0 };

interface Known {
  since: number;
  amount: number;
  /** How many faults there had been when it changed last, and the amount at the last of them. */
  faults: number;
  amountAtFault: number;
}

/**
 * The least that each budget has spent, by what this process has seen: what the shared store last counted, and what
 * this host has admitted alone since. It is there before the rows are in the ledger, and while the ledger is away.
 */
export class KnownSpending {
  readonly #byTenant = new Map<string, Map<string, Known>>();
  #faults = 0;

  /** The shared store has had a fault. */
  noteFault(): void {
    this.#faults += 1;
  }

  /**
   * What the shared store counts.
   * @param since when the window began, in unix milliseconds
   * @param amount nano-dollars
   */
  note(tenant: string, key: string, since: number, amount: number): void {
    const known = this.#byTenant.get(tenant)?.get(key);
    if (known?.since !== since)
      return this.#keep(tenant, key, { since, amount, faults: this.#faults, amountAtFault: 0 });
    if (known.faults !== this.#faults) [known.faults, known.amountAtFault] = [this.#faults, known.amount];
    known.amount = amount;
  }

  /** What this host has admitted alone. */
  add(tenant: string, key: string, since: number, amount: number): void {
    const known = this.of(tenant, key);
    this.note(tenant, key, since, amount + (known.since === since ? known.amount : 0));
  }

  of(tenant: string, key: string): Baseline {
    return this.#byTenant.get(tenant)?.get(key) ?? nothing;
  }

  /** What was known of a window at the last fault, in nano-dollars. */
  atFault(tenant: string, key: string, since: number): number {
    const known = this.#byTenant.get(tenant)?.get(key);
    if (known?.since !== since) return 0;
    return known.faults === this.#faults ? known.amountAtFault : known.amount;
  }

  #keep(tenant: string, key: string, known: Known): void {
    const ofTenant = this.#byTenant.get(tenant) ?? new Map<string, Known>();
    this.#byTenant.set(tenant, ofTenant);
    setBounded(ofTenant, MAX_BUDGETS, key, known);
  }
}

/** Adds to the charges of budgets what is known of them, for a host that counts alone. */
export const addKnown = (charges: readonly Charge[], tenant: string, known: KnownSpending): readonly Charge[] =>
  charges.map((charge) =>
    charge.bucket.account === undefined ? charge : { ...charge, known: known.of(tenant, charge.bucket.key) },
  );
