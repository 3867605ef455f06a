import { expect } from 'chai';
import { createCalendar } from '../../../plugins/rate-limit/rules/calendar.ts';
import { createExplain } from '../../../plugins/rate-limit/explain.ts';
import { createMeters } from '../../../plugins/rate-limit/meters.ts';
import { createRules } from '../../../plugins/rate-limit/rules/rules.ts';
import { MemoryStore } from '../../../plugins/rate-limit/store/memory-store.ts';
import { createOutage, deadStore, readBaseline } from './outage/outage.ts';
import { createExchange, createTestClock, createTestMetrics, defaults, limit, scopesOf } from './setup.ts';

describe('rate-limit: the explanation of an exchange', () => {
  it('lists every limit of all scopes that would apply, with what is left of it', async () => {
    const clock = createTestClock();
    const local = new MemoryStore(clock);
    const limits = {
      key: [
        limit('requests', 60, { burst: 100 }),
        limit('requests', 5, { models: ['anthropic/*'] }),
        limit('concurrent', 8),
      ],
      project: [limit('tokens', 1_000, { enforce: false, models: ['openai/*'] })],
      organization: [limit('cost', 500e9, { onStoreFailure: 'deny', soft: [0.8] })],
    };
    const { select: selectRules } = createRules(
      { scopes: (caller) => scopesOf(caller, limits) },
      createMeters(createTestMetrics()),
      { ...defaults, parts: () => 1 },
    );
    const explain = createExplain({
      rules: { select: selectRules, listUnnamed: () => [] },
      shared: undefined,
      peeked: local,
      readBaseline,
      calendar: createCalendar('UTC'),
      clock,
      undeclaredOutput: 4_096,
    });
    expect(await explain(createExchange())).to.deep.equal({
      store: 'local',
      limits: [
        {
          scope: 'key',
          name: 'alice',
          unit: 'requests',
          amount: 60,
          per: '1m',
          burst: 100,
          models: [],
          enforce: true,
          remaining: 100,
          resetMs: 0,
        },
        {
          scope: 'key',
          name: 'alice',
          unit: 'concurrent',
          amount: 8,
          models: [],
          enforce: true,
          remaining: 8,
          resetMs: 0,
        },
        {
          scope: 'project',
          name: 'web',
          unit: 'tokens',
          amount: 1_000,
          per: '1m',
          models: ['openai/*'],
          enforce: false,
          remaining: 1_000,
          resetMs: 0,
        },
        {
          scope: 'organization',
          name: 'acme',
          unit: 'cost',
          amount: 500,
          per: 'month',
          soft: [0.8],
          models: [],
          enforce: true,
          onStoreFailure: 'deny',
          spent: 0,
          remaining: 500,
          reserves: 0,
          resetMs: 9.5 * 86_400_000 + 2 * 3_600_000,
        },
      ],
    });
  });

  it('lists the limits without their state if the store fails', async () => {
    const { select: selectRules } = createRules(
      { scopes: (caller) => scopesOf(caller, { key: [limit('requests', 60)] }) },
      createMeters(createTestMetrics()),
      { ...defaults, parts: () => 1 },
    );
    const explain = createExplain({
      rules: { select: selectRules, listUnnamed: () => [] },
      shared: undefined,
      peeked: deadStore,
      readBaseline,
      calendar: createCalendar('UTC'),
      clock: createTestClock(),
      undeclaredOutput: 4_096,
    });
    expect(await explain(createExchange())).to.deep.equal({
      store: 'local',
      limits: [{ scope: 'key', name: 'alice', unit: 'requests', amount: 60, per: '1m', models: [], enforce: true }],
    });
  });

  it('lists the part of this host of every limit while Redis is not available', async () => {
    const outage = createOutage([limit('requests', 60), limit('tokens', 1_000, { onStoreFailure: 'allow' })], {
      replicas: 2,
    });
    expect(await outage.explain()).to.deep.include({ store: 'redis' });
    outage.fail(true);
    for (let failures = 0; failures < 5; failures += 1) await outage.admit();
    expect(await outage.explain()).to.deep.equal({
      store: 'local',
      limits: [
        {
          scope: 'key',
          name: 'alice',
          unit: 'requests',
          amount: 60,
          per: '1m',
          models: [],
          enforce: true,
          remaining: 25,
          resetMs: 61_000,
        },
        {
          scope: 'key',
          name: 'alice',
          unit: 'tokens',
          amount: 1_000,
          per: '1m',
          models: [],
          enforce: true,
          onStoreFailure: 'allow',
          remaining: 1_000,
          resetMs: 0,
        },
      ],
    });
    outage.breaker.close();
    outage.leases.close();
  });
});
