import type { CallDescription, PrimaryInstance, PrimaryServices } from '../../core/index.ts';
import { createAnnounce, type ToldAlerts } from './budgets/announce.ts';
import { createListLimits } from './list-limits.ts';
import type { PrimaryMessage } from './messages.ts';
import { createBaselines } from './budgets/baselines.ts';
import type { RateLimitOptions } from './schema.ts';
import { createBaselineStore } from './store/baseline-store.ts';
import type { Decision, ReserveRequest } from './store/store.ts';
import { MemoryStore } from './store/memory-store.ts';
import { createWebhook } from './budgets/webhook.ts';

/** The one count of this host, what each process has taken from it, and what operators have been told. */
export interface Counts {
  readonly store: MemoryStore;
  /** Reservations that are not settled, by process and id. */
  readonly held: Map<number, Map<string, ReserveRequest>>;
  readonly told: ToldAlerts;
}

const heldBy = ({ held }: Counts, worker: number): Map<string, ReserveRequest> => {
  let found = held.get(worker);
  if (found === undefined) {
    found = new Map();
    held.set(worker, found);
  }
  return found;
};

const described: CallDescription = {
  summary: 'Every limit of those who may call, and how full it is.',
  query: { organization: 'Of this organization alone.', project: 'Of projects of this name alone.' },
  answer: {
    type: 'object',
    properties: {
      store: { enum: ['redis', 'local'] },
      limits: { type: 'array', items: { type: 'object' } },
      more: { type: 'boolean' },
    },
  },
};

/** The instance that counts for all processes of a host; its counts outlive reloads. */
export function createPrimary(
  options: Pick<RateLimitOptions, 'timeZone' | 'replicas' | 'factor' | 'webhook'>,
  services: PrimaryServices,
): PrimaryInstance {
  const { shared, clock, redis, log, fetch, metrics } = services;
  const counts = shared<Counts>('rate-limit/counts', () => ({
    store: new MemoryStore(clock),
    held: new Map(),
    told: new Map(),
  }));
  const events = metrics.counter(
    'koine_budget_webhooks_total',
    'Events of budgets that were sent to the webhook: sent, failed at a try, dropped.',
    ['result'],
  );
  const webhook = shared(
    'rate-limit/webhook',
    () => createWebhook({ fetch, clock, log, count: (result) => events.bind([result])(1) }),
    (kept) => kept.close(),
  );
  const announce = createAnnounce({ told: counts.told, redis, options: options.webhook, webhook, clock, log });
  const baselines = createBaselines(services.spent, log);
  const { store } = counts;
  const opened = createBaselineStore(store, (account, unopened) =>
    baselines.read(account, unopened).catch(() => 'later'),
  );
  const hold = (request: ReserveRequest, worker: number, decision: Decision): Decision => {
    if (decision.admitted) heldBy(counts, worker).set(request.id, request);
    return decision;
  };
  return {
    handle: (message, worker) => {
      const asked = message as PrimaryMessage;
      switch (asked.call) {
        case 'reserve': {
          const decision = opened.reserve(asked.request);
          return decision instanceof Promise
            ? decision.then((made) => hold(asked.request, worker, made))
            : hold(asked.request, worker, decision);
        }
        case 'settle':
          heldBy(counts, worker).delete(asked.id);
          return store.settle(asked.tenant, asked.id, asked.actual);
        case 'refresh':
          return store.refresh(asked.tenant, asked.ids, asked.leaseMs);
        case 'peek':
          return opened.peek(asked.tenant, asked.charges);
        case 'baseline':
          return baselines.read(asked.account, asked.unopened);
        case 'alert':
          return announce(asked.alert);
      }
    },
    admin: (router) => {
      const listLimits = createListLimits(options, services, opened, baselines.read);
      router.get('/admin/limits', async ({ query }) => ({ body: await listLimits(query) }), described);
    },
    onSpendingFound: () => void baselines.renew(() => store.opened()),
    onWorkerExit: (worker) => {
      for (const { tenant, id, charges } of heldBy(counts, worker).values())
        store.settle(
          tenant,
          id,
          charges.map(({ kept = 0 }) => kept),
        );
      counts.held.delete(worker);
    },
  };
}
