import { expect } from 'chai';
import type { Headers } from '../../../core/api/index.ts';
import { createLimitReader } from '../../../core/api/codec.ts';

const read = createLimitReader(
  ['requests', 'tokens'].map((unit) => ({ unit, limit: `limit-${unit}`, remaining: `left-${unit}` })),
);

describe('the headers with which a vendor reports its limits', () => {
  it('reads the rate limit headers in pairs', () => {
    expect(
      read({ 'limit-requests': '100', 'left-requests': '7', 'limit-tokens': '40000', 'left-tokens': '0' }),
    ).to.deep.equal([
      { unit: 'requests', limit: 100, remaining: 7 },
      { unit: 'tokens', limit: 40_000, remaining: 0 },
    ]);
  });

  const silent: Readonly<Record<string, Headers>> = {
    'without the other half': { 'left-requests': '7' },
    'empty': { 'limit-requests': '100', 'left-requests': '' },
    '-1, as Azure writes what it does not know': { 'limit-requests': '100', 'left-requests': '-1' },
    'a limit of 0, as Azure writes it too': { 'limit-requests': '0', 'left-requests': '0' },
    'no number': { 'limit-requests': 'many', 'left-requests': 'some' },
  };
  for (const [name, headers] of Object.entries(silent)) {
    it(`returns no limit for headers that are ${name}`, () => {
      expect(read(headers)).to.deep.equal([]);
    });
  }
});
