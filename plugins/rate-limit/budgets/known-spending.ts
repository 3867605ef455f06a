import { setBounded } from '../../../core/api/internal.ts';
import type { Baseline } from '../store/store.ts';

/** Budgets of an organization whose spending is kept. */
const MAX_BUDGETS = 10_000;
const nothing: Baseline = { since: 0, amount: 0 };

interface Known extends Baseline {
  /** The number of faults when it changed last, and the amount at the last of them. */
  readonly faults: number;
  readonly amountAtFault: number;
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

  /** What the shared store counts. @param since when the window began, in unix milliseconds. @param amount nano-dollars */
  note(tenant: string, key: string, since: number, amount: number): void {
    let known = this.#byTenant.get(tenant);
    if (known === undefined) {
      known = new Map();
      this.#byTenant.set(tenant, known);
    }
    const { amount: amountAtFault } = this.atFault(tenant, key, since);
    setBounded(known, MAX_BUDGETS, key, { since, amount, faults: this.#faults, amountAtFault });
  }

  /** What this host has admitted alone. */
  add(tenant: string, key: string, since: number, amount: number): void {
    const known = this.of(tenant, key);
    this.note(tenant, key, since, amount + (known.since === since ? known.amount : 0));
  }

  of(tenant: string, key: string): Baseline {
    return this.#byTenant.get(tenant)?.get(key) ?? nothing;
  }

  /** What was known of a window at the last fault. */
  atFault(tenant: string, key: string, since: number): Baseline {
    const known = this.#byTenant.get(tenant)?.get(key);
    if (known?.since !== since) return nothing;
    return known.faults === this.#faults ? { since, amount: known.amountAtFault } : known;
  }
}
