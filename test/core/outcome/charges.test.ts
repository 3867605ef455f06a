import { expect } from 'chai';
import { measureSpending } from '../../../core/outcome/charges.ts';
import type { AttemptRecord, Ending, Exchange, Usage } from '../../../core/api/index.ts';
import { createTestExchange, createTestPrice, createTestTarget } from '../../../core/testing/index.ts';
import { sampleRecord } from '../exchange/sample-exchange.ts';

const price = createTestPrice({
  input: 1_000_000_000n,
  output: 10_000_000_000n,
  cacheRead: 0n,
  cacheWrite5m: 0n,
  cacheWrite1h: 0n,
});
const dear = { ...price, input: 5_000_000_000n, output: 50_000_000_000n };
const exchange = createTestExchange({
  estimate: { inputTokens: 100, outputTokens: 500, declared: true },
  targets: [
    createTestTarget('first/model', { price }),
    createTestTarget('second/model', { price: dear }),
    createTestTarget('third/model'),
  ],
});
const answered = (more: Partial<AttemptRecord> = {}): AttemptRecord => ({
  ...sampleRecord,
  target: 'first/model',
  ...more,
});
const failed = (more: Partial<AttemptRecord> = {}): AttemptRecord =>
  answered({ committed: false, lane: undefined, status: 0, failure: 'transient', ...more });
const ended = (more: Partial<Ending> = {}): Ending => ({
  reason: 'complete',
  usage: undefined,
  outputChars: 0,
  ...more,
});
const reported: Usage = {
  inputUncached: 20,
  cacheRead: 5,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 3,
  reasoning: 1,
  source: 'provider',
};
const estimated = (inputUncached: number, output: number): Usage => ({
  inputUncached,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output,
  reasoning: 0,
  source: 'estimated',
});
const measure = (attempts: readonly AttemptRecord[], ending?: Ending, of: Exchange = exchange as Exchange) => {
  const { usage, cost } = measureSpending({ exchange: of, attempts, ending });
  return { usage, cost };
};

describe('the usage of a response', () => {
  it('charges the usage that the provider reported', () => {
    expect(measure([answered()], ended({ usage: reported, outputChars: 4_000 }))).to.deep.equal({
      usage: reported,
      cost: 50_000n,
    });
  });

  it('estimates the usage from the request and the delivered characters if the provider reported none', () => {
    expect(measure([answered()], ended({ outputChars: 9 }))).to.deep.equal({
      usage: estimated(100, 3),
      cost: 130_000n,
    });
    expect(measure([answered()], ended()).usage).to.deep.equal(estimated(100, 0));
  });

  for (const reason of [
    'client_closed',
    'truncated',
    'upstream_reset',
    'idle_timeout',
    'upstream_error_event',
    'drain',
  ] as const) {
    it(`estimates the usage of a response with the ending ${reason}`, () => {
      expect(measure([answered()], ended({ reason, outputChars: 400 })).usage).to.deep.equal(estimated(100, 100));
    });

    it(`adds the delivered output at the ending ${reason} if only the input was reported`, () => {
      const { usage, cost } = measure([answered()], ended({ reason, usage: reported, outputChars: 400 }));
      expect(usage).to.deep.equal({ ...reported, output: 100, source: 'estimated' });
      expect(cost).to.equal(1_020_000n);
    });
  }

  it('charges what the provider reported if the client left after the finish reason', () => {
    expect(
      measure(
        [answered()],
        ended({ reason: 'client_closed', finish: { reason: 'stop' }, usage: reported, outputChars: 400 }),
      ).usage,
    ).to.equal(reported);
  });

  it('adds the delivered output if only the first of several choices has finished', () => {
    const several = createTestExchange({ ...exchange, request: { ...exchange.request, choices: 2 } }) as Exchange;
    const ending = ended({ reason: 'client_closed', finish: { reason: 'stop' }, usage: reported, outputChars: 400 });
    expect(measure([answered()], ending, several).usage).to.deep.equal({
      ...reported,
      output: 100,
      source: 'estimated',
    });
  });

  it('never charges less than was reported, however little was delivered', () => {
    expect(
      measure([answered()], ended({ reason: 'client_closed', usage: reported, outputChars: 4 })).usage,
    ).to.deep.equal({ ...reported, source: 'estimated' });
  });

  it('prices the usage at the target that responded', () => {
    expect(
      measure([failed({ status: 503 }), answered({ target: 'second/model' })], ended({ usage: reported })).cost,
    ).to.equal(250_000n);
  });

  it('sets no cost if the target has no price', () => {
    expect(measure([answered({ target: 'third/model' })], ended({ usage: reported }))).to.deep.equal({
      usage: reported,
      cost: undefined,
    });
  });
});

