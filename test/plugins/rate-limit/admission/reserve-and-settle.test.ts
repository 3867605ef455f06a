import { expect } from 'chai';
import type { ExchangeOf, Limit, Target } from '../../../../core/api/index.ts';
import { createTestPrice } from '../../../../core/testing/index.ts';
import { alice, createExchange, createLimiter, createOutcome, limit, usageOf, type TestLimiter } from '../setup.ts';

const left = async ({ plugin }: TestLimiter, exchange = createExchange()): Promise<readonly (number | undefined)[]> => {
  const explained = (await plugin.explain?.(exchange)) as
    | { readonly limits: readonly { readonly remaining?: number }[] }
    | undefined;
  return explained?.limits.map(({ remaining }) => remaining) ?? [];
};

const target = (input: bigint, output: bigint, credentials: readonly string[] = ['default']): Target => ({
  id: 'openai/gpt',
  provider: 'openai',
  model: 'gpt',
  endpoint: { wires: [], origin: { provider: 'openai', family: 'openai' } },
  credentials,
  price: createTestPrice({ input, output }),
});
/** USD 1 per million tokens of input, 10 of output. */
const priced = target(1_000_000_000n, 10_000_000_000n);

const everyUnit: readonly Limit[] = [
  limit('requests', 10),
  limit('tokens', 1_000),
  limit('inputTokens', 1_000),
  limit('outputTokens', 1_000),
  limit('cost', 1e9),
  limit('concurrent', 5),
];

