import { expect } from 'chai';
import { omitUndefined } from '../../../../core/api/codec.ts';
import { Latency } from '../../../../plugins/failover/health/latency.ts';
import { FleetHealth } from '../../../../plugins/failover/admin/fleet-health.ts';
import type { Note } from '../../../../plugins/failover/admin/messages.ts';

const healthKey = { provider: 'openai', model: 'gpt', credential: 'key-1' };
const circuit = (state: 'open' | 'half-open' | 'closed', until?: number): Note =>
  omitUndefined({
    kind: 'circuit',
    healthKey,
    state,
    reason: 'transient',
    until,
  });
const cooling = (until: number): Note => ({ kind: 'cooling', healthKey, reason: 'rate-limit', until });

describe('the fleet health of a host', () => {
  it('shows the worst state that any process has reported', () => {
    const fleet = new FleetHealth();
    fleet.note(1, circuit('half-open'));
    fleet.note(2, circuit('open', 500));
    fleet.note(3, circuit('closed'));
    expect(fleet.list(100)).to.deep.equal([{ ...healthKey, state: 'open', reason: 'transient', until: 500 }]);
  });

  it('fleet health shows the longer of two open circuits', () => {
    const fleet = new FleetHealth();
    fleet.note(1, circuit('open', 900));
    fleet.note(2, circuit('open', 500));
    expect(fleet.list(100)[0]?.until).to.equal(900);
  });

  it('names the affected callers of every process, and none if one process reports all callers', () => {
    const fleet = new FleetHealth();
    fleet.note(1, { ...circuit('open', 500), callers: ['acme/web/alice'] });
    fleet.note(2, { ...circuit('open', 400), callers: ['acme/web/bob', 'acme/web/alice'] });
    expect(fleet.list(100)[0]).to.deep.include({ until: 500, callers: ['acme/web/alice', 'acme/web/bob'] });
    fleet.note(3, circuit('open', 300));
    expect(fleet.list(100)[0]).to.not.have.property('callers');
  });

  it('fleet health shows the latest report of each process', () => {
    const fleet = new FleetHealth();
    fleet.note(1, circuit('open', 500));
    fleet.note(1, circuit('closed'));
    expect(fleet.list(100)).to.deep.equal([{ ...healthKey, state: 'closed' }]);
  });

  it('shows a cooldown until it is over, and an open circuit until a probe succeeds', () => {
    const fleet = new FleetHealth();
    fleet.note(1, cooling(200));
    expect(fleet.list(199)).to.deep.equal([{ ...healthKey, state: 'cooling', reason: 'rate-limit', until: 200 }]);
    expect(fleet.list(200)).to.deep.equal([{ ...healthKey, state: 'closed' }]);
    fleet.note(1, circuit('open', 200));
    expect(fleet.list(300)[0]?.state).to.equal('open');
  });

  it('fleet health drops the reports of a process that has ended', () => {
    const fleet = new FleetHealth();
    fleet.note(1, circuit('open', 500));
    fleet.forget(1);
    expect(fleet.list(100)).to.deep.equal([]);
  });

  it('has what the workers have learnt together, also after one has ended', () => {
    const fleet = new FleetHealth();
    for (const worker of [1, 2]) {
      const latency = new Latency();
      latency.share(fleet.latency('generate one/a'), 0);
      for (let count = 0; count < 30; count += 1) latency.add(0, 500 * worker);
      fleet.forget(worker);
    }
    expect(fleet.quantiles).to.deep.equal({ 'generate one/a': 1_000 });
  });
});
