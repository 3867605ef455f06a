import { expect } from 'chai';
import { measureSpending } from '../../../core/exchange/usage.ts';
import { GatewayError, type AttemptRecord, type Ending, type Exchange, type Usage } from '../../../core/index.ts';
import { createTestPrice } from '../../../core/testing/index.ts';
import { createExchange, createTarget, sampleRecord } from './sample-exchange.ts';

const price = createTestPrice({ input: 1_000_000_000n, output: 10_000_000_000n, cacheRead: 0n, cacheWrite5m: 0n, cacheWrite1h: 0n });
const dear = { ...price, input: 5_000_000_000n, output: 50_000_000_000n };
const exchange = createExchange({
  estimate: { inputTokens: 100, outputTokens: 500, declared: true },
  targets: [createTarget('first/model', { price }), createTarget('second/model', { price: dear }), createTarget('third/model')],
});
const answered = (more: Partial<AttemptRecord> = {}): AttemptRecord => ({ ...sampleRecord, target: 'first/model', ...more });
const failed = (more: Partial<AttemptRecord> = {}): AttemptRecord => answered({ committed: false, lane: undefined, status: 0, failure: 'transient', ...more });
const ended = (more: Partial<Ending> = {}): Ending => ({ reason: 'complete', usage: undefined, outputChars: 0, ...more });
const reported: Usage = { inputUncached: 20, cacheRead: 5, cacheWrite5m: 0, cacheWrite1h: 0, output: 3, reasoning: 1, source: 'provider' };
const estimated = (inputUncached: number, output: number): Usage => ({ inputUncached, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output, reasoning: 0, source: 'estimated' });
const measure = (attempts: readonly AttemptRecord[], ending?: Ending, error?: GatewayError, of: Exchange = exchange as Exchange) => {
  const { usage, cost } = measureSpending({ exchange: of, attempts, ending, error });
  return { usage, cost };
};

describe('what an answer used', () => {
  it('is what its provider reported', () => {
    expect(measure([answered()], ended({ usage: reported, outputChars: 4_000 }))).to.deep.equal({ usage: reported, cost: 50_000n });
  });

  it('is estimated where the provider reported nothing: the input, and the characters that passed', () => {
    expect(measure([answered()], ended({ outputChars: 9 }))).to.deep.equal({ usage: estimated(100, 3), cost: 130_000n });
    expect(measure([answered()], ended()).usage).to.deep.equal(estimated(100, 0));
  });

  for (const reason of ['client_closed', 'truncated', 'upstream_reset', 'idle_timeout', 'upstream_error_event', 'drain'] as const) {
    it(`is estimated in the same way where it ended by ${reason}`, () => {
      expect(measure([answered()], ended({ reason, outputChars: 400 })).usage).to.deep.equal(estimated(100, 100));
    });

    it(`has the output that was seen where it ended by ${reason} and only the input had been reported`, () => {
      const { usage, cost } = measure([answered()], ended({ reason, usage: reported, outputChars: 400 }));
      expect(usage).to.deep.equal({ ...reported, output: 100, source: 'estimated' });
      expect(cost).to.equal(1_020_000n);
    });
  }

  it('is what the provider reported where the client left after the finish', () => {
    expect(measure([answered()], ended({ reason: 'client_closed', finish: { reason: 'stop' }, usage: reported, outputChars: 400 })).usage).to.equal(reported);
  });

  it('has the output that was seen where only the first of several answers has its finish', () => {
    const several = createExchange({ ...exchange, request: { ...exchange.request, choices: 2 } }) as Exchange;
    const ending = ended({ reason: 'client_closed', finish: { reason: 'stop' }, usage: reported, outputChars: 400 });
    expect(measure([answered()], ending, undefined, several).usage).to.deep.equal({ ...reported, output: 100, source: 'estimated' });
  });

  it('is never less than reported, however little was seen', () => {
    expect(measure([answered()], ended({ reason: 'client_closed', usage: reported, outputChars: 4 })).usage).to.deep.equal({ ...reported, source: 'estimated' });
  });

  it('costs what the target takes that answered', () => {
    expect(measure([failed({ status: 503 }), answered({ target: 'second/model' })], ended({ usage: reported })).cost).to.equal(250_000n);
  });

  it('has no cost where nobody said what the target takes', () => {
    expect(measure([answered({ target: 'third/model' })], ended({ usage: reported }))).to.deep.equal({ usage: reported, cost: undefined });
  });
});

describe('what an attempt that showed nothing used', () => {
  const none = { usage: undefined, cost: undefined };

  for (const status of [400, 401, 404, 429, 500, 503, 529]) {
    it(`is nothing after a ${status}`, () => expect(measure([failed({ status })], undefined, new GatewayError('upstream_error'))).to.deep.equal(none));
  }

  it('is nothing where no answer came', () => {
    expect(measure([failed()], undefined, new GatewayError('upstream_unreachable'))).to.deep.equal(none);
    expect(measure([], undefined, new GatewayError('rate_limit_exceeded'))).to.deep.equal(none);
  });

  it('is its input where the upstream had begun to answer', () => {
    expect(measure([failed({ status: 200 })], undefined, new GatewayError('upstream_truncated'))).to.deep.equal({ usage: estimated(100, 0), cost: 100_000n });
  });

  const gone = new GatewayError('client_closed');
  it('is its input where the client left while it was in flight', () => {
    expect(measure([failed({ failure: 'unknown' })], undefined, gone)).to.deep.equal({ usage: estimated(100, 0), cost: 100_000n });
  });

  it('is nothing where the client left between two attempts, or before the first', () => {
    expect(measure([failed({ status: 503, failure: 'overloaded' })], undefined, gone)).to.deep.equal(none);
    expect(measure([failed()], undefined, gone)).to.deep.equal(none);
    expect(measure([], undefined, gone)).to.deep.equal(none);
  });
});

describe('what a count of tokens used', () => {
  const counting = { ...exchange, operation: 'count-tokens' } as Exchange;

  it('is never estimated', () => {
    const none = { usage: undefined, cost: undefined };
    expect(measure([answered()], ended({ outputChars: 40 }), undefined, counting)).to.deep.equal(none);
    expect(measure([failed({ status: 200 })], undefined, new GatewayError('upstream_truncated'), counting)).to.deep.equal(none);
    expect(measure([failed({ failure: 'unknown' })], undefined, new GatewayError('client_closed'), counting)).to.deep.equal(none);
  });
});
