import { expect } from 'chai';
import { runAtOnce, runInSlices, type Steps } from '../../../core/services/slices.ts';

/** Counts to a number; each step takes a millisecond of this process. */
function* count(to: number): Steps<number> {
  for (let step = 0; step < to; step += 1) {
    for (const end = performance.now() + 1; performance.now() < end;);
    yield;
  }
  return to;
}

describe('work in slices', () => {
  it('gives other work a turn before a slice is long', async () => {
    let turns = 0;
    const other = (): void => {
      turns += 1;
      if (turns < 1_000) setImmediate(other);
    };
    setImmediate(other);
    expect(await runInSlices(count(60))).to.equal(60);
    // Slices of 8 ms: seven turns at least, also on a slow machine.
    expect(turns).to.be.within(7, 60);
    turns = 1_000;
  });

  it('is the same at once', () => {
    expect(runAtOnce(count(3))).to.equal(3);
  });
});
