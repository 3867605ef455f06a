import { expect } from 'chai';
import { describePrice } from '../../../core/catalog/describe-price.ts';
import { multiplyPrice, resolvePrice } from '../../../core/config/resolve/resolve-price.ts';

describe('describePrice', () => {
  it('describes a price as written, with all defaults', () => {
    const price = resolvePrice(
      {
        input: 2.5,
        output: 10,
        reasoning: 12,
        inputAudio: 0.000_000_001,
        request: 0.5,
        longContext: [{ above: 9, input: 5, output: 15 }],
        tiers: { flex: { input: 1, output: 5, cacheRead: 0.1 } },
      },
      { page: 'https://example.com/prices', seen: '2026-11-21' },
    );
    expect(describePrice(price)).to.deep.equal({
      input: 2.5,
      output: 10,
      cacheRead: 2.5,
      cacheWrite5m: 2.5,
      cacheWrite1h: 2.5,
      reasoning: 12,
      inputAudio: 0.000_000_001,
      request: 0.5,
      longContext: [{ above: 9, input: 5, output: 15, cacheRead: 5, cacheWrite5m: 5, cacheWrite1h: 5 }],
      tiers: { flex: { input: 1, output: 5, cacheRead: 0.1, cacheWrite5m: 1, cacheWrite1h: 1 } },
      version: price.version,
      source: 'https://example.com/prices',
      seen: '2026-11-21',
    });
  });

  it('describes units, factors, regions and dates', () => {
    const written = {
      input: 2,
      output: 8,
      cacheWrite12h: 4,
      units: { webSearches: 0.01 },
      tiers: { priority: 1.75 },
      regions: { us: 1.1, eu: { input: 3, output: 9, tiers: { priority: 2 } } },
      from: '2027-01-01',
      until: '2027-07-01T12:00:00Z',
    };
    const described = describePrice(multiplyPrice(resolvePrice(written, { page: 'gateway.yaml' }), 0.9, 1.2));
    const caches = (input: number) => ({ cacheRead: input, cacheWrite5m: input, cacheWrite1h: input });
    expect(described).to.deep.equal({
      ...written,
      ...caches(2),
      regions: { us: 1.1, eu: { ...written.regions.eu, ...caches(3) } },
      from: '2027-01-01T00:00:00.000Z',
      until: '2027-07-01T12:00:00.000Z',
      factor: 1.08,
      version: described.version,
      source: 'gateway.yaml',
    });
  });

  it('describes a price of the file without a date', () => {
    expect(describePrice(resolvePrice({ input: 1, output: 2 }, { page: 'gateway.yaml' }))).to.not.have.any.keys(
      'seen',
      'longContext',
      'tiers',
      'request',
    );
  });
});
