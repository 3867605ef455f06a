import { expect } from 'chai';
import type { Limit } from '../../../../core/api/index.ts';
import { createTestPrice } from '../../../../core/testing/index.ts';
import { describeWindow } from '../../../../plugins/rate-limit/rules/describe-limit.ts';
import { createMeters } from '../../../../plugins/rate-limit/meters.ts';
import { createRefusal } from '../../../../plugins/rate-limit/admission/refusal.ts';
import type { Rule } from '../../../../plugins/rate-limit/rules/rule.ts';
import { createExchange, createLimiter, createTestMetrics, limit, NOON, type TestLimits } from '../setup.ts';

const key = (of: Limit): TestLimits => ({ key: [of] });

describe('rate-limit: refusals', () => {
  it('a refusal names the limit, its holder and when to try again', async () => {
    const limiter = await createLimiter(key(limit('requests', 2)));
    await limiter.admit();
    limiter.clock.advance(49_000);
    await limiter.admit();
    const error = await limiter.refused();
    expect(error.message).to.equal('Rate limit exceeded: 2 requests per 1m of the key alice; try again in 12s.');
    expect(error).to.include({ code: 'rate_limit_exceeded', status: 429, failure: 'rate-limit', retryAfterMs: 12_000 });
    expect(error.headers).to.deep.equal({ 'x-koine-limit': 'key;requests;1m' });
    expect(error.limits).to.deep.equal({
      requests: { limit: 2, remaining: 0, resetMs: 61_000, resetAt: NOON + 49_000 + 61_000 },
    });
  });

  const sentences: readonly (readonly [limits: TestLimits, sentence: RegExp, label: string])[] = [
    [
      key(limit('tokens', 120)),
      /^Rate limit exceeded: 120 tokens per 1m of the key alice; try again in 61s\.$/,
      'key;tokens;1m',
    ],
    [
      { project: [limit('inputTokens', 15, { per: 3_600_000 })] },
      /: 15 input tokens per 1h of the project web; try again in 36[0-6]\ds\.$/,
      'project;inputTokens;1h',
    ],
    [
      { organization: [limit('outputTokens', 150, { per: 90_000 })] },
      /: 150 output tokens per 90s of the organization acme; try again in 9[0-2]s\.$/,
      'organization;outputTokens;90s',
    ],
    [
      key(limit('requests', 60, { burst: 1 })),
      /: 60 requests per 1m in bursts of 1 of the key alice; try again in 1s\.$/,
      'key;requests;1m',
    ],
    [
      key(limit('requests', 1, { models: ['openai/*', 'a/b'] })),
      /: 1 request per 1m for openai\/\*, a\/b of the key alice; try again in 61s\.$/,
      'key;requests;1m',
    ],
    [
      key(limit('concurrent', 1)),
      /^Rate limit exceeded: 1 concurrent request of the key alice; try again when one has ended\.$/,
      'key;concurrent',
    ],
  ];
  for (const [limits, sentence, label] of sentences) {
    it(`a refusal has the message ${sentence.source}`, async () => {
      const limiter = await createLimiter(limits);
      await limiter.admit();
      const error = await limiter.refused();
      expect(error.message).to.match(sentence);
      expect(error.headers).to.deep.equal({ 'x-koine-limit': label });
      expect(error.retryAfterMs).to.be.greaterThan(0);
    });
  }

  it('a refusal by a limit of concurrent requests has a short retry-after', async () => {
    const limiter = await createLimiter(key(limit('concurrent', 1)));
    await limiter.admit();
    expect((await limiter.refused()).retryAfterMs).to.equal(1_000);
  });

  it('a refusal names the limit with the longest wait', async () => {
    const limiter = await createLimiter({
      key: [limit('requests', 1, { per: 1_000 })],
      organization: [limit('requests', 1, { per: 3_600_000 })],
    });
    await limiter.admit();
    expect((await limiter.refused()).message).to.include('of the organization acme');
  });

  it('a refusal has the tightest figures of every unit, without shadow limits', async () => {
    const limiter = await createLimiter({
      key: [limit('requests', 5), limit('tokens', 1_000), limit('outputTokens', 9, { enforce: false })],
      project: [limit('tokens', 400)],
      organization: [limit('requests', 1), limit('tokens', 800)],
    });
    const admission = await limiter.admit();
    const { limits } = await limiter.refused();
    for (const figures of [admission?.limits, limits]) {
      expect(Object.keys(figures ?? {})).to.have.members(['requests', 'tokens']);
      expect(figures?.requests).to.include({ limit: 1, remaining: 0 });
      expect(figures?.tokens).to.include({ limit: 400, remaining: 290 });
    }
  });
});

