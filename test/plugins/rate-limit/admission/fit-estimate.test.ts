import { expect } from 'chai';
import type { Estimate } from '../../../../core/api/index.ts';
import { createTestPrice } from '../../../../core/testing/index.ts';
import { createExchange, createLimiter, createOutcome, limit, usageOf } from '../setup.ts';

const exchange = (inputTokens: number, outputTokens: number, declared: boolean) =>
  createExchange({ estimate: { inputTokens, outputTokens, declared } satisfies Estimate });

describe('rate-limit: estimates that do not fit', () => {
  it('an estimate is cut to what the bucket holds if no cap was declared', async () => {
    const limiter = await createLimiter({ key: [limit('tokens', 500), limit('outputTokens', 300)] });
    const admission = await limiter.admit(exchange(100, 4_096, false));
    expect(admission?.limits?.tokens).to.include({ limit: 500, remaining: 0 });
    expect(admission?.limits?.outputTokens).to.include({ limit: 300, remaining: 0 });
    await admission?.settle?.(createOutcome(usageOf(90, 20)));
    expect((await limiter.admit(exchange(100, 50, true)))?.limits?.tokens).to.include({ remaining: 240 });
  });

  it('an estimate is at most undeclaredOutput for each response if no cap was declared', async () => {
    const limiter = await createLimiter({ key: [limit('outputTokens', 100_000)] }, { undeclaredOutput: 1_000 });
    expect((await limiter.admit(exchange(1, 64_000, false)))?.limits?.outputTokens).to.include({ remaining: 99_000 });
    const { request, ...one } = exchange(1, 64_000, false) as Extract<
      ReturnType<typeof exchange>,
      { operation: 'generate' }
    >;
    expect((await limiter.admit({ ...one, request: { ...request, choices: 3 } }))?.limits?.outputTokens).to.include({
      remaining: 96_000,
    });
    expect((await limiter.admit(exchange(1, 64_000, true)))?.limits?.outputTokens).to.include({ remaining: 32_000 });
  });

  it('an estimate includes the input of every call if a target has one response per call', async () => {
    const { request, ...one } = exchange(100, 80, true) as Extract<
      ReturnType<typeof exchange>,
      { operation: 'generate' }
    >;
    const asking = (choices: number) => ({ ...one, request: { ...request, choices } });
    const left = async (choices: number) => {
      const limiter = await createLimiter({
        key: [limit('requests', 10), limit('tokens', 10_000), limit('inputTokens', 10_000)],
      });
      const { requests, tokens, inputTokens } = (await limiter.admit(asking(choices)))?.limits ?? {};
      return [requests?.remaining, tokens?.remaining, inputTokens?.remaining];
    };
    expect(await left(1)).to.deep.equal([9, 9_820, 9_900]);
    expect(await left(16)).to.deep.equal([9, 8_320, 8_400]);
    expect(await left(128), 'of 16 calls at most').to.deep.equal([9, 8_320, 8_400]);
    // A target that returns all responses to one call would need no more than that.
    const small = await createLimiter({ key: [limit('tokens', 180)] });
    expect((await small.admit(asking(16)))?.limits?.tokens).to.include({ remaining: 0 });
  });

  it('responds 400 if the declared cap alone exceeds the limit', async () => {
    const limiter = await createLimiter({ project: [limit('tokens', 1_000)] });
    const error = await limiter.refused(exchange(213, 5_000, true));
    expect(error).to.include({ code: 'invalid_request', status: 400 });
    expect(error.message).to.equal(
      'This request can never be admitted: the limit of 1000 tokens per 1m of the project web holds 1000 at most, ' +
        'and the request could use 5213. Lower the cap on its output tokens, shorten its prompt, or have the limit ' +
        'raised.',
    );
    expect(error.retryAfterMs).to.equal(undefined);
  });

  it('responds 400 if the prompt alone exceeds the limit, whether a cap was declared or not', async () => {
    for (const declared of [true, false]) {
      const limiter = await createLimiter({ key: [limit('inputTokens', 100)] });
      expect(await limiter.refused(exchange(101, 10, declared))).to.include({ status: 400 });
      expect(await limiter.admit(exchange(100, 10, declared))).to.be.an('object');
    }
  });

  it('responds 400 to an estimate above the size of a token bucket, not above its rate', async () => {
    const limiter = await createLimiter({ key: [limit('tokens', 100_000, { burst: 500 })] });
    expect(await limiter.refused(exchange(1, 500, true))).to.include({ status: 400 });
    await limiter.admit(exchange(1, 499, true));
  });

  it('responds 400 to an estimate above a budget, however large the declared cap is', async () => {
    const price = createTestPrice({ input: 1n, output: 10_000_000_000n });
    const target = {
      id: 'o/g',
      provider: 'o',
      model: 'g',
      endpoint: { wires: [], origin: { provider: 'o', family: 'o' } },
      credentials: ['d'],
      price,
    };
    const limiter = await createLimiter({ key: [limit('cost', 5e11)] });
    for (const cap of [200_000_000, Number.MAX_SAFE_INTEGER, 1e300]) {
      expect(
        await limiter.refused(
          createExchange({ targets: [target], estimate: { inputTokens: 1, outputTokens: cap, declared: true } }),
        ),
      ).to.include({ status: 400 });
    }
  });

  it('refuses no request that does not fit a shadow limit', async () => {
    const limiter = await createLimiter({ key: [limit('tokens', 10, { enforce: false })] });
    await limiter.admit(exchange(100, 100, true));
    await limiter.admit(exchange(100, 100, false));
    const huge = await limiter.admit(exchange(100, Number.MAX_SAFE_INTEGER, true));
    await huge?.settle?.(createOutcome(usageOf(100, 5)));
    expect(limiter.metrics.get('decisions_total{key;tokens;1m,tokens,shadow,local}')).to.equal(3);
  });

  it('estimates that are refused charge no scope', async () => {
    const limiter = await createLimiter({ key: [limit('requests', 1), limit('tokens', 100)] });
    await limiter.refused(exchange(1, 500, true));
    await limiter.admit(exchange(1, 50, true));
  });
});
