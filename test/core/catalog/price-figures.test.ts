import { expect } from 'chai';
import * as fc from 'fast-check';
import { priceUsage, type Usage, type WrittenPrice } from '../../../core/api/index.ts';
import { multiplyPrice, resolvePrice } from '../../../core/config/resolve/resolve-price.ts';

const source = { page: 'a test' };
const none: Usage = {
  inputUncached: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
  source: 'provider',
};
const MILLION = 1_000_000;
const cost = (price: WrittenPrice, usage: Partial<Usage>, factors: readonly number[] = []): bigint =>
  priceUsage(multiplyPrice(resolvePrice(price, source), ...factors), { ...none, ...usage });
const dollars = (price: WrittenPrice, usage: Partial<Usage>, factors: readonly number[] = []): number =>
  Number(cost(price, usage, factors)) / 1e9;

/** Every rate differs from the others, so that a token at the wrong rate is seen. */
const full = {
  input: 2,
  output: 11,
  cacheRead: 0.5,
  cacheWrite5m: 2.5,
  cacheWrite1h: 4,
  cacheWrite12h: 5,
  reasoning: 13,
  inputAudio: 7,
  inputImage: 3,
  inputVideo: 6,
  cacheReadAudio: 0.75,
  outputAudio: 17,
  outputImage: 19,
  request: 0.001,
  units: { webSearches: 0.01, webFetches: 0.002, images: 0.04, seconds: 0.0001 },
  tiers: { priority: 2, flex: { input: 1, output: 5 } },
  regions: { us: 1.1, eu: { input: 3, output: 15, tiers: { priority: 3 } } },
} satisfies WrittenPrice;

describe('the price of single kinds', () => {
  const cases: readonly (readonly [usage: Partial<Usage>, cost: number])[] = [
    [{ cacheWrite12h: MILLION }, 5],
    [{ cacheRead: MILLION, cacheReadAudio: 400_000 }, 0.4 * 0.75 + 0.6 * 0.5],
    [{ inputUncached: MILLION, inputAudio: 100_000, inputImage: 200_000, inputVideo: 300_000 }, 0.7 + 0.6 + 1.8 + 0.8],
    [{ units: { webSearches: 3 } }, 0.03],
    [{ units: { webFetches: 2, images: 1, seconds: 90 } }, 0.004 + 0.04 + 0.009],
    [{ units: { seconds: 12.345 } }, 0.0012345],
    [{ units: { webSearches: Number.NaN, images: -1 } }, 0],
    [{ inputUncached: MILLION, tier: 'priority' }, 4],
    [{ inputUncached: MILLION, tier: 'flex', region: 'us' }, 1.1],
    [{ inputUncached: MILLION, tier: 'priority', region: 'us' }, 4.4],
    [{ inputUncached: MILLION, region: 'eu' }, 3],
    [{ inputUncached: MILLION, region: 'eu', tier: 'priority' }, 9],
    [{ inputUncached: MILLION, region: 'eu', tier: 'flex' }, 3],
    [{ inputUncached: MILLION, region: '__proto__', tier: '__proto__' }, 2],
    [{ inputUncached: MILLION, region: 'us', units: { webSearches: 1 } }, 2.2 + 0.01],
  ];
  for (const [usage, expected] of cases)
    it(`prices ${JSON.stringify(usage)} at USD ${expected}, and each call at 0.001 more`, () =>
      expect(dollars(full, usage)).to.be.closeTo(expected + 0.001, 1e-12));

  it('prices what has no rate of its own at the rate of the kind around it, and other units at nothing', () => {
    const plain = { input: 2, output: 11, cacheRead: 0.5, cacheWrite1h: 4 };
    expect(dollars(plain, { cacheWrite12h: MILLION })).to.equal(4);
    expect(dollars(plain, { cacheRead: MILLION, cacheReadAudio: MILLION })).to.equal(0.5);
    expect(dollars(plain, { inputUncached: MILLION, inputVideo: MILLION })).to.equal(2);
    expect(dollars({ ...plain, units: { images: 1 } }, { units: { webSearches: 9, images: 1 } })).to.equal(1);
  });

  it('multiplies the whole price by the factors of provider and model', () => {
    const usage = { inputUncached: MILLION, region: 'us', units: { webSearches: 1 } };
    expect(dollars(full, usage, [0.9, 1.2])).to.be.closeTo((2.2 + 0.01 + 0.001) * 1.08, 1e-12);
  });
});

const count = fc.nat({ max: MILLION });
const usages = fc.record({
  inputUncached: count,
  cacheRead: count,
  cacheWrite5m: count,
  cacheWrite1h: count,
  cacheWrite12h: count,
  output: count,
  reasoning: count,
  inputAudio: count,
  inputImage: count,
  inputVideo: count,
  cacheReadAudio: count,
  outputAudio: count,
  outputImage: count,
  units: fc.record({ webSearches: fc.nat(99), webFetches: fc.nat(99), images: fc.nat(99), seconds: fc.nat(9_999) }),
});
const factors = fc.integer({ min: 1, max: 3_000_000 }).map((millionths) => millionths / 1e6);

