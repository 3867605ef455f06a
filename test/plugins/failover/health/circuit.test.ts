import { expect } from 'chai';
import { Circuit } from '../../../../plugins/failover/health/circuit.ts';
import { settingsOf } from '../setup.ts';

const rules = settingsOf({
  circuit: { calls: 4, failures: 0.5, window: '10s', open: '1s', longest: '5s', probes: 2 },
}).circuit;

describe('a circuit', () => {
  let circuit: Circuit;
  let states: string[];
  let jitter: number;
  beforeEach(() => {
    states = [];
    jitter = 0.5;
    circuit = new Circuit({
      rules: () => rules,
      random: () => jitter,
      onChange: () => void states.push(circuit.state),
    });
  });
  const failTimes = (count: number, now: number): void => {
    for (let index = 0; index < count; index += 1) circuit.fail(now, 'transient');
  };
  /** Open until 1,000. */
  const openIt = (): void => failTimes(4, 0);
  const probe = (now: number, good: boolean, reason = 'overloaded', began = now): void => {
    expect(circuit.enter()).to.equal(true);
    if (good) circuit.succeed(now, began);
    else circuit.fail(now, reason, began);
    circuit.leave();
  };

  it('the circuit stays closed below the minimum number of calls', () => {
    failTimes(3, 0);
    expect([circuit.state, circuit.until(0)]).to.deep.equal(['closed', 0]);
    expect(states).to.deep.equal([]);
  });

  it('the circuit opens when enough of the recent calls have failed, with a reason and a time', () => {
    circuit.succeed(0);
    circuit.succeed(0);
    failTimes(1, 0);
    expect(circuit.state).to.equal('closed');
    failTimes(1, 0);
    expect([circuit.state, circuit.until(0), circuit.until(999)]).to.deep.equal(['open', 1_000, 1_000]);
    expect([states, circuit.reason]).to.deep.equal([['open'], 'transient']);
  });

  it('the circuit opens when enough calls in a row have failed, however many succeeded before', () => {
    for (let index = 0; index < 200; index += 1) circuit.succeed(0);
    failTimes(4, 0);
    circuit.succeed(0);
    failTimes(4, 0);
    expect(circuit.state).to.equal('closed');
    failTimes(1, 0);
    expect([circuit.state, circuit.reason, circuit.until(0)]).to.deep.equal(['open', 'transient', 1_000]);
  });

  it('the circuit starts counting failures in a row again once it has closed', () => {
    openIt();
    for (const now of [2_000, 2_001, 2_002]) probe(now, true);
    expect(circuit.state).to.equal('closed');
    for (let index = 0; index < 200; index += 1) circuit.succeed(2_002);
    failTimes(4, 2_002);
    expect(circuit.state).to.equal('closed');
  });

  it('failures in a row count without those of the caller with the most', () => {
    for (let index = 0; index < 200; index += 1) circuit.succeed(0);
    const failAs = (caller?: string): string => {
      circuit.fail(0, 'transient', undefined, caller);
      return circuit.state;
    };
    for (let index = 0; index < 50; index += 1) expect(failAs('alice')).to.equal('closed');
    expect(['bob', 'bob', 'carol', undefined].map(failAs)).to.deep.equal(['closed', 'closed', 'closed', 'closed']);
    expect(failAs('bob')).to.equal('open');
  });

  it('no number of failures in a row opens the circuit if the setting is 0', () => {
    circuit = new Circuit({ rules: () => ({ ...rules, consecutive: 0 }), random: () => jitter, onChange: () => {} });
    for (let index = 0; index < 200; index += 1) circuit.succeed(0);
    failTimes(50, 0);
    expect(circuit.state).to.equal('closed');
  });

  it('the circuit drops calls that are no longer recent', () => {
    failTimes(3, 0);
    failTimes(1, 11_500);
    expect(circuit.state).to.equal('closed');
    failTimes(3, 11_501);
    expect(circuit.state).to.equal('open');
  });

  it('counts a call as failed if its response breaks later', () => {
    for (let index = 0; index < 4; index += 1) circuit.succeed(0);
    circuit.failLate(0, 'transient');
    expect(circuit.state).to.equal('closed');
    circuit.failLate(0, 'transient');
    expect(circuit.state).to.equal('open');
  });

  it('lets only the configured number of probes through at once', () => {
    openIt();
    expect([circuit.until(999), circuit.until(1_000)]).to.deep.equal([1_000, 1_000]);
    circuit.enter();
    expect(circuit.until(1_000)).to.equal(1_000);
    circuit.enter();
    expect(circuit.until(1_000)).to.equal(undefined);
    circuit.leave();
    expect(circuit.until(1_000)).to.equal(1_000);
    expect(circuit.state, 'until one of them is answered').to.equal('open');
  });

  it('the circuit closes after three good probes, each of which doubles the number of probes in flight', () => {
    openIt();
    probe(1_000, true);
    expect(circuit.state).to.equal('half-open');
    for (let index = 0; index < 4; index += 1) {
      expect(circuit.until(1_001), `${index} in flight`).to.equal(1_001);
      circuit.enter();
    }
    expect(circuit.until(1_001)).to.equal(undefined);
    for (let index = 0; index < 4; index += 1) circuit.leave();
    probe(1_001, true);
    expect(circuit.state).to.equal('half-open');
    probe(1_002, true);
    expect(circuit.state).to.equal('closed');
    expect(states).to.deep.equal(['open', 'half-open', 'closed']);
    failTimes(3, 1_003);
    expect(circuit.state, 'what was before is forgotten').to.equal('closed');
  });

  it('the circuit stays open after a bad probe, and allows another after the same time', () => {
    openIt();
    for (const end of [1_000, 2_000, 3_000, 4_000]) {
      probe(end, false);
      expect(circuit.until(end)).to.equal(end + 1_000);
    }
    expect(states).to.deep.equal(['open']);
  });

  it('a refused credential is probed again after an eighth of the time since the first refusal', () => {
    circuit.trip(0, 'credential');
    const refuse = (at: number): number => {
      circuit.enter();
      circuit.trip(at, 'credential', at);
      circuit.leave();
      return (circuit.until(at) ?? Infinity) - at;
    };
    expect([1_000, 8_000, 16_000, 18_000, 32_000].map(refuse), 'and not before the usual time').to.deep.equal([
      1_000, 1_000, 2_000, 2_250, 4_000,
    ]);
    expect(refuse(3_600_000), 'up to the longest').to.equal(5_000);
    for (const later of [0, 1, 2]) probe(3_700_000 + later, true);
    circuit.trip(3_800_000, 'credential');
    expect(circuit.until(3_800_000), 'from the beginning').to.equal(3_801_000);
  });

  it('a hint makes calls probes, of which the first that fails opens the circuit', () => {
    circuit.suspect(0);
    expect([circuit.state, circuit.reason, circuit.until(0)]).to.deep.equal(['half-open', 'hint', 0]);
    for (const at of [1, 2, 3]) probe(at, true);
    expect(circuit.state).to.equal('closed');
    circuit.suspect(4);
    probe(5, false);
    expect([circuit.state, circuit.until(5)]).to.deep.equal(['open', 1_005]);
    circuit.suspect(6);
    expect(circuit.state, 'no hint closes what is open').to.equal('open');
    circuit.recheck(6);
    expect([circuit.state, circuit.until(6)]).to.deep.equal(['open', 6]);
  });

  it('allows the next probe only after as long as a slow probe took', () => {
    openIt();
    probe(4_000, false, 'timeout', 1_000);
    expect(circuit.until(4_000)).to.equal(7_000);
    probe(60_000, false, 'timeout', 10_000);
    expect(circuit.until(60_000), 'up to the longest').to.equal(65_000);
  });

  it('the circuit varies its time by a fifth, so that processes do not probe in step', () => {
    jitter = 0;
    openIt();
    expect(circuit.until(0)).to.equal(800);
    jitter = 1;
    probe(800, false);
    expect(circuit.until(800)).to.equal(800 + 1_200);
  });

  it('the circuit opens at once when it is tripped, and not for longer when it is tripped again', () => {
    circuit.trip(0, 'credential');
    circuit.trip(500, 'credential');
    circuit.fail(500, 'transient');
    expect([circuit.state, circuit.until(500), states.length]).to.deep.equal(['open', 1_000, 1]);
  });

  it('the circuit ignores successes of calls that began before it opened', () => {
    openIt();
    for (let index = 0; index < 5; index += 1) circuit.succeed(10);
    expect(circuit.state).to.equal('open');
  });
});
