import { expect } from 'chai';
import type { AttemptRecord } from '../../../core/api/index.ts';
import { attemptKind } from '../../../plugins/metrics/upstream-meters.ts';

const record = (target: string): AttemptRecord => ({
  target,
  credential: 'main',
  lane: 'native',
  committed: false,
  status: 0,
  ms: 1,
  losses: [],
});

describe('attemptKind', () => {
  const attempts = ['a/m', 'a/m', 'b/m', 'a/m'].map(record);

  it('distinguishes first attempts, retries of a target, and fallbacks to another target', () => {
    expect(attempts.map((attempt) => attemptKind({ attempts }, attempt))).to.deep.equal([
      'first',
      'retry',
      'fallback',
      'retry',
    ]);
  });
});
