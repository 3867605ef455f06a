import { expect } from 'chai';
import { createHook } from 'node:async_hooks';
import { createLocalLink } from '../../../core/server/link/link.ts';
import type { PluginInstance } from '../../../core/api/index.ts';
import { createTestPrice } from '../../../core/testing/index.ts';
import { createTestPrimaryServices, createTestServices } from '../../../core/testing/services.ts';
import rateLimit from '../../../plugins/rate-limit/index.ts';
import {
  alice,
  createExchange,
  createLimiter,
  createOutcome,
  createTestClock,
  defaults,
  limit,
  scopesOf,
  usageOf,
} from './setup.ts';

const everyKind = {
  key: [limit('requests', 1_000), limit('tokens', 1e6), limit('concurrent', 5)],
  project: [limit('requests', 60_000, { burst: 500 })],
  organization: [limit('cost', 1e12, { soft: [0.8] }), limit('outputTokens', 1e6, { enforce: false })],
};
const target = {
  id: 'openai/gpt',
  provider: 'openai',
  model: 'gpt',
  endpoint: { wires: [], origin: { provider: 'openai', family: 'openai' } },
  credentials: ['default'],
  price: createTestPrice({ input: 1_000_000_000n, output: 10_000_000_000n }),
};
const used = createOutcome(usageOf(12, 30), { cost: 312_000n });

/** Both instances in one process, linked as in the gateway. */
const startHere = async (): Promise<PluginInstance> => {
  const services = { clock: createTestClock(), tenancy: { scopes: () => scopesOf(alice, everyKind) } };
  const primary = await rateLimit.primary?.(defaults, createTestPrimaryServices(services));
  const link = createLocalLink((_plugin, message, worker) => primary?.handle?.(message, worker), 1);
  return rateLimit.create(defaults, createTestServices({ ...services, primary: link('rate-limit') }));
};

/** The number of promises that a synchronous call creates. */
const countPromises = (call: () => void): number => {
  let count = 0;
  const hook = createHook({ init: (_id, type) => void (count += type === 'PROMISE' ? 1 : 0) }).enable();
  try {
    call();
  } finally {
    hook.disable();
  }
  return count;
};

describe('rate-limit: in one process without Redis', () => {
  let plugin: PluginInstance;
  beforeEach(async () => {
    plugin = await startHere();
    // The first request of a budget waits for the ledger.
    const first = await plugin.admit?.(createExchange({ targets: [target] }));
    await first?.settle?.(used);
  });
  afterEach(() => plugin.close?.());

  it('rate-limit admits and settles without a promise, for every kind of limit', () => {
    const exchange = createExchange({ targets: [target] });
    const promises = countPromises(() => {
      const entry = plugin.enter?.(exchange, alice);
      const admission = plugin.admit?.(exchange);
      if (admission === undefined || admission instanceof Promise) throw new Error('it admitted with a promise');
      expect(admission.limits?.requests).to.include({ limit: 500 });
      expect([entry?.settle?.(used), admission.settle?.(used)]).to.deep.equal([undefined, undefined]);
    });
    expect(promises).to.equal(0);
  });

  it('rate-limit throws its refusal without a promise', () => {
    const exchanges = Array.from({ length: 6 }, () => createExchange({ targets: [target] }));
    for (const exchange of exchanges.slice(0, 5)) plugin.admit?.(exchange);
    expect(() => plugin.admit?.(exchanges[5] as (typeof exchanges)[number])).to.throw(
      '5 concurrent requests of the key alice',
    );
  });
});

describe('rate-limit: the figures of an admission', () => {
  it('the figures of an admission are those of its moment, whenever they are read', async () => {
    const limiter = await createLimiter({ key: [limit('requests', 10)] });
    const [now, later] = [await limiter.admit(), await limiter.admit()];
    const figures = later?.limits?.requests;
    expect(now?.limits?.requests?.remaining).to.equal(9);
    limiter.clock.advance(5_000);
    const late = await limiter.admit();
    limiter.clock.advance(2_000);
    expect(late?.limits?.requests?.resetAt).to.equal(Number(figures?.resetAt) + 5_000);
    expect(late?.limits).to.equal(late?.limits);
  });
});
