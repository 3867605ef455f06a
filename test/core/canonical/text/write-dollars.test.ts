import { expect } from 'chai';
import { writeDollars } from '../../../../core/canonical/text/write-dollars.ts';

describe('writeDollars', () => {
  const cases: readonly (readonly [nano: bigint, text: string])[] = [
    [0n, '0'],
    [1n, '0.000000001'],
    [900n, '0.0000009'],
    [1_000_000_000n, '1'],
    [9_007_199_254_740_993n, '9007199.254740993'],
    [-1_500_000_000n, '-1.5'],
  ];
  for (const [nano, text] of cases)
    it(`writes ${nano} nano-dollars as ${text}`, () => {
      expect(writeDollars(nano)).to.equal(text);
    });
});