describe('rate-limit: spent budgets', () => {
  const price = createTestPrice({ input: 0n, output: 10_000_000_000n });
  const target = {
    id: 'openai/gpt',
    provider: 'openai',
    model: 'gpt',
    endpoint: { wires: [], origin: { provider: 'openai', family: 'openai' } },
    credentials: ['default'],
    price,
  } as const;
  /** Costs a thousandth of a dollar. */
  const exchange = () => createExchange({ targets: [target] });

  it('a spent budget names the window and its end, and advises against a retry', async () => {
    const limiter = await createLimiter({ organization: [limit('cost', 1_000_000)] });
    await limiter.admit(exchange());
    const error = await limiter.refused(exchange());
    expect(error.message).to.equal(
      'Rate limit exceeded: 0.001 USD per month of the organization acme are spent; the window ends ' +
        '2026-12-01T00:00:00Z.',
    );
    expect(error).to.include({ failure: 'quota', status: 429 });
    expect(error.headers).to.deep.equal({ 'x-koine-limit': 'organization;cost;month' });
  });

  it('a spent budget names what is left if that is too little', async () => {
    const limiter = await createLimiter(
      { key: [limit('cost', 1_500_000, { per: 'day' })] },
      { timeZone: 'Asia/Tokyo' },
    );
    await limiter.admit(exchange());
    expect((await limiter.refused(exchange())).message).to.equal(
      'Rate limit exceeded: 0.0015 USD per day of the key alice: 0.0005 USD are left, and this request could use ' +
        '0.001 USD; the window ends 2026-11-21T15:00:00Z.',
    );
  });

  it('a spent budget names the end of the calendar window, although the store has another clock', async () => {
    const HOUR = 3_600_000;
    for (const drift of [-30_000, -1, 0, 1, 30_000]) {
      const rule: Rule = {
        scope: 'key',
        holder: 'alice',
        limit: limit('cost', 1, { per: 'hour' }),
        label: '',
        bucket: { key: '', kind: 'calendar', limit: 1, per: 0, rate: 1, enforce: true },
        meter: createMeters(createTestMetrics()).of('', 'cost'),
      };
      const charge = { bucket: rule.bucket, amount: 1, bounds: [NOON - HOUR, NOON, NOON + HOUR, NOON + 2 * HOUR] };
      const { message } = createRefusal(
        { rule, charge, state: undefined, waitMs: HOUR / 2 },
        NOON + HOUR / 2 + drift,
        {},
      );
      expect(message, `${drift} ms`).to.match(/the window ends 2026-11-21T11:00:00Z\.$/);
    }
  });

  it('a spent budget admits a request without cost', async () => {
    const limiter = await createLimiter({ key: [limit('cost', 1_000_000)] });
    await limiter.admit(exchange());
    await limiter.admit(createExchange());
  });

  it('a spent budget starts again in the next window', async () => {
    const limiter = await createLimiter({ key: [limit('cost', 1_000_000, { per: 'day' })] });
    await limiter.admit(exchange());
    await limiter.refused(exchange());
    limiter.clock.advance(14 * 3_600_000);
    await limiter.admit(exchange());
  });
});

describe('rate-limit: the description of windows', () => {
  it('describes windows as in the configuration', () => {
    expect(
      [1_000, 60_000, 90_000, 3_600_000, 86_400_000, 2_678_400_000, 1_500, 'month', undefined].map((per) =>
        describeWindow(per as Limit['per']),
      ),
    ).to.deep.equal(['1s', '1m', '90s', '1h', '1d', '31d', '1500ms', 'month', '']);
  });
});
