import { expect } from 'chai';
import { createBackOff, createCrashLoopDetector } from '../../../../core/server/primary/restarts.ts';

describe('the back-off of a worker', () => {
  it('doubles the delay of a restart from 100 ms to 10 s', () => {
    const backOff = createBackOff();
    expect(Array.from({ length: 9 }, () => backOff(1_000))).to.deep.equal([
      100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000,
    ]);
  });
  it('starts again at a delay of 100 ms after a life of 30 s', () => {
    const backOff = createBackOff();
    expect([0, 29_999, 0, 30_000, 0].map(backOff)).to.deep.equal([100, 200, 400, 100, 200]);
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
