import type { Account, Charge, ReserveRequest, Unopened } from './store/store.ts';
import type { BudgetAlert } from './budgets/alerts.ts';

/** What a serving process asks of the primary: the calls of its memory store, what the ledger knows, and to tell operators. All of it is JSON. */
export type PrimaryMessage =
  | { readonly call: 'reserve'; readonly request: ReserveRequest }
  | { readonly call: 'settle'; readonly tenant: string; readonly id: string; readonly actual: readonly number[] }
  | { readonly call: 'refresh'; readonly tenant: string; readonly ids: readonly string[]; readonly leaseMs: number }
  | { readonly call: 'peek'; readonly tenant: string; readonly charges: readonly Charge[] }
  | { readonly call: 'baseline'; readonly account: Account; readonly unopened: Unopened }
  | { readonly call: 'alert'; readonly alert: BudgetAlert };
