import type { PrimaryLink } from '../../core/index.ts';
import type { BudgetAlert } from './budgets/alerts.ts';
import type { PrimaryMessage } from './messages.ts';
import type { ReadBaseline } from './store/baseline-store.ts';
import { PRIMARY_PATIENCE_MS } from './store/primary-store.ts';
import type { Baseline } from './store/store.ts';

/** What the ledger knows, by way of the primary process. @throws where it does not say */
export const createReadBaseline =
  (link: PrimaryLink): ReadBaseline =>
  async (account, unopened) =>
    (await link.call(
      { call: 'baseline', account, unopened } satisfies PrimaryMessage,
      PRIMARY_PATIENCE_MS,
    )) as Baseline;

/** Has the primary process tell operators. @throws where it could not */
export const createTell =
  (link: PrimaryLink): ((alert: BudgetAlert) => Promise<unknown>) =>
  async (alert) =>
    link.call({ call: 'alert', alert } satisfies PrimaryMessage, PRIMARY_PATIENCE_MS);