describe('rate-limit: reservation and settlement', () => {
  it('reserves nothing, without a promise, if there is no limit', async () => {
    const limiter = await createLimiter({ key: [limit('requests', 1, { models: ['anthropic/*'] })] });
    expect(limiter.plugin.admit?.(createExchange())).to.equal(undefined);
  });

  it('reserves the most that an exchange can use of every unit, and settles what it used', async () => {
    const limiter = await createLimiter({ key: everyUnit });
    const exchange = createExchange({ targets: [priced] });
    const admission = await limiter.admit(exchange);
    expect(await left(limiter)).to.deep.equal([9, 890, 990, 900, 0.99899, 4]);
    await admission?.settle?.(createOutcome(usageOf(12, 30), { cost: 312_000n }));
    expect(await left(limiter)).to.deep.equal([9, 958, 988, 970, 0.999688, 5]);
  });

  it('keeps the request and the cost of its input after a crash, as the ledger does', async () => {
    const limiter = await createLimiter({ key: everyUnit }, {}, undefined, 3);
    await limiter.admit(createExchange({ targets: [priced] }));
    limiter.primary.onWorkerExit?.(3);
    expect(await left(limiter)).to.deep.equal([9, 1_000, 1_000, 1_000, 0.99999, 5]);
  });

  it('goes below zero when more was used than was reserved, so that later requests wait', async () => {
    const limiter = await createLimiter({ key: [limit('tokens', 200)] });
    const admission = await limiter.admit();
    await admission?.settle?.(createOutcome(usageOf(10, 500)));
    expect(await left(limiter)).to.deep.equal([-310]);
    expect(await limiter.refused()).to.include({ code: 'rate_limit_exceeded' });
  });

  it('gives a reservation back if no upstream was called', async () => {
    const limiter = await createLimiter({ key: everyUnit });
    const admission = await limiter.admit(createExchange({ targets: [priced] }));
    await admission?.settle?.(createOutcome(undefined, { attempts: [], result: 'client_error', status: 403 }));
    expect(await left(limiter)).to.deep.equal([10, 1_000, 1_000, 1_000, 1, 5]);
  });

  it('gives everything but the request back if an upstream was called and nothing was used', async () => {
    const limiter = await createLimiter({ key: everyUnit });
    const admission = await limiter.admit(createExchange({ targets: [priced] }));
    await admission?.settle?.(createOutcome(undefined, { result: 'upstream_error', status: 502 }));
    expect(await left(limiter)).to.deep.equal([9, 1_000, 1_000, 1_000, 1, 5]);
  });

  it('reserves one request and one place for counting tokens', async () => {
    const limiter = await createLimiter({ key: everyUnit });
    const exchange = { ...createExchange(), operation: 'count-tokens' } as const;
    await limiter.admit(exchange as ReturnType<typeof createExchange>);
    expect(await left(limiter)).to.deep.equal([9, 1_000, 1_000, 1_000, 1, 4]);
  });

  it('reserves no output for an embedding', async () => {
    const limiter = await createLimiter({ key: [limit('inputTokens', 1_000), limit('outputTokens', 1_000)] });
    const embed: ExchangeOf<'embed'> = {
      ...createExchange(),
      operation: 'embed',
      request: { inputs: ['Hello'], encoding: 'float', extra: { wire: 'embeddings', members: {} } },
      estimate: { inputTokens: 10, outputTokens: 0, declared: false },
    };
    expect(Object.keys((await limiter.admit(embed))?.limits ?? {})).to.deep.equal(['inputTokens']);
    expect(await left(limiter, embed)).to.deep.equal([990]);
  });

  it('reserves in all scopes or none: a refusal charges no scope', async () => {
    const limiter = await createLimiter({
      key: [limit('requests', 10)],
      project: [limit('requests', 5)],
      organization: [limit('requests', 1)],
    });
    await limiter.admit();
    for (let times = 0; times < 3; times += 1)
      expect((await limiter.refused()).message).to.include('of the organization acme');
    expect(await left(limiter)).to.deep.equal([9, 4, 0]);
  });

  it('counts the keys of a project and of an organization together', async () => {
    const limiter = await createLimiter({
      key: [limit('requests', 10)],
      project: [limit('requests', 10)],
      organization: [limit('requests', 10)],
    });
    await limiter.admit(createExchange({ caller: alice }));
    await limiter.admit(createExchange({ caller: { ...alice, key: 'bob' } }));
    await limiter.admit(createExchange({ caller: { ...alice, key: 'eve', project: 'app' } }));
    expect(await left(limiter)).to.deep.equal([9, 8, 7]);
  });

  it('admits a small request after a large one that was refused', async () => {
    const limiter = await createLimiter({ key: [limit('tokens', 1_000)] });
    await limiter.admit(createExchange({ estimate: { inputTokens: 100, outputTokens: 500, declared: true } }));
    await limiter.refused(createExchange({ estimate: { inputTokens: 100, outputTokens: 800, declared: true } }));
    await limiter.admit(createExchange({ estimate: { inputTokens: 100, outputTokens: 300, declared: true } }));
    expect(await left(limiter)).to.deep.equal([0]);
  });

  it('admits exactly the limit when all requests come at once', async () => {
    const limiter = await createLimiter({ key: [limit('requests', 50)], organization: [limit('tokens', 1_000_000)] });
    const results = await Promise.allSettled(Array.from({ length: 200 }, () => limiter.admit()));
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(50);
  });

  it('applies a limit only to the models that it names', async () => {
    const limiter = await createLimiter({
      key: [limit('requests', 1, { models: ['openai/*'] }), limit('requests', 9)],
    });
    await limiter.admit();
    expect((await limiter.refused()).message).to.include('1 request per 1m for openai/*');
    await limiter.admit(createExchange({ model: 'anthropic/claude' }));
    expect(await left(limiter)).to.deep.equal([0, 7]);
  });

  it('charges only the tighter of two limits of one scope that count the same', async () => {
    const limiter = await createLimiter({ key: [limit('requests', 5), limit('requests', 2), limit('requests', 3)] });
    await limiter.admit();
    await limiter.admit();
    expect((await limiter.refused()).message).to.include('2 requests per 1m');
    expect(await left(limiter)).to.deep.equal([0]);
  });

  it('reserves the cost of the most expensive target that can be used', async () => {
    const dear = target(5_000_000_000n, 50_000_000_000n);
    const dearest = target(9_000_000_000n, 90_000_000_000n, []);
    const limiter = await createLimiter({ key: [limit('cost', 1e9)] });
    await limiter.admit(createExchange({ targets: [priced, dear, dearest] }));
    expect(await left(limiter)).to.deep.equal([0.99495]);
  });

  it('counts a reservation in the window that admitted it', async () => {
    const limiter = await createLimiter({ key: [limit('requests', 1)] });
    await limiter.admit();
    limiter.clock.advance(61_000);
    await limiter.admit();
  });

  it('keeps a reservation only while its exchange runs', async () => {
    const limiter = await createLimiter({ key: [limit('concurrent', 1)] }, { lease: '1s' });
    const until = async (call: string): Promise<void> => {
      for (let waited = 0; !limiter.calls.includes(call) && waited < 5_000; waited += 5)
        await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const admission = await limiter.admit();
    limiter.clock.advance(850);
    await until('refresh');
    limiter.clock.advance(850);
    await limiter.refused();
    await admission?.settle?.(createOutcome(usageOf(1, 1)));
    limiter.calls.length = 0;
    limiter.clock.advance(850);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(limiter.calls).to.deep.equal([]);
    await limiter.plugin.close?.();
  });

  it('records the error of the reservation in a histogram if the usage is known', async () => {
    const limiter = await createLimiter({ key: [limit('tokens', 1_000), limit('requests', 10)] });
    const [first, second] = [await limiter.admit(), await limiter.admit()];
    await first?.settle?.(createOutcome(usageOf(10, 60)));
    await second?.settle?.(createOutcome(undefined));
    expect(limiter.metrics.get('reservation_error_tokens{key;tokens;1m}')).to.equal(40);
    expect(limiter.metrics.has('reservation_error_tokens{key;requests;1m}')).to.equal(false);
  });

  it('counts decisions by limit, never by key', async () => {
    const limiter = await createLimiter({ key: [limit('requests', 1)], organization: [limit('tokens', 5_000)] });
    await limiter.admit();
    await limiter.refused();
    expect(Object.fromEntries([...limiter.metrics].filter(([name]) => name.startsWith('decisions')))).to.deep.equal({
      'decisions_total{key;requests;1m,requests,allow,local}': 1,
      'decisions_total{organization;tokens;1m,tokens,allow,local}': 1,
      'decisions_total{key;requests;1m,requests,deny,local}': 1,
    });
  });
});
