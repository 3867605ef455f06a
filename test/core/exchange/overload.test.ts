import { expect } from 'chai';
import { createOverload } from '../../../core/exchange/overload.ts';
import { createMetrics } from '../../../core/services/metrics.ts';
import { GatewayError } from '../../../core/index.ts';
import { createLogList } from './sample-exchange.ts';

describe('overload', () => {
  const limits = { inFlight: 2, lag: 500 };
  const start = () => {
    const log = createLogList();
    const metrics = createMetrics();
    const clock = { now: 0 };
    const overload = createOverload(limits, log, metrics, () => clock.now);
    const enter = (): (() => void) | GatewayError => {
      try {
        return overload.enter();
      } catch (thrown) {
        if (GatewayError.is(thrown)) return thrown;
        throw thrown;
      }
    };
    const shed = async (): Promise<object> => {
      const values = (await metrics.snapshot()).find(({ name }) => name === 'koine_shed_total')?.series ?? [];
      return Object.fromEntries(values.map(({ labels, figures }) => [labels['reason'], figures[0]]));
    };
    return { log, clock, overload, enter, shed };
  };

  it('is more exchanges at once than there may be, until one of them has left', async () => {
    const { overload, enter, shed } = start();
    const [leave] = [overload.enter(), overload.enter()];
    expect(enter()).to.include({ code: 'overloaded', status: 503, shownWait: 1 });
    leave();
    expect(enter()).to.be.a('function');
    expect(enter()).to.include({ code: 'overloaded' });
    expect(await shed()).to.deep.equal({ in_flight: 2, lag: 0, connections: 0 });
  });

  it('is an event loop that is late twice in a row, and no longer when it is in time once', async () => {
    const { overload, enter, shed } = start();
    const passes = (): boolean => {
      const entered = enter();
      if (typeof entered === 'function') entered();
      return typeof entered === 'function';
    };
    const after = (ms: number): boolean => {
      overload.observeLag(ms);
      return passes();
    };
    expect([after(900), after(0), after(501), after(500), after(501), after(501), after(9_000), after(499), after(501)]).to.deep.equal([true, true, true, true, true, false, false, true, true]);
    expect(await shed()).to.deep.equal({ in_flight: 0, lag: 2, connections: 0 });
  });

  it('counts connections that were refused', async () => {
    const { overload, shed } = start();
    overload.refuseConnection();
    expect(await shed()).to.deep.equal({ in_flight: 0, lag: 0, connections: 1 });
  });

  it('is said in the log, and not for every request', () => {
    const { overload, enter, log, clock } = start();
    overload.enter();
    overload.enter();
    for (clock.now = 0; clock.now < 9_000; clock.now += 10) enter();
    overload.observeLag(249);
    overload.observeLag(251);
    expect(log.lines).to.deep.equal([
      { level: 'warn', fields: { reason: 'in_flight', inFlight: 2 }, text: 'overloaded: requests are refused' },
      { level: 'warn', fields: { reason: 'in_flight', inFlight: 2 }, text: 'overloaded: requests are refused' },
      { level: 'warn', fields: { ms: 251, inFlight: 2 }, text: 'the event loop stood still: something computed for so long without a pause' },
    ]);
  });
});