describe('usage that the provider does not report', () => {
  it('estimates the input and the delivered output if the reported values cannot be counts', () => {
    const nothing = { ...reported, inputUncached: 0, cacheRead: 0, output: 0, reasoning: 0 };
    expect(measure([answered()], ended({ usage: nothing, outputChars: 10 })).usage).to.deep.equal(estimated(100, 3));
    expect(
      measure([answered()], ended({ usage: { ...reported, output: 0, reasoning: 0 }, outputChars: 10 })).usage,
    ).to.deep.equal({ ...reported, output: 3, reasoning: 0, source: 'estimated' });
  });

  it('charges nothing if the provider reported that a refusal or a filtered response cost nothing', () => {
    const nothing = { ...reported, inputUncached: 0, cacheRead: 0, output: 0, reasoning: 0 };
    for (const reason of ['refusal', 'content_filter'] as const)
      expect(measure([answered()], ended({ usage: nothing, finish: { reason }, outputChars: 10 }))).to.deep.equal({
        usage: nothing,
        cost: 0n,
      });
    expect(measure([answered()], ended({ finish: { reason: 'refusal' } })).usage).to.deep.equal(estimated(100, 0));
  });
});

describe('the usage of several calls for one response', () => {
  const perCall = createTestPrice({ ...price, request: 7n, longContext: [{ above: 30, rates: dear }] });
  const fanned = createTestExchange({
    ...exchange,
    targets: [createTestTarget('first/model', { price: perCall })],
  }) as Exchange;
  const spend = (attempts: readonly AttemptRecord[], ending?: Ending) =>
    measureSpending({ exchange: fanned, attempts, ending });

  it('sums the usage of the calls, and prices each call by its own length', () => {
    const { charges, usage, cost } = spend(
      [answered()],
      ended({
        usage: reported,
        calls: [
          { ...reported, raw: 1 },
          { ...reported, raw: 2 },
        ],
        outputChars: 900,
      }),
    );
    expect(usage).to.deep.equal({
      ...reported,
      inputUncached: 40,
      cacheRead: 10,
      output: 6,
      reasoning: 2,
      raw: [1, 2],
    });
    expect(cost).to.equal(2n * (50_000n + 7n));
    expect(charges[0]?.calls).to.have.length(2);
  });

  it('estimates calls that reported nothing, and the output that none reported', () => {
    const { usage, cost } = spend(
      [answered()],
      ended({ reason: 'upstream_reset', usage: reported, calls: [reported, undefined], outputChars: 40 }),
    );
    expect(usage).to.deep.include({ inputUncached: 120, cacheRead: 5, output: 10, source: 'estimated' });
    expect(cost).to.equal(120_000n + 7n + 500_000n + 7n);
  });

  it('charges the calls that succeeded while another failed', () => {
    const { usage, cost } = spend([failed({ status: 429, billedCalls: [{ ...reported, output: 3 }, undefined] })]);
    expect(usage).to.deep.include({ inputUncached: 120, cacheRead: 5, output: 3, source: 'estimated' });
    expect(cost).to.equal(50_000n + 7n + 500_000n + 7n);
  });
});

