import { expect } from 'chai';
import { GatewayError, type Admission, type Caller, type Exchange, type Limit } from '../../../../core/api/index.ts';
import { BadRequestCounter } from '../../../../plugins/rate-limit/admission/bad-requests.ts';
import { ExhaustedLimits } from '../../../../plugins/rate-limit/admission/exhausted.ts';
import type { Ruling } from '../../../../plugins/rate-limit/admission/decide.ts';
import { createMeters } from '../../../../plugins/rate-limit/meters.ts';
import { createRules, type Rules } from '../../../../plugins/rate-limit/rules/rules.ts';
import { deadStore } from '../outage/outage.ts';
import {
  alice,
  createExchange,
  createLimiter,
  createOutcome,
  createTestClock,
  createTestMetrics,
  defaults,
  limit,
  scopesOf,
  type TestLimiter,
  type TestLimits,
} from '../setup.ts';

const enterAs = ({ plugin }: TestLimiter, exchange: Exchange): Admission | undefined =>
  plugin.enter?.(exchange, exchange.caller);
const refusedAt = (limiter: TestLimiter, caller: Caller = alice): GatewayError => {
  try {
    enterAs(limiter, createExchange({ caller }));
  } catch (error) {
    if (GatewayError.is(error)) return error;
    throw error;
  }
  throw new Error('it entered');
};
const bad = createOutcome(undefined, { attempts: [], result: 'client_error', status: 400 });
const bob: Caller = { ...alice, key: 'bob' };
const rulesFor = (limits: TestLimits): Rules =>
  createRules({ scopes: (caller) => scopesOf(caller, limits) }, createMeters(createTestMetrics()), {
    ...defaults,
    parts: () => 1,
  });

describe('rate-limit: the entry of a request', () => {
  it('holds nothing if no limit applies to every model', async () => {
    const limiter = await createLimiter({
      key: [
        limit('requests', 1, { models: ['openai/*'] }),
        limit('concurrent', 1, { models: ['openai/*'] }),
        limit('tokens', 10),
      ],
    });
    expect([enterAs(limiter, createExchange()), enterAs(limiter, createExchange())]).to.deep.equal([
      undefined,
      undefined,
    ]);
  });

  it('counts a request once in each limit, and frees its places once, however it ends', async () => {
    const limiter = await createLimiter({
      key: [limit('concurrent', 2)],
      project: [limit('concurrent', 3)],
      organization: [limit('concurrent', 9, { enforce: false })],
    });
    const [one, two] = [enterAs(limiter, createExchange()), enterAs(limiter, createExchange())];
    expect(refusedAt(limiter)).to.include({
      code: 'rate_limit_exceeded',
      message: 'Rate limit exceeded: 2 concurrent requests of the key alice; try again when one has ended.',
    });
    const three = enterAs(limiter, createExchange({ caller: bob }));
    expect(refusedAt(limiter, bob).message).to.include('3 concurrent requests of the project web');
    await one?.settle?.(bad);
    enterAs(limiter, createExchange());
    expect(refusedAt(limiter, bob).message).to.include('of the project web');
    for (const [admission, result] of [
      [two, 'ok'],
      [three, 'client_closed'],
    ] as const)
      await admission?.settle?.(createOutcome(undefined, { result }));
    enterAs(limiter, createExchange());
    expect(refusedAt(limiter).message).to.include('of the key alice');
    expect(enterAs(limiter, createExchange({ caller: bob }))).to.not.equal(undefined);
  });

  it('refuses no request because of a shadow limit', async () => {
    const limiter = await createLimiter({
      key: [limit('concurrent', 1, { enforce: false }), limit('requests', 1, { enforce: false })],
    });
    for (let times = 0; times < 3; times += 1) {
      enterAs(limiter, createExchange());
      await limiter.admit();
    }
  });

  it('repeats a refusal by a limit of requests for a second, with a shorter wait each time', async () => {
    const limiter = await createLimiter({ key: [limit('requests', 1), limit('tokens', 1_000)] });
    await limiter.admit();
    const { retryAfterMs = 0, limits, headers } = await limiter.refused();
    limiter.clock.advance(400);
    const early = refusedAt(limiter);
    expect(early.retryAfterMs).to.equal(retryAfterMs - 400);
    expect(early.headers).to.deep.equal(headers);
    const { requests, tokens } = limits ?? {};
    expect(early.limits?.requests).to.deep.equal({ ...requests, resetMs: Number(requests?.resetMs) - 400 });
    expect(early.limits?.tokens).to.deep.equal({ ...tokens, resetMs: Number(tokens?.resetMs) - 400 });
    limiter.clock.advance(600);
    enterAs(limiter, createExchange());
  });

  it('shows another caller only the figures of the limit that both share', async () => {
    const limiter = await createLimiter({ key: [limit('tokens', 1_000)], project: [limit('requests', 1)] });
    await limiter.admit();
    await limiter.refused();
    expect(Object.keys(refusedAt(limiter).limits ?? {})).to.have.members(['requests', 'tokens']);
    expect(Object.keys(refusedAt(limiter, bob).limits ?? {})).to.deep.equal(['requests']);
  });

  it('admits a request at once after one was given back', async () => {
    const limiter = await createLimiter({ key: [limit('requests', 1)] });
    const admission = await limiter.admit();
    await limiter.refused();
    refusedAt(limiter);
    await admission?.settle?.(createOutcome(undefined, { attempts: [], result: 'upstream_error', status: 503 }));
    enterAs(limiter, createExchange());
    await limiter.admit();
  });

  it('repeats a refusal for no longer than its wait', async () => {
    const limiter = await createLimiter({ key: [limit('requests', 60, { per: 6_000, burst: 1 })] });
    await limiter.admit();
    await limiter.refused();
    limiter.clock.advance(99);
    refusedAt(limiter);
    limiter.clock.advance(1);
    enterAs(limiter, createExchange());
    await limiter.admit();
  });

  it('leaves the decision to the store when the limit of the key was raised', async () => {
    let key: readonly Limit[] = [limit('requests', 1)];
    const limiter = await createLimiter({
      get key() {
        return key;
      },
    });
    await limiter.admit();
    await limiter.refused();
    key = [limit('requests', 2)];
    const raised = { ...alice };
    enterAs(limiter, createExchange({ caller: raised }));
    await limiter.admit(createExchange({ caller: raised }));
  });

  it('does not mix refusals by Redis with those by this host during an outage', () => {
    const exhausted = new ExhaustedLimits();
    const { rules = [] } = rulesFor({ key: [limit('requests', 1)] }).selectEntry(alice)?.requests ?? {};
    const decision = { admitted: false, states: [], refusedBy: { charge: 0, waitMs: 500 } };
    const ruling: Ruling = { decision, rules, charges: [], store: deadStore, storeName: 'redis', degraded: false };
    exhausted.note(alice, ruling, 0);
    expect([
      exhausted.find(rules, false, 499) !== undefined,
      exhausted.find(rules, true, 499),
      exhausted.find(rules, false, 500),
    ]).to.deep.equal([true, undefined, undefined]);
  });
});

