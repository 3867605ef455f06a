import { expect } from 'chai';
import { createTestClock, settingsOf } from '../setup.ts';
import { until } from '../../../support/until.ts';
import { HealthRegistry } from '../../../../plugins/failover/health/health-registry.ts';
import { Siblings } from '../../../../plugins/failover/health/siblings.ts';

const alice = { organization: 'acme', project: 'web', key: 'alice' };
const target = (model: string, version?: string) => ({
  id: `hub/${model}`,
  provider: 'hub',
  model,
  ...(version === undefined ? {} : { versions: new Map([['key', version]]) }),
});

describe('what threads share about targets', () => {
  const clock = createTestClock();
  const opened: Siblings[] = [];
  const createThread = () => {
    const settings = settingsOf();
    const registry = new HealthRegistry(settings.circuit, () => 0.5);
    const siblings = new Siblings({ registry, clock });
    opened.push(siblings);
    registry.configure(settings.circuit, (...change) => siblings.changed(...change));
    const circuit = (model: string, version?: string) =>
      registry.health(target(model, version), 'key').model.all.circuit;
    return { registry, siblings, circuit };
  };
  let one: ReturnType<typeof createThread>;
  let other: ReturnType<typeof createThread>;
  beforeEach(() => {
    one = createThread();
    other = createThread();
  });
  afterEach(() => opened.splice(0).forEach((each) => each.close()));
  /** Messages come in order: once one is there, so are all before it. */
  const settle = async (): Promise<void> => {
    const last = other.circuit('last');
    one.circuit('last').trip(clock.monotonic(), 'transient');
    await until('the last message', () => last.state === 'open');
  };

  it('an open circuit opens, and a good probe lets others probe at once', async () => {
    const circuit = other.circuit('talk');
    one.circuit('talk').trip(clock.monotonic(), 'transient');
    await settle();
    expect([circuit.state, circuit.reason]).to.deep.equal(['open', 'transient']);
    expect(circuit.until(clock.monotonic())).to.be.above(clock.monotonic());
    one.circuit('talk').succeed(clock.monotonic(), clock.monotonic());
    await until('a probe can be made', () => circuit.until(clock.monotonic()) === clock.monotonic());
  });

  it('a circuit of one caller opens for that caller alone', async () => {
    const { model } = other.registry.health(target('talk'), 'key');
    const found = one.registry.health(target('talk'), 'key').model;
    const { own } = found.attribute(alice, 'transient', clock.monotonic());
    own?.circuit.trip(clock.monotonic(), 'transient');
    await settle();
    expect(model.own(alice)?.circuit.state).to.equal('open');
    expect(model.all.circuit.state).to.equal('closed');
  });

  it('what was found with a replaced secret is not taken for the new one', async () => {
    const circuit = other.circuit('talk', 'new');
    one.circuit('talk', 'old').trip(clock.monotonic(), 'auth');
    one.circuit('unknown', 'old').trip(clock.monotonic(), 'auth');
    await settle();
    expect([circuit.state, other.circuit('unknown', 'new').state]).to.deep.equal(['closed', 'closed']);
  });

  it('what came before the first call is known then, unless it is over', async () => {
    one.circuit('soon').trip(clock.monotonic(), 'transient');
    one.circuit('late').trip(clock.monotonic(), 'transient');
    await settle();
    expect(other.circuit('soon').state).to.equal('open');
    clock.advance(3_600_000);
    expect(other.circuit('late').state).to.equal('closed');
  });
});
