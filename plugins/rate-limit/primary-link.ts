import type { PrimaryLink } from '../../core/api/index.ts';
import type { BudgetAlert } from './budgets/alerts.ts';
import type { ReadBaseline } from './store/baseline-store.ts';
import type { Account, Baseline, BaselineSpan, Charge, ReserveRequest } from './store/store.ts';

/** What a serving process sends to the primary instance: calls of its memory store, and budget requests. All JSON. */
export type PrimaryMessage =
  | { readonly call: 'reserve'; readonly request: ReserveRequest }
  | { readonly call: 'settle'; readonly tenant: string; readonly id: string; readonly actual: readonly number[] }
  | { readonly call: 'refresh'; readonly tenant: string; readonly ids: readonly string[]; readonly leaseMs: number }
  | { readonly call: 'peek' | 'renew'; readonly tenant: string; readonly charges: readonly Charge[] }
  | { readonly call: 'gateways' }
  | { readonly call: 'baseline'; readonly account: Account; readonly span: BaselineSpan }
  | { readonly call: 'alert'; readonly alert: BudgetAlert };

/** The primary responds in microseconds. The limit is far longer, so that a busy primary does not cost requests. */
export const PRIMARY_TIMEOUT_MS = 1_000;

/** Reads a baseline from the ledger, through the primary process. @throws if the ledger does not respond */
export const createReadBaseline =
  (link: PrimaryLink): ReadBaseline =>
  async (account, span) =>
    (await link.call({ call: 'baseline', account, span } satisfies PrimaryMessage, PRIMARY_TIMEOUT_MS)) as Baseline;

/** Sends a budget alert to the primary process, which publishes it once. @throws if it could not */
export const createSendAlert =
  (link: PrimaryLink): ((alert: BudgetAlert) => Promise<unknown>) =>
  async (alert) =>
    link.call({ call: 'alert', alert } satisfies PrimaryMessage, PRIMARY_TIMEOUT_MS);

/** How many gateways share the Redis, as last counted; 0: not known. */
export class GatewayCount {
  readonly #link: PrimaryLink;
  readonly #timer: NodeJS.Timeout;
  #count = 0;

  constructor(link: PrimaryLink) {
    this.#link = link;
    this.#timer = setInterval(() => void this.read(), 1_000).unref();
    void this.read();
  }

  get count(): number {
    return this.#count;
  }

  async read(): Promise<void> {
    try {
      this.#count = Number(await this.#link.call({ call: 'gateways' } satisfies PrimaryMessage, PRIMARY_TIMEOUT_MS));
    } catch {
      // The last count stays.
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