describe('prices of all kinds', () => {
  const rate = fc.nat({ max: 200_000 }).map((thousandths) => thousandths / 1_000);
  const prices = fc.record({
    input: rate,
    output: rate,
    cacheRead: rate,
    cacheWrite5m: rate,
    cacheWrite1h: rate,
    cacheWrite12h: rate,
    inputVideo: rate,
    cacheReadAudio: rate,
    units: fc.record({ webSearches: rate, seconds: rate }),
  });

  it('the price of a usage is the sum of the prices of its input, cache, output and units', () => {
    fc.assert(
      fc.property(prices, usages, (price, usage) => {
        const { inputUncached, inputAudio, inputImage, inputVideo } = usage;
        const { output, reasoning, outputAudio, outputImage, cacheRead, cacheReadAudio } = usage;
        const { cacheWrite5m, cacheWrite1h, cacheWrite12h, units } = usage;
        const parts = [
          { inputUncached, inputAudio, inputImage, inputVideo },
          { output, reasoning, outputAudio, outputImage },
          { cacheRead, cacheReadAudio },
          { cacheWrite5m },
          { cacheWrite1h },
          { cacheWrite12h },
          { units },
        ];
        const sum = parts.reduce((total, part) => total + cost(price, part), 0n);
        const difference = cost(price, usage) - sum;
        expect(difference > -BigInt(parts.length) && difference < BigInt(parts.length)).to.equal(true);
      }),
    );
  });

  it('no token is priced twice: at one rate for all kinds, a usage costs its tokens', () => {
    const one = Object.fromEntries(
      Object.entries(full).flatMap(([kind, value]) => (typeof value === 'number' ? [[kind, 1]] : [])),
    );
    fc.assert(
      fc.property(usages, ({ units: _units, ...usage }) => {
        const { inputUncached, cacheRead, cacheWrite5m, cacheWrite1h, cacheWrite12h, output } = usage;
        const tokens = inputUncached + cacheRead + cacheWrite5m + cacheWrite1h + cacheWrite12h + output;
        expect(cost({ input: 1, output: 1, ...one, request: 0 }, usage)).to.equal(BigInt(tokens) * 1_000n);
      }),
    );
  });

  it('the order of the factors does not matter, and all are rounded once', () => {
    fc.assert(
      fc.property(prices, usages, factors, factors, factors, (price, usage, first, second, third) => {
        const { units, ...tokens } = usage;
        const call = { ...tokens, tier: 't', region: 'r' };
        const of = (tier: number, region: number, factor: number) =>
          cost({ ...price, tiers: { t: tier }, regions: { r: region } }, call, [factor]);
        expect(of(first, second, third)).to.equal(of(third, first, second));
        expect(of(first, second, third)).to.equal(of(second, third, first));
        expect(cost(price, usage, [first, second])).to.equal(cost(price, usage, [second, first]));
        expect(cost(price, { units })).to.equal(cost({ ...price, tiers: { t: first } }, { units, tier: 't' }));
      }),
    );
  });

  it('a factor on a tier costs what a card with the multiplied rates costs', () => {
    fc.assert(
      fc.property(prices, usages, fc.constantFrom(0.5, 2, 3), ({ units: _units, ...rates }, usage, factor) => {
        const multiplied = Object.fromEntries(Object.entries(rates).map(([kind, value]) => [kind, value * factor]));
        const card = { ...rates, ...multiplied };
        const call = { ...usage, tier: 't' };
        expect(cost({ ...rates, tiers: { t: factor } }, call)).to.equal(cost({ ...rates, tiers: { t: card } }, call));
      }),
    );
  });
});

describe('the version of a price', () => {
  const versionOf = (price: WrittenPrice): string => resolvePrice(price, source).version;

  it('is unchanged for prices without the newer figures', () => {
    expect(versionOf({ input: 2, output: 8, cacheRead: 0.5 })).to.equal('4d8939054b7c8248');
    expect(
      versionOf({
        input: 2.5,
        output: 10,
        reasoning: 12,
        request: 0.001,
        longContext: [{ above: 200_000, input: 5, output: 20 }],
        tiers: { flex: { input: 1, output: 5 } },
      }),
    ).to.equal('39952ee183639782');
  });

  it('changes with every figure', () => {
    const changed: readonly Partial<WrittenPrice>[] = [
      ...Object.entries(full).flatMap(([kind, value]) =>
        typeof value === 'number' ? [{ [kind]: value + 0.001 }] : [],
      ),
      ...Object.keys(full.units).map((unit) => ({ units: { ...full.units, [unit]: 0.5 } })),
      { units: { ...full.units, images: { '1024x1024': 0.5 } } },
      { units: { ...full.units, images: { '1024x1024': { low: 0.5 } } } },
      { units: { ...full.units, images: { '1024x1024': { low: 0.5, high: 0.6 }, 'default': 0.5 } } },
      { tiers: { ...full.tiers, priority: 2.5 } },
      { tiers: { ...full.tiers, flex: { input: 1, output: 5, cacheWrite12h: 1 } } },
      { regions: { ...full.regions, us: 1.2 } },
      { regions: { ...full.regions, eu: { input: 3, output: 15, tiers: { priority: 4 } } } },
      {},
    ];
    const versions = changed.map((change) => versionOf({ ...full, ...change }));
    expect(new Set(versions).size).to.equal(versions.length);
  });

  it('changes with a factor other than 1, and not with the dates', () => {
    const price = resolvePrice(full, source);
    expect(multiplyPrice(price, 1, 1)).to.equal(price);
    expect(multiplyPrice(price, 0.5, 2)).to.equal(price);
    expect(multiplyPrice(price, 0.9).version).to.not.equal(price.version);
    expect(multiplyPrice(price, 0.9, 1.5).version).to.equal(multiplyPrice(price, 1.5, 0.9).version);
    expect(versionOf({ ...full, from: '2027-01-01', until: '2028-01-01' })).to.equal(price.version);
  });
});