describe('rate-limit: requests that are refused before they reserve anything', () => {
  const left = async (limiter: TestLimiter): Promise<readonly (number | undefined)[]> => {
    const said = (await limiter.plugin.explain?.(createExchange())) as
      | { readonly limits: readonly { readonly remaining?: number }[] }
      | undefined;
    return said?.limits.map(({ remaining }) => remaining) ?? [];
  };
  const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('refused requests count one request in every limit of requests for all models, and nothing else', async () => {
    const some = limit('requests', 10, { models: ['openai/*'], per: 3_600_000 });
    const limiter = await createLimiter({
      key: [limit('requests', 10), some, limit('tokens', 100), limit('concurrent', 5)],
      project: [limit('requests', 20)],
      organization: [limit('requests', 30, { enforce: false })],
    });
    expect(enterAs(limiter, createExchange())?.settle?.(bad), 'nothing waits for it').to.equal(undefined);
    await soon();
    expect(await left(limiter)).to.deep.equal([9, 10, 100, 5, 19, 29]);
    expect(limiter.calls.slice(0, 2)).to.deep.equal(['reserve', 'settle']);
  });

  it('refused requests never exceed the limit, which then refuses the next request before its body', async () => {
    const limiter = await createLimiter({ key: [limit('requests', 2)] });
    for (let times = 0; times < 3; times += 1) {
      enterAs(limiter, createExchange())?.settle?.(bad);
      await soon();
    }
    expect(await left(limiter)).to.deep.equal([0]);
    expect(refusedAt(limiter).limits?.requests).to.include({ limit: 2, remaining: 0 });
  });

  for (const result of ['rate_limited', 'client_closed', 'gateway_error', 'shed'] as const) {
    it(`a request is not counted if the result is ${result}`, async () => {
      const limiter = await createLimiter({ key: [limit('requests', 2)] });
      enterAs(limiter, createExchange())?.settle?.(createOutcome(undefined, { attempts: [], result }));
      await soon();
      expect(limiter.calls).to.deep.equal([]);
    });
  }

  it('requests are not counted again if they were admitted and are settled', async () => {
    const limiter = await createLimiter({ key: [limit('requests', 10)] });
    const exchange = createExchange();
    const entry = enterAs(limiter, exchange);
    const admission = await limiter.admit(exchange);
    const unsuitable = createOutcome(undefined, { result: 'client_error', status: 400 });
    await Promise.all([entry, admission].map(async (each) => each?.settle?.(unsuitable)));
    await soon();
    expect(await left(limiter)).to.deep.equal([9]);
  });

  it('refused requests are counted a thousand at a time if the store is stuck', async () => {
    let [asked, dropped] = [0, 0];
    const stuck = {
      ...deadStore,
      reserve: () => new Promise<never>(() => (asked += 1)),
      settle: () => new Promise<never>(() => {}),
    };
    const set = rulesFor({ key: [limit('requests', 10)] }).selectEntry(alice)?.requests;
    const counter = new BadRequestCounter({
      shared: undefined,
      local: stuck,
      exhausted: new ExhaustedLimits(),
      clock: createTestClock(),
      leaseMs: 60_000,
      onDrop: () => (dropped += 1),
    });
    if (set !== undefined) for (let times = 0; times < 1_500; times += 1) counter.count(`request-${times}`, alice, set);
    expect([asked, dropped]).to.deep.equal([1_000, 500]);
  });
});

describe('rate-limit: the rules of a caller', () => {
  it('the rules of a caller are one set for all models that have the same limits', () => {
    const { select } = rulesFor({ key: [limit('requests', 10), limit('tokens', 10, { models: ['openai/*'] })] });
    const setOf = (model: string) => select({ caller: alice, model, operation: 'generate' });
    expect(new Set(Array.from({ length: 3_000 }, (_, index) => setOf(`vendor/${index}`)))).to.have.property('size', 1);
    expect(setOf('openai/one')).to.equal(setOf('openai/two')).and.not.equal(setOf('vendor/1'));
  });
});
