import { expect } from 'chai';
import { GatewayError, type Limit, type StoreFailurePolicy } from '../../../../core/api/index.ts';
import type { RateLimitOptions } from '../../../../plugins/rate-limit/schema.ts';
import { createOutage, type Outage } from './outage.ts';
import { createExchange, createLimiter, createOutcome, limit, usageOf } from '../setup.ts';

describe('rate-limit: a failing shared store', () => {
  let outage: Outage;
  const begin = (limits: readonly Limit[], options: Partial<RateLimitOptions> = {}): void => {
    outage = createOutage(limits, options);
  };
  afterEach(() => {
    outage.breaker.close();
    outage.leases.close();
  });

  it('changes nothing while the store responds', async () => {
    begin([limit('requests', 2)]);
    expect((await outage.admit())?.headers).to.equal(undefined);
    expect(await outage.left()).to.deep.equal({ shared: [1], local: [2] });
    expect(outage.metrics.get('decisions_total{key;requests;1m,requests,allow,redis}')).to.equal(1);
  });

  it('leaves decisions to this host, without further calls after the fifth failure of the store', async () => {
    begin([limit('requests', 2)]);
    await outage.admit();
    outage.fail(true);
    const admitted = [await outage.admit(), await outage.admit()];
    expect(admitted.map((admission) => admission?.headers)).to.deep.equal([
      { 'x-koine-ratelimit-mode': 'local' },
      { 'x-koine-ratelimit-mode': 'local' },
    ]);
    for (let times = 0; times < 3; times += 1) await outage.refused();
    expect(outage.asked.count).to.equal(1 + 5);
    const refusal = await outage.refused();
    expect(refusal.code).to.equal('rate_limit_exceeded');
    expect(refusal.headers).to.deep.equal({ 'x-koine-ratelimit-mode': 'local', 'x-koine-limit': 'key;requests;1m' });
    expect(outage.asked.count).to.equal(1 + 5);
    expect(outage.metrics.get('degraded{}')).to.equal(1);
  });

  it('leaves the decision about waiting requests to this host', async () => {
    begin([limit('requests', 3)]);
    outage.fail(true);
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => outage.admit()));
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(3);
  });

  it('makes this host allow its part of a limit, at least one', async () => {
    begin([limit('requests', 10)], { replicas: 4, factor: 0.8 });
    outage.fail(true);
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => outage.admit()));
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(2);
    outage.breaker.close();
    outage.leases.close();
    begin([limit('requests', 3)], { replicas: 100 });
    outage.fail(true);
    expect((await outage.admit())?.limits?.requests).to.include({ limit: 1, remaining: 0 });
  });

  it("a request that fits the limit, but not this host's part, takes the whole part", async () => {
    begin([limit('tokens', 1_000)], { replicas: 4 });
    outage.fail(true);
    const large = createExchange({ estimate: { inputTokens: 100, outputTokens: 700, declared: true } });
    expect((await outage.admit(large))?.limits?.tokens).to.include({ limit: 250, remaining: 0 });
    expect(await outage.refused()).to.include({ code: 'rate_limit_exceeded' });
  });

  const policies: readonly (readonly [
    title: string,
    plugin: StoreFailurePolicy,
    own: StoreFailurePolicy | undefined,
    second: 'admitted' | 'rate_limit_exceeded' | 'limits_unavailable',
  ])[] = [
    ['local', 'local', undefined, 'rate_limit_exceeded'],
    ['allow', 'allow', undefined, 'admitted'],
    ['deny', 'deny', undefined, 'limits_unavailable'],
    ['allow, set by the limit', 'deny', 'allow', 'admitted'],
    ['deny, set by the limit', 'allow', 'deny', 'limits_unavailable'],
    ['local, set by the limit', 'allow', 'local', 'rate_limit_exceeded'],
  ];
  for (const [title, onStoreFailure, own, second] of policies) {
    it(`applies onStoreFailure: ${title}`, async () => {
      begin([limit('requests', 1, own === undefined ? {} : { onStoreFailure: own })], { onStoreFailure });
      outage.fail(true);
      const ask = async (): Promise<string> => {
        try {
          await outage.admit();
        } catch (error) {
          return GatewayError.is(error) ? error.code : String(error);
        }
        return 'admitted';
      };
      const first = second === 'limits_unavailable' ? second : 'admitted';
      expect([await ask(), await ask()]).to.deep.equal([first, second]);
    });
  }

  it('refuses a request if one of its limits denies during an outage', async () => {
    begin([
      limit('requests', 9, { onStoreFailure: 'allow' }),
      limit('tokens', 900),
      limit('cost', 1e9, { onStoreFailure: 'deny' }),
    ]);
    outage.fail(true);
    const refusal = await outage.refused();
    expect(refusal).to.include({ code: 'limits_unavailable', status: 503 });
    expect(refusal.headers).to.deep.equal({ 'x-koine-ratelimit-mode': 'local' });
    expect(outage.metrics.get('decisions_total{key;cost;month,cost,deny,local}')).to.equal(1);
    expect((await outage.left()).local).to.deep.equal([9, 900, 1e9]);
  });

  it('leaves out limits that allow while others are counted here', async () => {
    begin([limit('requests', 1, { onStoreFailure: 'allow' }), limit('tokens', 300)]);
    outage.fail(true);
    expect((await outage.admit())?.limits).to.have.all.keys(['tokens']);
    await outage.admit();
    expect((await outage.refused()).message).to.include('300 tokens');
  });

  it('refuses no request because of a shadow limit that denies', async () => {
    begin([limit('requests', 1, { onStoreFailure: 'deny', enforce: false }), limit('tokens', 900)]);
    outage.fail(true);
    await outage.admit();
  });

  it('settles a reservation of the shared store there after the outage, never here', async () => {
    begin([limit('tokens', 1_000)]);
    const admission = await outage.admit();
    outage.fail(true);
    await admission?.settle?.(createOutcome(usageOf(10, 20)));
    expect(await outage.left()).to.deep.equal({ shared: [890], local: [1_000] });
    outage.fail(false);
    await outage.breaker.probe();
    expect(await outage.left()).to.deep.equal({ shared: [970], local: [1_000] });
  });

  it('settles a reservation of this host here, even after the outage: counts are not merged', async () => {
    begin([limit('tokens', 1_000)]);
    outage.fail(true);
    const admission = await outage.admit();
    outage.fail(false);
    await outage.breaker.probe();
    expect((await outage.admit())?.headers).to.equal(undefined);
    await admission?.settle?.(createOutcome(usageOf(10, 20)));
    expect(await outage.left()).to.deep.equal({ shared: [890], local: [970] });
  });
});

describe('rate-limit: counts of this host that fail', () => {
  it('refuses requests with a 503, a log line and a count', async () => {
    const limiter = await createLimiter({ key: [limit('requests', 5)] });
    const cause = new GatewayError('internal_error', 'Another thread has not left the shared memory for 2000 ms.', {
      failure: 'timeout',
    });
    limiter.breakLocal(cause);
    expect(await limiter.refused()).to.include({ code: 'limits_unavailable', status: 503, retryAfterMs: 1_000, cause });
    expect(limiter.lines).to.deep.equal([
      {
        level: 'error',
        text: 'this host failed to count a request for the limits',
        fields: { error: cause, operation: 'reserve' },
      },
    ]);
    expect(limiter.metrics.get('store_errors_total{reserve,timeout}')).to.equal(1);
  });

  it('fails no exchange at settlement while the store is down', async () => {
    const limiter = await createLimiter({ key: [limit('requests', 5)] });
    const admission = await limiter.admit();
    limiter.breakLocal(new Error('gone'));
    await admission?.settle?.(createOutcome(usageOf(1, 1)));
    expect(limiter.metrics.get('store_errors_total{settle,down}')).to.equal(1);
  });
});
