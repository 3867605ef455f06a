import type { EventEmitter } from 'node:events';
import { definePlugin, type OptionFinding, type Services } from '../../core/api/index.ts';
import { collectSettingErrors } from '../../core/api/internal.ts';
import { createAdmit, createAdmitDirect, type AdmitParts } from './admission/admit.ts';
import { BadRequestCounter } from './admission/bad-requests.ts';
import { createCalendar } from './rules/calendar.ts';
import { KnownSpending } from './admission/charges.ts';
import { Decider } from './admission/decide.ts';
import { createEnter, type OpenRequests } from './admission/enter.ts';
import { ExhaustedLimits } from './admission/exhausted.ts';
import { createExplain } from './explain.ts';
import { createGrantCall } from './store/grants/grant-call.ts';
import { GrantStore } from './store/grants/grant-store.ts';
import { Guard } from './store/guard.ts';
import { Leases, readLease } from './admission/leases.ts';
import { createMeters, type Meters } from './meters.ts';
import { BudgetAlerts } from './budgets/alerts.ts';
import { GatewayCount, createReadBaseline, createSendAlert } from './primary-link.ts';
import { createPrimary } from './primary.ts';
import { createResume } from './admission/resume.ts';
import { createRules } from './rules/rules.ts';
import { schema, type RateLimitOptions } from './schema.ts';
import { createShadowLog } from './admission/shadow-log.ts';
import { kindOfFailure } from './store/store-failure.ts';
import { PrimaryStore } from './store/primary-store.ts';
import { createRedisStore } from './store/redis-store.ts';
import { readTimeout } from './budgets/webhook.ts';

/** The guard and its pending settlements outlive reloads. */
const openShared = async (
  { redis, shared, clock, log }: Services,
  known: KnownSpending,
  meters: Meters,
): Promise<Guard | undefined> => {
  if (redis === undefined) return undefined;
  let isNew = false;
  const create = (): Guard => {
    isNew = true;
    return new Guard({ store: createRedisStore(redis), ping: () => redis.ping(), clock, known, meters, log });
  };
  const guard = shared('rate-limit/redis', create, (kept) => kept.close());
  await guard.connect();
  // A server that is connected to again may have been restarted, or be another one.
  if (isNew) (redis.client as Partial<EventEmitter> | undefined)?.on?.('ready', () => guard.noteFault());
  return guard;
};

/** What this process holds outlives reloads, too. */
const openGrants = ({ redis, shared, clock }: Services, guard: Guard | undefined): GrantStore | undefined =>
  redis?.grants === true && guard !== undefined
    ? shared(
        'rate-limit/grants',
        () => new GrantStore({ guard, call: createGrantCall(redis), clock }),
        (kept) => kept.close(),
      )
    : undefined;

const openLocal = ({ primary, log }: Services, meters: Meters): PrimaryStore =>
  new PrimaryStore(primary, (operation, error) => {
    meters.storeError(operation, kindOfFailure(error));
    log.error({ error, operation }, 'the primary process failed to count a request for the limits');
  });

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
  check: ({ lease, timeZone, onStoreFailure, webhook }) => [
    ...collectSettingErrors({
      lease: () => readLease(lease),
      timeZone: () => createCalendar(timeZone),
      webhook: () => webhook && readTimeout(webhook.timeout),
    }),
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
    const local = openLocal(services, meters);
    const gateways = services.redis && new GatewayCount(primary);
    const parts = (): number => Math.max(options.replicas, gateways?.count ?? 0);
    const rules = createRules(tenancy, meters, { ...options, parts });
    const exhausted = new ExhaustedLimits();
    const badRequests = new BadRequestCounter({
      shared,
      local,
      exhausted,
      clock,
      leaseMs,
      onDrop: () => meters.storeError('reserve', 'dropped'),
    });
    const leases = new Leases(leaseMs, clock);
    const readBaseline = createReadBaseline(primary);
    const budgetAlerts = new BudgetAlerts(createSendAlert(primary));
    const decider = new Decider({ shared, grants, local, readBaseline, known, calendar, clock, leaseMs });
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
      explain: createExplain({ ...admitting, rules, shared, local, readBaseline, calendar }),
      close: async () => {
        leases.close();
        gateways?.close();
      },
    };
  },
  primary: (options, services) => createPrimary(options, services),
});
