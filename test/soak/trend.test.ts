import { expect } from 'chai';
import { growthOf, medianOf, slopeOf } from '../../tools/soak/trend.ts';
import { createRotation } from '../../tools/soak/rotation.ts';

describe('trends', () => {
  it('a trend has the median of its values', () => {
    expect([medianOf([3, 1, 2]), medianOf([4, 1, 3, 2]), medianOf([7])]).to.deep.equal([2, 2.5, 7]);
    expect(medianOf([])).to.be.NaN;
  });
  it('a trend has a slope that outliers do not change', () => {
    expect(
      slopeOf([
        [0, 1],
        [1, 3],
        [2, 5],
      ]),
    ).to.equal(2);
    expect(
      slopeOf([
        [0, 1],
        [1, 0],
        [2, 1],
        [3, 0],
        [4, 1],
      ]),
    ).to.be.closeTo(0, 1e-9);
  });
  it('a trend compares the last quarter with the second, so that a warm-up is not growth', () => {
    expect(growthOf([1, 9, 10, 10, 10, 10, 10, 10])).to.be.closeTo(10 / 10 - 1, 1e-9);
    expect(growthOf([1, 1, 10, 10, 11, 11, 12, 12])).to.be.closeTo(0.2, 1e-9);
  });
});

describe('turns', () => {
  const take = (turns: () => string | undefined, count: number) => Array.from({ length: count }, turns);

  it('turns select each item equally often, for a share of the calls', () => {
    const found = take(createRotation(['a', 'b', 'c'], 0.05), 6_000).filter((item) => item !== undefined);
    expect(found.length).to.be.within(299, 300);
    for (const item of ['a', 'b', 'c']) expect(found.filter((other) => other === item).length).to.be.within(99, 100);
  });
  it('turns select nothing for a share of 0, and an item each time for a share of 1', () => {
    expect(take(createRotation(['a'], 0), 5)).to.deep.equal(Array.from({ length: 5 }));
    expect(take(createRotation(['a', 'b'], 1), 3)).to.deep.equal(['a', 'b', 'a']);
  });
});
