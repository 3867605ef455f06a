import { expect } from 'chai';
import { readMoveOn } from '../../../../plugins/failover/attempts/move-on.ts';
import { Latency } from '../../../../plugins/failover/health/latency.ts';
import { settingsOf } from '../setup.ts';

const settings = settingsOf();

const latencyOf = (...times: readonly number[]): Latency => {
  const latency = new Latency();
  for (const time of times) latency.add(0, time);
  return latency;
};
const repeat = (count: number, time: number): readonly number[] => Array.from({ length: count }, () => time);

describe('when a request moves on', () => {
  it('the configured times apply until 50 responses of the target are known', () => {
    const latency = latencyOf(...repeat(49, 5_000));
    expect(readMoveOn(settings, 'streamed', latency)).to.deep.equal({ milliseconds: 120_000, from: 'streamed' });
    expect(readMoveOn(settings, 'generate', latency)).to.deep.equal({ milliseconds: 300_000, from: 'plain' });
    latency.add(0, 5_000);
    expect(readMoveOn(settings, 'streamed', latency)).to.deep.equal({ milliseconds: 20_000, from: 'times' });
  });

  it('the time is four times the 99th percentile, within the least and the most', () => {
    const cases: readonly (readonly [time: number, streamed: number, plain: number])[] = [
      [10, 15_000, 60_000],
      [5_000, 20_000, 60_000],
      [29_000, 116_000, 116_000],
      [31_000, 120_000, 124_000],
      [90_000, 120_000, 300_000],
    ];
    for (const [time, streamed, plain] of cases) {
      const latency = latencyOf(...repeat(99, time), time * 50);
      expect(readMoveOn(settings, 'streamed', latency).milliseconds, `${time}`).to.equal(streamed);
      expect(readMoveOn(settings, 'generate', latency).milliseconds, `${time}`).to.equal(plain);
      expect(readMoveOn(settings, 'embed', latency).milliseconds, `${time}`).to.equal(plain);
    }
  });

  it('with times 0, and where the configured time is shorter, the configured time applies', () => {
    const latency = latencyOf(...repeat(100, 10));
    expect(readMoveOn(settingsOf({ moveOn: { times: 0 } }), 'streamed', latency).milliseconds).to.equal(120_000);
    expect(readMoveOn(settingsOf({ moveOn: { streamed: '3s' } }), 'streamed', latency)).to.deep.equal({
      milliseconds: 3_000,
      from: 'streamed',
    });
  });

  it('only the latest 100 responses count', () => {
    const latency = latencyOf(...repeat(100, 90_000), ...repeat(100, 5_000));
    expect(readMoveOn(settings, 'streamed', latency).milliseconds).to.equal(20_000);
  });

  it('attempts that were ended early make it longer if others work, but not if the target is silent', () => {
    const silent = latencyOf(...repeat(100, 5_000));
    for (let index = 0; index < 50; index += 1) silent.addEnded(20_000);
    for (const time of repeat(20, 5_000)) silent.add(0, time);
    expect(readMoveOn(settings, 'streamed', silent).milliseconds).to.equal(20_000);
    expect(silent.usual).to.equal(5_000);
    const slow = latencyOf(...repeat(100, 5_000));
    for (let index = 0; index < 2; index += 1) {
      slow.addEnded(20_000);
      for (const time of repeat(20, 5_000)) slow.add(0, time);
    }
    expect(readMoveOn(settings, 'streamed', slow).milliseconds).to.equal(80_000);
  });
});
