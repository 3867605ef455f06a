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
  const logged = new Map<Siblings, readonly string[]>();
  const createThread = (gateway = '8787') => {
    const settings = settingsOf();
    const registry = new HealthRegistry(settings.circuit, () => 0.5);
    const siblings = new Siblings({ registry, clock, gateway });
    opened.push(siblings);
    const lines: string[] = [];
    logged.set(siblings, lines);
    registry.configure(settings.circuit, (healthKey, change, version) => {
      lines.push(`${healthKey.model} ${change.to} ${siblings.logs(healthKey, change.to)}`);
      siblings.changed(healthKey, change, version);
    });
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

  it('a new thread begins with the circuits and cooldowns that the others know', async () => {
    const now = clock.monotonic();
    one.circuit('talk').trip(now, 'transient');
    const cooling = one.registry.health(target('busy'), 'key').model;
    cooling.all.cooldown.extend(now + 60_000, 'rate-limit');
    const ofAlice = one.registry.health(target('hers'), 'key').model;
    ofAlice.attribute(alice, 'transient', now).own?.circuit.trip(now, 'transient');
    one.circuit('replaced', 'old').trip(now, 'credential');
    one.registry.health(target('refused'), 'other key').account.all.circuit.trip(now, 'credential');
    await settle();
    const late = createThread();
    // Accounts come last, and the third thread has not used this one.
    const { account } = late.registry.health(target('refused'), 'other key');
    await until('the last message', () => account.all.circuit.state === 'open');
    expect([late.circuit('talk').state, late.circuit('talk').reason]).to.deep.equal(['open', 'transient']);
    expect(late.registry.health(target('busy'), 'key').model.all.cooldown.until).to.equal(now + 60_000);
    const { all, own } = ((model) => ({ all: model.all, own: model.own(alice) }))(
      late.registry.health(target('hers'), 'key').model,
    );
    expect([all.circuit.state, own?.circuit.state]).to.deep.equal(['closed', 'open']);
    expect(late.circuit('replaced', 'new').state).to.equal('closed');
  });

  it('what is sent to a new thread changes nothing in the others', async () => {
    const [circuit, same] = [one.circuit('talk'), other.circuit('talk')];
    circuit.trip(clock.monotonic(), 'transient');
    await settle();
    for (let good = 0; good < 3; good += 1) same.succeed(clock.monotonic(), clock.monotonic());
    expect(same.state).to.equal('closed');
    const late = createThread();
    await until('the new thread knows it', () => late.circuit('talk').state === 'open');
    one.circuit('again').trip(clock.monotonic(), 'transient');
    const again = other.circuit('again');
    await until('a later message', () => again.state === 'open');
    expect(same.state).to.equal('closed');
  });

  it('only the thread that has found it logs a circuit, until it is closed', async () => {
    const circuit = other.circuit('talk');
    one.circuit('talk').trip(clock.monotonic(), 'transient');
    await until('it is taken over', () => circuit.state === 'open');
    for (let good = 0; good < 3; good += 1) circuit.succeed(clock.monotonic(), clock.monotonic());
    circuit.trip(clock.monotonic(), 'timeout');
    expect(logged.get(one.siblings)).to.deep.equal(['talk open true']);
    expect(logged.get(other.siblings)).to.deep.equal([
      'talk open false',
      'talk half-open false',
      'talk closed false',
      'talk open true',
    ]);
  });

  it('another gateway in the same process shares nothing', async () => {
    const stranger = createThread('9797');
    const circuit = stranger.circuit('talk');
    one.circuit('talk').trip(clock.monotonic(), 'transient');
    await settle();
    const witness = createThread('9797');
    witness.circuit('last').trip(clock.monotonic(), 'transient');
    const last = stranger.circuit('last');
    await until('the last message there', () => last.state === 'open');
    expect(circuit.state).to.equal('closed');
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
