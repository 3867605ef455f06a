import { expect } from 'chai';
import { Timer } from '../../../core/services/timer.ts';
import { useSimulatedTime } from './simulated-time.ts';

describe('simulated time', () => {
  let earlier: Timer | undefined;
  before(() => (earlier = new Timer(3_600_000, () => {})));
  after(() => earlier?.stop());
  useSimulatedTime();

  it('moves the timers of core, although one of an earlier test waits in real time', async () => {
    const began = performance.now();
    await new Promise<void>((resolve) => new Timer(2_000, resolve));
    expect(performance.now() - began).to.be.within(2_000, 2_600);
  });
});
