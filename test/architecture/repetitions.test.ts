import { expect } from 'chai';
import { findRepetitions } from './repetitions.ts';
import { sourceFiles } from './source-files.ts';

/** Nodes: about ten lines. Often there are not many ways to write what is shorter. */
const SMALLEST = 80;

const path = 'core/one.ts';
const otherPath = 'core/other.ts';

const text = `
export const total = (prices: readonly number[], limit: number): number => {
  let sum = 0;
  for (const price of prices) {
    if (price > limit) continue;
    sum = sum + price;
  }
  console.log('total', sum);
  return sum === 0 ? limit : Math.min(sum, limit);
};
`;
const renamed = text
  .replaceAll('total', 'longest')
  .replaceAll('prices', 'lengths')
  .replaceAll('price', 'length')
  .replaceAll('sum', 'all')
  .replaceAll('limit', 'most');

describe('repetitions', () => {
  it('no function, class or sequence of statements stands twice in the sources, whatever its names', () => {
    expect(findRepetitions(sourceFiles, SMALLEST)).to.deep.equal([]);
  });

  it('are found under other names', () => {
    const [found, ...others] = findRepetitions(
      [
        { path, text },
        { path: otherPath, text: renamed },
      ],
      40,
    );
    expect(found?.places).to.deep.equal(['core/one.ts:2', 'core/other.ts:2']);
    expect(others).to.deep.equal([]);
  });

  it('are found as statements of longer functions', () => {
    const longer = renamed.replace('let all', "console.log('first');\n  let all").replace('Math.min', 'Math.max');
    const places = findRepetitions([{ path, text: text + longer }], 30).map((found) => found.places);
    expect(places).to.deep.equal([['core/one.ts:3', 'core/one.ts:14']]);
  });

  it('are none with another operator, or another order of names', () => {
    const differs = (other: string): unknown =>
      findRepetitions(
        [
          { path, text },
          { path: otherPath, text: other },
        ],
        40,
      );
    expect(differs(text.replace('sum + price', 'sum - price'))).to.deep.equal([]);
    expect(differs(text.replace('sum + price', 'price + sum'))).to.deep.equal([]);
  });
});
