import { expect } from 'chai';
import { normalizeForSearch, normalizeInSteps } from '../../../../core/canonical/text/normalize-for-search.ts';

const stepsOf = (text: string): number => [...normalizeInSteps(text)].reduce((sum, steps) => sum + steps, 0);

describe('texts that are normalized for a search', () => {
  it('normalizes at most 30 marks at once, because many take quadratic time', () => {
    const marks = '\u0301\u0316'.repeat(15_000);
    // 30,000 marks are 1,000 times what is normalized at once, and each counts.
    expect(stepsOf(`a${marks}`)).to.be.at.least(1_000 * 30);
    expect(normalizeForSearch(`a${marks} e\u0301`)?.text.endsWith(' é')).to.equal(true);
  });

  it('yields more steps the more characters change', () => {
    expect(stepsOf('plain text')).to.equal(0);
    expect(stepsOf('Ｘ'.repeat(10_000))).to.be.at.least(1_000_000);
    expect(stepsOf('\uFDFA'.repeat(10_000)), 'becomes longer').to.be.above(stepsOf('Ｘ'.repeat(10_000)));
    expect(Math.max(...normalizeInSteps('Ｘ'.repeat(100_000)))).to.be.below(110_000);
  });
});
