import { expect } from 'chai';
import type { Alert } from '../../../../core/contracts/services.ts';
import { omitUndefined } from '../../../../core/api/codec.ts';
import { CircuitAlerts } from '../../../../plugins/failover/admin/circuit-alerts.ts';
import type { Note } from '../../../../plugins/failover/admin/messages.ts';
import { until } from '../../../support/until.ts';

type State = 'open' | 'half-open' | 'closed';
const circuit = (model: string, state: State, callers?: readonly string[]): Note =>
  omitUndefined({
    kind: 'circuit' as const,
    healthKey: { provider: 'openai', model, credential: 'key-1' },
    state,
    reason: 'transient',
    callers,
  });

describe('alerts of circuits', () => {
  let raised: Alert[];
  let isFirst: boolean;
  let alerts: CircuitAlerts;
  let now: number;
  const start = (quietMs: number): void => {
    [raised, isFirst, now] = [[], true, 1_000_000];
    const alert = async (each: Alert): Promise<boolean> => (raised.push(each), isFirst);
    alerts = new CircuitAlerts({ alert, clock: { now: () => now, monotonic: () => now } }, quietMs);
  };
  const events = (): readonly string[] => raised.map(({ event }) => event);
  afterEach(() => alerts.close());

  it('an outage of a provider is one alert, and its end another one', async () => {
    start(20);
    for (const worker of [1, 2]) for (const model of ['a', 'b']) alerts.note(worker, circuit(model, 'open'));
    alerts.note(1, circuit('a', 'half-open'));
    expect(raised.map(({ event, key, text, fields }) => [event, key, text, fields])).to.deep.equal([
      [
        'circuit.opened',
        'circuit.opened;openai',
        'a circuit of the provider openai has opened: transient',
        { provider: 'openai', model: 'a', credential: 'key-1', reason: 'transient' },
      ],
    ]);
    now += 90_000;
    alerts.note(1, circuit('a', 'closed'));
    alerts.note(1, circuit('b', 'closed'));
    alerts.forget(2);
    await until('its end', () => raised.length > 1);
    expect(raised[1]).to.deep.include({ event: 'circuit.closed', key: 'circuit.closed;openai;1000000' });
    expect(raised[1]?.fields).to.deep.equal({ provider: 'openai', openedAt: '1970-01-01T00:16:40.000Z', seconds: 90 });
  });

  it('a circuit that opens again soon is no further alert', async () => {
    start(200);
    for (let times = 0; times < 5; times += 1) {
      alerts.note(0, circuit('a', 'open'));
      alerts.note(0, circuit('a', 'closed'));
    }
    expect(events()).to.deep.equal(['circuit.opened']);
    await until('its end', () => raised.length > 1);
    alerts.note(0, circuit('a', 'open'));
    expect(events()).to.deep.equal(['circuit.opened', 'circuit.closed', 'circuit.opened']);
  });

  it('a circuit of some callers is no alert, and another gateway that sent the first sends the second', async () => {
    start(5);
    alerts.note(0, circuit('a', 'open', ['acme/web/alice']));
    expect(events()).to.deep.equal([]);
    isFirst = false;
    alerts.note(0, circuit('a', 'open'));
    alerts.note(0, circuit('a', 'closed'));
    alerts.note(0, circuit('a', 'closed'));
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(events()).to.deep.equal(['circuit.opened']);
    isFirst = true;
    alerts.note(0, circuit('a', 'open'));
    expect(events()).to.deep.equal(['circuit.opened', 'circuit.opened']);
  });
});
