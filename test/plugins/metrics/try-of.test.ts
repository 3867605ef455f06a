import { expect } from 'chai';
import type { AttemptRecord } from '../../../core/index.ts';
import { tryOf } from '../../../plugins/metrics/try-of.ts';

const record = (target: string): AttemptRecord => ({
  target,
  credential: 'main',
  lane: 'native',
  committed: false,
  status: 0,
  ms: 1,
  losses: [],
});

describe('metrics: which try an attempt was', () => {
  const attempts = ['a/m', 'a/m', 'b/m', 'a/m'].map(record);

  it('is the first, a retry of a target that was tried, or a fallback to another', () => {
    expect(attempts.map((attempt) => tryOf({ attempts }, attempt))).to.deep.equal([
      'first',
      'retry',
      'fallback',
      'retry',
    ]);
  });
});
