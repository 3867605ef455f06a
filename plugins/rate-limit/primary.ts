import type { CallDescription, PrimaryInstance, PrimaryServices } from '../../core/api/index.ts';
import { createMemory } from '../../core/api/internal.ts';
import { createAnnounce, type RefusingBudgets } from './budgets/announce.ts';
import { Baselines } from './budgets/baselines.ts';
import { createListLimits } from './listing/list-limits.ts';
import { limitParameters } from './listing/query.ts';
import { originOf, type CountsMemory, type PrimaryMessage } from './primary-link.ts';
import type { RateLimitOptions } from './schema.ts';
import type { ReadBaseline } from './store/baseline-store.ts';
import { Gateways } from './store/gateways.ts';
import { MemoryStore } from './store/memory-store.ts';

/** Each has a lock of its own: threads wait for each other if the requests are of organizations in the same shard. */
const SHARDS = 8;
const RELEASE_AGAIN_MS = 10;

type PrimaryOptions = Pick<RateLimitOptions, 'timeZone' | 'replicas' | 'factor'>;

/** Gives back what a worker that has ended had reserved, once no other that has ended holds the memory. */
const releaseWorker = (store: MemoryStore, worker: number): void => {
  if (!store.release(worker)) setTimeout(() => releaseWorker(store, worker), RELEASE_AGAIN_MS).unref();
};

const described: CallDescription = {
  summary: 'The limits of the callers, and how much of each is used, in pages.',
  query: limitParameters,
  answer: {
    type: 'object',
    properties: {
      store: { enum: ['redis', 'local'] },
      limits: { type: 'array', items: { type: 'object' } },
      next: { type: ['string', 'null'] },
      unread: { type: 'integer' },
    },
  },
};

const openGateways = ({ redis, shared, clock }: PrimaryServices): Gateways | undefined =>
  redis &&
  shared(
    'rate-limit/gateways',
    () => new Gateways(redis, clock),
    (kept) => kept.close(),
  );

/** The primary instance: its memory has the counts of all threads of this host, and it reads the ledger for them. */
export function createPrimary(options: PrimaryOptions, services: PrimaryServices): PrimaryInstance {
  const { shared, clock, log } = services;
  const shards = shared('rate-limit/memory', () => createMemory(SHARDS));
  const store = shared('rate-limit/counts', () => new MemoryStore(clock, shards));
  const refusing = shared<RefusingBudgets>('rate-limit/refusing', () => new Map());
  const originMs = originOf(clock);
  const gateways = openGateways(services);
  const announce = createAnnounce(refusing, services);
  const baselines = new Baselines(services.spent, log);
  return {
    handle: (received, worker) => {
      const message = received as PrimaryMessage;
      switch (message.call) {
        case 'memory':
          return { shards, worker, originMs } satisfies CountsMemory;
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
      const readBaseline: ReadBaseline = (account, span) => baselines.read(account, span);
      const listLimits = createListLimits({ ...options, parts, refusing }, services, store, readBaseline);
      router.get('/admin/limits', async ({ query }) => ({ body: await listLimits(query) }), described);
    },
    onSpendingFound: () => {
      baselines.forget();
      store.outdateBaselines();
    },
    onWorkerExit: (worker) => releaseWorker(store, worker),
  };
}
