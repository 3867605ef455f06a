import { expect } from 'chai';
import { inputTotal, type Usage } from '../../../core/api/index.ts';
import { sumUsages } from '../../../core/canonical/usage.ts';
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
        cacheWrite12h: 50_000,
        output: 9,
        reasoning: 9,
        source: 'provider',
      }),
    ).to.equal(54_321);
  });
});

describe('the sum of usages', () => {
  const usage = (members: Partial<Usage>): Usage => ({
    inputUncached: 1,
    cacheRead: 0,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    output: 2,
    reasoning: 0,
    source: 'provider',
    ...members,
  });

  it('the sum of no usage is undefined', () => {
    expect(sumUsages([])).to.equal(undefined);
  });

  it('the sum adds units and optional counts, and keeps a region that all calls share', () => {
    const one = usage({ units: { webSearches: 2, images: 1 }, cacheReadAudio: 3, region: 'us' });
    const other = usage({ units: { webSearches: 1 }, inputVideo: 4, region: 'us' });
    expect(sumUsages([one, other])).to.deep.equal(
      usage({
        inputUncached: 2,
        output: 4,
        units: { webSearches: 3, images: 1 },
        cacheReadAudio: 3,
        inputVideo: 4,
        region: 'us',
      }),
    );
    expect(sumUsages([one, usage({ region: 'eu' })])).to.not.have.property('region');
  });

  it('the sum contains the further calls of the vendor, and is that of one call if there are none', () => {
    const further = [usage({ inputUncached: 100, output: 30, model: 'other' })];
    const sum = sumUsages([usage({ further, raw: 'of the vendor' })]);
    expect(sum).to.deep.equal(usage({ inputUncached: 101, output: 32 }));
    const single = usage({ raw: 'of the vendor' });
    expect(sumUsages([single])).to.equal(single);
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
