import { expect } from 'chai';
import { inputTotal } from '../../../core/api/index.ts';
import { readCount, readParts, writeExtraMembers, type Loss } from '../../../core/api/codec.ts';

describe('counts', () => {
  it('reads counts as integers of at least 0', () => {
    for (const [value, count] of [
      [5, 5],
      [0, 0],
      [2.9, 2],
      [-3, 0],
      [null, 0],
      [undefined, 0],
      ['7', 0],
      [Number.NaN, 0],
      [Number.POSITIVE_INFINITY, 0],
      [1e300, 0],
      [1e18, 0],
      [100_000_000, 100_000_000],
      [100_000_001, 0],
      [{}, 0],
    ] as const) {
      expect(readCount(value), String(value)).to.equal(count);
    }
  });
  it('limits the counts of token kinds to the total, and omits zero counts', () => {
    expect(readParts(10, { inputAudio: 4, inputImage: 9 })).to.deep.equal({ inputAudio: 4, inputImage: 6 });
    expect(readParts(10, { inputAudio: null, inputImage: 3 })).to.deep.equal({ inputImage: 3 });
    expect(readParts(0, { inputAudio: 3 })).to.deep.equal({});
  });
  it('the input total is the sum of its disjoint parts', () => {
    expect(
      inputTotal({
        inputUncached: 1,
        cacheRead: 20,
        cacheWrite5m: 300,
        cacheWrite1h: 4000,
        output: 9,
        reasoning: 9,
        source: 'provider',
      }),
    ).to.equal(4321);
  });
});

describe('writeExtraMembers', () => {
  const losses: Loss[] = [];
  const lose = (field: string, kind: Loss['kind'], detail: string): void => void losses.push({ field, kind, detail });
  beforeEach(() => losses.splice(0));

  it('writeExtraMembers writes the members on their own wire', () => {
    expect(writeExtraMembers({ wire: 'messages', members: { a: 1 } }, 'messages', lose)).to.deep.equal({ a: 1 });
    expect(losses).to.deep.equal([]);
  });
  it('writeExtraMembers reports each member as a loss on another wire', () => {
    expect(
      writeExtraMembers({ wire: 'messages', members: { a: 1, b: 2 } }, 'responses', lose, 'messages[2].'),
    ).to.deep.equal({});
    expect(losses.map(({ field, kind }) => [field, kind])).to.deep.equal([
      ['messages[2].a', 'dropped'],
      ['messages[2].b', 'dropped'],
    ]);
  });
  it('writeExtraMembers accepts undefined', () =>
    expect(writeExtraMembers(undefined, 'messages', lose)).to.deep.equal({}));
});
