import { expect } from 'chai';
import { createBackOff, createCrashLoopDetector } from '../../../../core/server/primary/restarts.ts';

describe('the back-off of a worker', () => {
  it('doubles the delay of a restart from 100 ms to 10 s if the worker never served', () => {
    const backOff = createBackOff();
    expect(Array.from({ length: 9 }, () => backOff(1_000, false))).to.deep.equal([
      100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000,
    ]);
  });
  it('waits for 1 s at most if the worker served', () => {
    const backOff = createBackOff();
    expect(Array.from({ length: 6 }, () => backOff(1_000, true))).to.deep.equal([100, 200, 400, 800, 1_000, 1_000]);
  });
  it('a worker that lived for 30 s has its successor at once, and further ones again from 100 ms on', () => {
    const backOff = createBackOff();
    expect([0, 29_999, 0, 30_000, 0, 0].map((lived) => backOff(lived, true))).to.deep.equal([
      100, 200, 400, 0, 100, 200,
    ]);
  });
});

describe('the crash loop detector', () => {
  it('reports a crash loop at the sixth exit within a minute', () => {
    let now = 0;
    const isLooping = createCrashLoopDetector({ monotonic: () => now });
    expect(
      Array.from({ length: 6 }, () => {
        now += 11_000;
        return isLooping();
      }),
    ).to.deep.equal([false, false, false, false, false, true]);
  });
  it('occasional exits are not reported as a crash loop', () => {
    let now = 0;
    const isLooping = createCrashLoopDetector({ monotonic: () => now });
    expect(
      Array.from({ length: 50 }, () => {
        now += 12_000;
        return isLooping();
      }),
    ).not.to.include(true);
  });
});
