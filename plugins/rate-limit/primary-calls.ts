import type { PrimaryLink } from '../../core/index.ts';
import type { BudgetAlert } from './budget-alerts.ts';
import type { PrimaryMessage } from './messages.ts';
import type { ReadOpening } from './store/opened-store.ts';
import { PRIMARY_PATIENCE_MS } from './store/primary-store.ts';
import type { Opening } from './store/store.ts';

/** What the ledger knows, by way of the primary process. @throws where it does not say */
export const createReadOpening =
  (link: PrimaryLink): ReadOpening =>
  async (account, unopened) =>
    (await link.ask({ call: 'opening', account, unopened } satisfies PrimaryMessage, PRIMARY_PATIENCE_MS)) as Opening;

/** Has the primary process tell operators. @throws where it could not */
export const createTell =
  (link: PrimaryLink): ((alert: BudgetAlert) => Promise<unknown>) =>
  async (alert) =>
    link.ask({ call: 'alert', alert } satisfies PrimaryMessage, PRIMARY_PATIENCE_MS);
