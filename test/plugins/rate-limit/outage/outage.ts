import { GatewayError, type Admission, type Caller, type Exchange, type Limit } from '../../../../core/api/index.ts';
import { createTestServices } from '../../../../core/testing/services.ts';
import { createAdmit } from '../../../../plugins/rate-limit/admission/admit.ts';
import { createCalendar } from '../../../../plugins/rate-limit/rules/calendar.ts';
import { KnownSpending } from '../../../../plugins/rate-limit/admission/charges.ts';
import { Decider } from '../../../../plugins/rate-limit/admission/decide.ts';
import { ExhaustedLimits } from '../../../../plugins/rate-limit/admission/exhausted.ts';
import { createExplain } from '../../../../plugins/rate-limit/explain.ts';
import { Breaker } from '../../../../plugins/rate-limit/store/breaker.ts';
import { Leases } from '../../../../plugins/rate-limit/admission/leases.ts';
import { createMeters } from '../../../../plugins/rate-limit/meters.ts';
import { createRules } from '../../../../plugins/rate-limit/rules/rules.ts';
import type { RateLimitOptions } from '../../../../plugins/rate-limit/schema.ts';
import { BudgetAlerts } from '../../../../plugins/rate-limit/budgets/alerts.ts';
import type { ReadBaseline } from '../../../../plugins/rate-limit/store/baseline-store.ts';
import type { SharedStore } from '../../../../plugins/rate-limit/store/store.ts';
import { MemoryStore } from '../../../../plugins/rate-limit/store/memory-store.ts';
import { createExchange, createTestClock, createTestMetrics, defaults, scopesOf } from '../setup.ts';

/** The error of a Redis that does not respond. */
export const timedOut = (): GatewayError =>
  new GatewayError('internal_error', 'Command timed out', { failure: 'timeout' });

export interface Outage {
  readonly breaker: Breaker;
  readonly leases: Leases;
  readonly metrics: Map<string, number>;
  /** The number of calls to the shared store. */
  readonly asked: { count: number };
  /** Makes the shared store fail, or work again. */
  fail(failing: boolean): void;
  admit(exchange?: Exchange): Promise<Admission | undefined>;
  refused(exchange?: Exchange): Promise<GatewayError>;
  explain(): Promise<object>;
  /** In the shared store and in that of this host. */
  left(): Promise<{ readonly shared: readonly number[]; readonly local: readonly number[] }>;
}

/** Nothing was spent before. */
export const readBaseline: ReadBaseline = async (_account, span) => ({ ...span, amount: 0 });

/** The parts of the plugin with two memory stores. One stands for the shared store, and fails on demand. */
export const createOutage = (limits: readonly Limit[], options: Partial<RateLimitOptions> = {}): Outage => {
  const clock = createTestClock();
  const metrics = createTestMetrics();
  const { log } = createTestServices();
  const [redis, local] = [new MemoryStore(clock), new MemoryStore(clock)];
  const asked = { count: 0 };
  let failing = false;
  const answer = async <T>(call: () => T): Promise<T> => {
    asked.count += 1;
    if (failing) throw timedOut();
    return call();
  };
  const store: SharedStore = {
    reserve: (request) => answer(() => redis.reserve(request)),
    settle: (tenant, id, actual) => answer(() => redis.settle(tenant, id, actual)),
    refresh: (tenant, ids, leaseMs) => answer(() => redis.refresh(tenant, ids, leaseMs)),
    peek: (tenant, charges) => answer(() => redis.peek(tenant, charges)),
    renew: (tenant, charges) => answer(() => redis.renew(tenant, charges)),
    debit: () => answer(() => {}),
  };
  const meters = createMeters(metrics);
  const known = new KnownSpending();
  const breaker = new Breaker({ store, ping: () => answer(() => {}), clock, known, meters, log });
  const calendar = createCalendar('UTC');
  const tenancy = { scopes: (caller: Caller) => scopesOf(caller, { key: limits }) };
  const { select: selectRules, selectDirect } = createRules(tenancy, meters, {
    ...defaults,
    ...options,
    parts: () => options.replicas ?? defaults.replicas,
  });
  const leases = new Leases(60_000, clock);
  const decider = new Decider({
    shared: breaker,
    counts: local,
    local,
    onFailure: () => {},
    readBaseline,
    known,
    calendar,
    clock,
    leaseMs: 60_000,
  });
  const admit = createAdmit({
    selectRules,
    selectDirect,
    undeclaredOutput: 4_096,
    decider,
    leases,
    budgetAlerts: new BudgetAlerts(async () => {}),
    exhausted: new ExhaustedLimits(),
    clock,
    logShadow: () => {},
  });
  const explain = createExplain({
    rules: { select: selectRules, listUnnamed: () => [] },
    shared: breaker,
    peeked: local,
    readBaseline,
    calendar,
    clock,
    undeclaredOutput: 4_096,
  });
  const charges = selectRules(createExchange())?.rules.map(({ bucket }) => ({ bucket, amount: 0 })) ?? [];
  return {
    breaker,
    leases,
    metrics: metrics.values,
    asked,
    fail: (now) => void (failing = now),
    admit: async (exchange = createExchange()) => admit(exchange),
    refused: async (exchange = createExchange()) => {
      try {
        await admit(exchange);
      } catch (error) {
        if (GatewayError.is(error)) return error;
        throw error;
      }
      throw new Error('it was admitted');
    },
    explain: () => explain(createExchange()),
    left: async () => {
      const read = (store: typeof redis): readonly number[] =>
        store.peek('acme', charges).map(({ remaining }) => remaining);
      return { shared: read(redis), local: read(local) };
    },
  };
};

/** A store whose every call fails. */
export const deadStore: SharedStore = {
  reserve: () => Promise.reject(new Error('gone')),
  settle: () => Promise.reject(new Error('gone')),
  refresh: () => Promise.reject(new Error('gone')),
  peek: () => Promise.reject(new Error('gone')),
  renew: () => Promise.reject(new Error('gone')),
  debit: () => Promise.reject(new Error('gone')),
};