describe('calls for which the vendor used another model', () => {
  const dated = createTestExchange({
    ...exchange,
    targets: [createTestTarget('first/model', { price, priceOf: (model) => (model === 'adviser' ? dear : undefined) })],
  }) as Exchange;
  const spend = (usage: Usage) =>
    measureSpending({ exchange: dated, attempts: [answered()], ending: ended({ usage, outputChars: 9 }) });
  const summarize = ({ charges }: ReturnType<typeof spend>) =>
    charges.map(({ usage, price: used, cost }) => [usage.model, usage.inputUncached, used, cost]);

  it('are charges at the price of their own model, before the charge of the target', () => {
    const spent = spend({ ...reported, raw: 'all', further: [{ ...reported, inputUncached: 40, model: 'adviser' }] });
    expect(summarize(spent)).to.deep.equal([
      ['adviser', 40, dear, 350_000n],
      [undefined, 20, price, 50_000n],
    ]);
    expect(spent.charges.at(-1)?.usage.raw).to.equal('all');
    expect(spent.usage).to.deep.include({ inputUncached: 60, output: 6 });
    expect(spent.cost).to.equal(400_000n);
  });

  it('are charges without a cost if their model has no price, beside the cost of the others', () => {
    const spent = spend({ ...reported, further: [{ ...reported, model: 'unknown' }] });
    expect(summarize(spent)).to.deep.equal([
      ['unknown', 20, undefined, undefined],
      [undefined, 20, price, 50_000n],
    ]);
    expect(spent.cost).to.equal(50_000n);
  });

  it('can be the call itself, and then the price of the target is not used', () => {
    expect(summarize(spend({ ...reported, model: 'adviser' }))).to.deep.equal([['adviser', 20, dear, 250_000n]]);
    expect(spend({ ...reported, model: 'unknown' }).cost).to.equal(undefined);
    expect(summarize(spend({ ...reported, model: 'model' }))).to.deep.equal([['model', 20, price, 50_000n]]);
  });

  it('are at the price of the target if they used its model', () => {
    const spent = spend({ ...reported, raw: 'all', further: [reported] });
    expect(spent.charges.map(({ calls, cost }) => [calls?.length, cost])).to.deep.equal([[2, 100_000n]]);
    expect(spent.usage?.raw).to.equal('all');
  });
});

describe('the usage of an attempt that delivered nothing', () => {
  const none = { usage: undefined, cost: undefined };

  it('charges nothing if no call of the attempt is charged', () => {
    for (const status of [0, 400, 429, 503]) expect(measure([failed({ status })])).to.deep.equal(none);
    expect(measure([])).to.deep.equal(none);
    expect(measure([answered({ billedCalls: [] })], ended())).to.deep.equal(none);
  });

  it('charges the input of the charged calls, and what they had reported', () => {
    expect(measure([failed({ status: 200, billedCalls: [undefined] })])).to.deep.equal({
      usage: estimated(100, 0),
      cost: 100_000n,
    });
    expect(measure([failed({ status: 200, billedCalls: [reported] })])).to.deep.equal({
      usage: { ...reported, source: 'estimated' },
      cost: 50_000n,
    });
  });

  it('adds the usage of a failed attempt to that of the response after it, each at its own price', () => {
    const { charges, usage, cost } = measureSpending({
      exchange: exchange as Exchange,
      attempts: [failed({ status: 200, billedCalls: [reported] }), answered({ target: 'second/model' })],
      ending: ended({ usage: reported }),
    });
    expect(charges.map(({ attempt, target, cost: nano }) => [attempt, target.id, nano])).to.deep.equal([
      [0, 'first/model', 50_000n],
      [1, 'second/model', 250_000n],
    ]);
    expect(usage).to.deep.include({ inputUncached: 40, cacheRead: 10, output: 6, source: 'estimated' });
    expect(cost).to.equal(300_000n);
  });
});

describe('the usage of a token count', () => {
  const counting = { ...exchange, operation: 'count-tokens' } as Exchange;

  it('never estimates the usage of a token count', () => {
    const none = { usage: undefined, cost: undefined };
    expect(measure([answered()], ended({ outputChars: 40 }), counting)).to.deep.equal(none);
    expect(measure([failed({ status: 200, billedCalls: [undefined] })], undefined, counting)).to.deep.equal(none);
  });
});
