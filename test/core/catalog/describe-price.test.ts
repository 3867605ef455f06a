import { expect } from 'chai';
import { describePrice } from '../../../core/catalog/describe-price.ts';
import { resolvePrice } from '../../../core/config/resolve/resolve-price.ts';

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

  it('describes a price of the file without a date', () => {
    expect(describePrice(resolvePrice({ input: 1, output: 2 }, { page: 'gateway.yaml' }))).to.not.have.any.keys(
      'seen',
      'longContext',
      'tiers',
      'request',
    );
  });
});
