import { expect } from 'chai';
import { normalizeForSearch, normalizeInSteps } from '../../../../core/canonical/text/normalize-for-search.ts';

describe('texts that are normalized for a search', () => {
  it('normalizes few marks at once, because many take quadratic time', () => {
    const marks = `a${'\u0301\u0316'.repeat(10_000)} e\u0301`;
    const { normalize } = String.prototype;
    let longest = 0;
    String.prototype.normalize = function (this: string, form?: string): string {
      longest = Math.max(longest, this.length);
      return normalize.call(this, form);
    };
    try {
      expect(normalizeForSearch(marks)?.text.endsWith(' é')).to.equal(true);
    } finally {
      String.prototype.normalize = normalize;
    }
    expect(longest).to.be.within(2, 32);
  });

  it('yields more steps the more characters change', () => {
    const stepsOf = (text: string): number => [...normalizeInSteps(text)].reduce((sum, steps) => sum + steps, 0);
    expect(stepsOf('plain text')).to.equal(0);
    expect(stepsOf('Ｘ'.repeat(10_000))).to.be.at.least(1_000_000);
    expect(stepsOf('\uFDFA'.repeat(10_000)), 'becomes longer').to.be.above(stepsOf('Ｘ'.repeat(10_000)));
    expect(Math.max(...normalizeInSteps('Ｘ'.repeat(100_000)))).to.be.below(110_000);
  });
});
