import type { EventEmitter } from 'node:events';
import { definePlugin, type OptionFinding, type Services } from '../../core/api/index.ts';
import { collectSettingErrors, createMemory } from '../../core/api/internal.ts';
import { createAdmit, createAdmitDirect, type AdmitParts } from './admission/admit.ts';
import { BadRequestCounter } from './admission/bad-requests.ts';
import { createCalendar } from './rules/calendar.ts';
import { KnownSpending } from './admission/charges.ts';
import { Decider, type DeciderParts } from './admission/decide.ts';
import { createEnter, type OpenRequests } from './admission/enter.ts';
import { ExhaustedLimits } from './admission/exhausted.ts';
import { createExplain, type ExplainParts } from './explain.ts';
import { createGrantCall } from './store/grants/grant-call.ts';
import { GrantStore } from './store/grants/grant-store.ts';
import { Breaker } from './store/breaker.ts';
import { Leases, readLease } from './admission/leases.ts';
import { createMeters, type Meters } from './meters.ts';
import { BudgetAlerts } from './budgets/alerts.ts';
import {
  GatewayCount,
  createReadBaseline,
  createSendAlert,
  createUnknownCounts,
  openKnownCounts,
} from './primary-link.ts';
import { createPrimary } from './primary.ts';
import { createResume } from './admission/resume.ts';
import { createRules } from './rules/rules.ts';
import { schema, type RateLimitOptions } from './schema.ts';
import { createShadowLog } from './admission/shadow-log.ts';
import { kindOfFailure } from './store/store-failure.ts';
import { BaselineStore, orLater } from './store/baseline-store.ts';
import { MemoryStore } from './store/memory-store.ts';
import { createRedisStore } from './store/redis-store.ts';

/** The breaker and its pending settlements outlive reloads. */
const openShared = async (
  { redis, shared, clock, log }: Services,
  known: KnownSpending,
  meters: Meters,
): Promise<Breaker | undefined> => {
  if (redis === undefined) return undefined;
  let isNew = false;
  const create = (): Breaker => {
    isNew = true;
    return new Breaker({ store: createRedisStore(redis), ping: () => redis.ping(), clock, known, meters, log });
  };
  const breaker = shared('rate-limit/redis', create, (kept) => kept.close());
  await breaker.connect();
  // A server that is connected to again may have been restarted, or be another one.
  if (isNew) (redis.client as Partial<EventEmitter> | undefined)?.on?.('ready', () => breaker.noteFault());
  return breaker;
};

/** What this process holds outlives reloads, too. */
const openGrants = ({ redis, shared, clock }: Services, breaker: Breaker | undefined): GrantStore | undefined =>
  redis?.grants === true && breaker !== undefined
    ? shared(
        'rate-limit/grants',
        () => new GrantStore({ breaker, call: createGrantCall(redis), clock }),
        (kept) => kept.close(),
      )
    : undefined;

/** What this host counts. Without workers these are the counts of the primary instance itself. They outlive reloads. */
const openLocal = async (
  { primary, shared, clock, log }: Services,
  meters: Meters,
): Promise<Pick<DeciderParts, 'counts' | 'local' | 'readBaseline' | 'onFailure'> & Pick<ExplainParts, 'peeked'>> => {
  const opened = await openKnownCounts(primary, clock);
  const counts = shared('rate-limit/counts', () => opened ?? new MemoryStore(clock, createMemory(1)));
  const readBaseline = createReadBaseline(primary);
  const local = new BaselineStore(counts, orLater(readBaseline));
  return {
    counts,
    local,
    peeked: opened === undefined ? createUnknownCounts(primary) : local,
    readBaseline,
    onFailure: (operation, error) => {
      meters.storeError(operation, kindOfFailure(error));
      log.error({ error, operation }, 'this host failed to count a request for the limits');
    },
  };
};

const failsOpen: OptionFinding = {
  path: ['onStoreFailure'],
  severity: 'advice',
  message: 'While Redis is not available, no limit is enforced. Write local, so that each host counts alone, or deny.',
};

/** Enforces the limits of keys, projects and organizations: reserves before an exchange, and settles after it. */
export default definePlugin<RateLimitOptions>({
  kind: 'plugin',
  apiVersion: 1,
  name: 'rate-limit',
  init: { position: 30, comment: 'Enforces limits, with a 429.' },
  schema,
  enforces: ['limits'],
  check: ({ lease, timeZone, onStoreFailure }) => [
    ...collectSettingErrors({ lease: () => readLease(lease), timeZone: () => createCalendar(timeZone) }),
    ...(onStoreFailure === 'allow' ? [failsOpen] : []),
  ],
  create: async (options, services) => {
    const { clock, log, tenancy, primary } = services;
    const calendar = createCalendar(options.timeZone);
    const leaseMs = readLease(options.lease);
    const meters = createMeters(services.metrics);
    const known = services.shared('rate-limit/known', () => new KnownSpending());
    const shared = await openShared(services, known, meters);
    const grants = openGrants(services, shared);
    const host = await openLocal(services, meters);
    const gateways = services.redis && new GatewayCount(primary);
    const parts = (): number => Math.max(options.replicas, gateways?.count ?? 0);
    const rules = createRules(tenancy, meters, { ...options, parts });
    const exhausted = new ExhaustedLimits();
    const badRequests = new BadRequestCounter({
      shared,
      local: host.local,
      exhausted,
      clock,
      leaseMs,
      onDrop: () => meters.storeError('reserve', 'dropped'),
    });
    const leases = new Leases(leaseMs, clock);
    const budgetAlerts = new BudgetAlerts(createSendAlert(primary));
    const decider = new Decider({ shared, grants, ...host, known, calendar, clock, leaseMs });
    const open = services.shared<OpenRequests>('rate-limit/open', () => new Map());
    const admitting: AdmitParts = {
      selectRules: rules.select,
      selectDirect: rules.selectDirect,
      decider,
      leases,
      budgetAlerts,
      exhausted,
      clock,
      undeclaredOutput: options.undeclaredOutput,
      logShadow: createShadowLog(log, clock),
    };
    return {
      enter: createEnter({ selectEntry: rules.selectEntry, open, exhausted, badRequests, leases, shared, clock }),
      admit: createAdmit(admitting),
      admitDirect: createAdmitDirect(admitting),
      resume: createResume(admitting),
      explain: createExplain({ ...admitting, ...host, rules, shared, calendar }),
      close: async () => {
        leases.close();
        gateways?.close();
      },
    };
  },
  primary: createPrimary,
});
