import type { PrimaryLink } from '../../core/index.ts';
import type { PrimaryMessage } from './messages.ts';
import type { StoreOperation } from './meters.ts';
import type { Milestone } from './milestones.ts';
import type { ReadOpening } from './store/opened-store.ts';
import type { BucketState, Decision, LimitStore, Opening, Spent } from './store/store.ts';

/** A primary that lives answers in microseconds; one that is busy should not lose requests. */
const PATIENCE_MS = 1_000;

/**
 * The twin of the primary process, as a store. What it answers has the shape of what it was asked.
 * @param noteFailure told of every call that rejects
 */
export const createPrimaryStore = (link: PrimaryLink, noteFailure: (operation: StoreOperation, error: unknown) => void): LimitStore => {
  const ask = (message: Extract<PrimaryMessage, { readonly call: StoreOperation }>): Promise<unknown> => {
    const answer = link.ask(message, PATIENCE_MS);
    answer.catch((error: unknown) => noteFailure(message.call, error));
    return answer;
  };
  return {
    reserve: (request) => {
      const { tenant, id, charges } = request;
      const answer = ask({ call: 'reserve', request }) as Promise<Decision>;
      // It may be carried out all the same when the primary comes to it, with nobody to settle it.
      answer.catch(() => link.ask({ call: 'settle', tenant, id, actual: charges.map(() => 0) } satisfies PrimaryMessage, PATIENCE_MS)).catch(() => {});
      return answer;
    },
    settle: (tenant, id, actual) => ask({ call: 'settle', tenant, id, actual }) as Promise<readonly Spent[] | undefined>,
    refresh: (tenant, ids, leaseMs) => ask({ call: 'refresh', tenant, ids, leaseMs }) as Promise<void>,
    peek: (tenant, charges) => ask({ call: 'peek', tenant, charges }) as Promise<readonly BucketState[]>,
  };
};

/** What the ledger knows, by way of the primary process. @throws where it does not say */
export const createReadOpening =
  (link: PrimaryLink): ReadOpening =>
  (account, unopened) =>
    link.ask({ call: 'opening', account, unopened } satisfies PrimaryMessage, PATIENCE_MS) as Promise<Opening>;

/** Has the primary process tell operators. @throws where it could not */
export const createTell =
  (link: PrimaryLink): ((milestone: Milestone) => Promise<unknown>) =>
  (milestone) =>
    link.ask({ call: 'milestone', milestone } satisfies PrimaryMessage, PATIENCE_MS);
