import type { PrimaryInstance, PrimaryServices } from '../../core/index.ts';
import { createListLimits } from './list-limits.ts';
import type { PrimaryMessage } from './messages.ts';
import type { RateLimitOptions } from './schema.ts';
import type { ReserveRequest } from './store/store.ts';
import { createTwin, type Twin } from './store/twin.ts';

/** The one count of this host, and what each process has taken from it. */
export interface Counts {
  readonly twin: Twin;
  /** Reservations that are not settled, by process and id. */
  readonly held: Map<number, Map<string, ReserveRequest>>;
}

const heldBy = ({ held }: Counts, worker: number): Map<string, ReserveRequest> => {
  let found = held.get(worker);
  if (found === undefined) {
    found = new Map();
    held.set(worker, found);
  }
  return found;
};

/** The half that counts for all processes of a host; its counts outlive reloads. */
export const createPrimary = (options: Pick<RateLimitOptions, 'timeZone' | 'replicas' | 'factor'>, services: PrimaryServices): PrimaryInstance => {
  const { keep, clock } = services;
  const counts = keep<Counts>('rate-limit/counts', () => ({ twin: createTwin({ clock }), held: new Map() }));
  const { twin } = counts;
  return {
    answer: (message, worker) => {
      const asked = message as PrimaryMessage;
      switch (asked.call) {
        case 'reserve': {
          const decision = twin.reserve(asked.request);
          if (decision.admitted) heldBy(counts, worker).set(asked.request.id, asked.request);
          return decision;
        }
        case 'settle':
          heldBy(counts, worker).delete(asked.id);
          return twin.settle(asked.tenant, asked.id, asked.actual);
        case 'refresh':
          return twin.refresh(asked.tenant, asked.ids, asked.leaseMs);
        case 'peek':
          return twin.peek(asked.tenant, asked.charges);
      }
    },
    admin: (router) => {
      const listLimits = createListLimits(options, services, twin);
      router.get('/admin/limits', async ({ query }) => ({ body: await listLimits(query) }));
    },
    workerGone: (worker) => {
      for (const { tenant, id, charges } of heldBy(counts, worker).values()) twin.settle(tenant, id, charges.map(({ amount, keep }) => (keep === true ? amount : 0)));
      counts.held.delete(worker);
    },
  };
};
