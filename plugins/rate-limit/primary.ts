import type { CallDescription, PrimaryInstance, PrimaryServices } from '../../core/api/index.ts';
import type { BudgetAlert } from './budgets/alerts.ts';
import { createAnnounce, type AnnouncedAlerts } from './budgets/announce.ts';
import { Baselines } from './budgets/baselines.ts';
import { Webhook } from './budgets/webhook.ts';
import { createListLimits } from './list-limits.ts';
import type { PrimaryMessage } from './primary-link.ts';
import type { RateLimitOptions } from './schema.ts';
import { BaselineStore } from './store/baseline-store.ts';
import { Gateways } from './store/gateways.ts';
import { MemoryStore } from './store/memory-store.ts';
import type { Decision, ReserveRequest } from './store/store.ts';

/** The counts of this host, the reservations of each process, and the alerts that were announced. Outlives reloads. */
export interface Counts {
  readonly store: MemoryStore;
  /** Reservations that are not settled, by process and id. */
  readonly held: Map<number, Map<string, ReserveRequest>>;
  readonly announced: AnnouncedAlerts;
}

type PrimaryOptions = Pick<RateLimitOptions, 'timeZone' | 'replicas' | 'factor' | 'webhook'>;

const heldBy = ({ held }: Counts, worker: number): Map<string, ReserveRequest> => {
  let found = held.get(worker);
  if (found === undefined) {
    found = new Map();
    held.set(worker, found);
  }
  return found;
};

/** Settles the reservations of a process that has ended with what stays counted of them. */
const releaseHeld = (counts: Counts, worker: number): void => {
  for (const { tenant, id, charges } of heldBy(counts, worker).values()) {
    const kept = charges.map((charge) => charge.kept ?? 0);
    counts.store.settle(tenant, id, kept);
  }
  counts.held.delete(worker);
};

const described: CallDescription = {
  summary: 'Every limit of the callers, and how much of it is used.',
  query: { organization: 'Only this organization.', project: 'Only projects of this name.' },
  answer: {
    type: 'object',
    properties: {
      store: { enum: ['redis', 'local'] },
      limits: { type: 'array', items: { type: 'object' } },
      more: { type: 'boolean' },
    },
  },
};

const openAnnounce = (
  announced: AnnouncedAlerts,
  options: PrimaryOptions,
  { shared, clock, redis, log, fetch, metrics }: PrimaryServices,
): ((alert: BudgetAlert) => Promise<void>) => {
  const events = metrics.counter(
    'koine_budget_webhooks_total',
    'Budget events for the webhook: sent, failed at a try, dropped.',
    ['result'],
  );
  const webhook = shared(
    'rate-limit/webhook',
    () => new Webhook({ fetch, clock, log, count: (result) => events.bind([result])(1) }),
    (kept) => kept.close(),
  );
  return createAnnounce({ announced, redis, options: options.webhook, webhook, clock, log });
};

const openGateways = ({ redis, shared, clock }: PrimaryServices): Gateways | undefined =>
  redis &&
  shared(
    'rate-limit/gateways',
    () => new Gateways(redis, clock),
    (kept) => kept.close(),
  );

/** Reserves for a process, whose reservations are kept until they are settled. */
const reserveFor = (
  store: BaselineStore,
  counts: Counts,
  request: ReserveRequest,
  worker: number,
): Decision | Promise<Decision> => {
  const hold = (decision: Decision): Decision => {
    if (decision.admitted) heldBy(counts, worker).set(request.id, request);
    return decision;
  };
  const decision = store.reserve(request);
  return decision instanceof Promise ? decision.then(hold) : hold(decision);
};

/** The primary instance, which counts for all processes of a host. */
export function createPrimary(options: PrimaryOptions, services: PrimaryServices): PrimaryInstance {
  const { shared, clock, log } = services;
  const counts = shared<Counts>('rate-limit/counts', () => ({
    store: new MemoryStore(clock),
    held: new Map(),
    announced: new Map(),
  }));
  const gateways = openGateways(services);
  const announce = openAnnounce(counts.announced, options, services);
  const baselines = new Baselines(services.spent, log);
  const { store } = counts;
  const withBaselines = new BaselineStore(store, (account, span) => baselines.read(account, span).catch(() => 'later'));
  return {
    handle: (received, worker) => {
      const message = received as PrimaryMessage;
      switch (message.call) {
        case 'reserve':
          return reserveFor(withBaselines, counts, message.request, worker);
        case 'settle':
          heldBy(counts, worker).delete(message.id);
          return store.settle(message.tenant, message.id, message.actual);
        case 'refresh':
          return store.refresh(message.tenant, message.ids, message.leaseMs);
        case 'peek':
          return withBaselines.peek(message.tenant, message.charges);
        case 'renew':
          return store.renew(message.tenant, message.charges);
        case 'gateways':
          return gateways?.count ?? 0;
        case 'baseline':
          return baselines.read(message.account, message.span);
        case 'alert':
          return announce(message.alert);
      }
    },
    admin: (router) => {
      const parts = (): number => Math.max(options.replicas, gateways?.count ?? 0);
      const listLimits = createListLimits({ ...options, parts }, services, withBaselines, (account, span) =>
        baselines.read(account, span),
      );
      router.get('/admin/limits', async ({ query }) => ({ body: await listLimits(query) }), described);
    },
    onSpendingFound: () => void baselines.renew(() => store.baselineWindows()),
    onWorkerExit: (worker) => releaseHeld(counts, worker),
  };
}
