import { expect } from 'chai';
import { GatewayError } from '../../../core/api/index.ts';
import { createTestRequest, createTestTarget } from '../../../core/testing/index.ts';
import { useSimulatedTime } from '../../support/time/simulated-time.ts';
import { alice, bob, carol, createFixture, failure, settingsOf, type Fixture } from './setup.ts';

const single = [createTestTarget('one/a')];
const pair = [createTestTarget('one/a'), createTestTarget('two/b')];

/** Never responds. */
const hang = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

describe('a silent target', () => {
  useSimulatedTime();

  it('the default settings leave time for a second target that is silent as well', () => {
    const { moveOn, deadlineMs } = settingsOf();
    expect(moveOn).to.deep.include({ streamedMs: 120_000, plainMs: 300_000 });
    expect(Math.max(moveOn.plainMs, moveOn.streamedMs) * 2).to.be.below(deadlineMs);
  });

  for (const stream of [false, true]) {
    it(`moves on from a silent target to the next target (${stream ? 'streamed' : 'plain'})`, async () => {
      const times = stream ? { streamed: '20ms', plain: '1h' } : { streamed: '1h', plain: '20ms' };
      const fixture = createFixture({ moveOn: times, retries: 1 }, { targets: pair });
      fixture.answers = { 'one/a': [hang] };
      expect(await fixture.trace({ request: { ...createTestRequest(), stream } })).to.deep.equal([
        'one/a key-1',
        'two/b key-1',
      ]);
      expect(fixture.fallbacks).to.deep.equal(['/v1/chat/completions one/a two/b timeout']);
    });
  }

  it('a silent target gets at most half of the deadline, whatever moveOn is', async () => {
    const fixture = createFixture({ deadline: '60ms', moveOn: { plain: '1h' } }, { targets: pair });
    fixture.answers = { 'one/a': [hang] };
    expect(await fixture.trace()).to.deep.equal(['one/a key-1', 'two/b key-1']);
  });

  it('a silent target gets the whole remaining time if no other target is ready', async () => {
    const fixture = createFixture({ deadline: '60ms', moveOn: { plain: '10ms' } }, { targets: single });
    fixture.answers = { 'one/a': [hang] };
    const error = await fixture.run();
    expect(GatewayError.is(error) && error.message).to.match(
      /^No response began within 0.06 s, the deadline of this gateway/,
    );
    const other = createFixture({ deadline: '60ms', moveOn: { plain: '10ms' } }, { targets: pair });
    other.answers = { 'one/a': [hang], 'two/b': [failure('quota')] };
    await other.run({ targets: [pair[1]!, pair[0]!] });
    other.calls.length = 0;
    expect(await other.trace()).to.deep.equal(['one/a key-1']);
  });

  it('opens the circuit of a silent target', async () => {
    const fixture = createFixture({ moveOn: { plain: '5ms' }, circuit: { calls: 3 } }, { targets: pair });
    fixture.answers = { 'one/a': [hang] };
    for (let index = 0; index < 3; index += 1) await fixture.run();
    expect(await fixture.trace()).to.deep.equal(['two/b key-1']);
    expect(fixture.transitions.map(({ to, reason }) => [to, reason])).to.deep.equal([['open', 'timeout']]);
  });

  it('lets few requests wait for a target that falls silent, however much it served before', async () => {
    const fixture = createFixture({ moveOn: { plain: '5ms' } }, { targets: pair });
    for (let index = 0; index < 300; index += 1) await fixture.run();
    fixture.answers = { 'one/a': [hang] };
    const trails: (readonly string[])[] = [];
    for (let index = 0; index < 100; index += 1) trails.push(await fixture.trace());
    expect(trails.filter((trail) => trail.length === 2)).to.have.length(5);
    expect(trails.at(-1)).to.deep.equal(['two/b key-1']);
    expect(fixture.transitions.map(({ to, reason }) => [to, reason])).to.deep.equal([['open', 'timeout']]);
  });

  for (const stream of [false, true]) {
    it(`moves on after a time that it has learnt from the target (${stream ? 'streamed' : 'plain'})`, async () => {
      const moveOn = { streamed: '1h', plain: '1h', least: { streamed: '5ms', plain: '5ms' } };
      const fixture = createFixture({ moveOn }, { targets: pair });
      fixture.times = { 'one/a': 1 };
      const request = { ...createTestRequest(), stream };
      for (let index = 0; index < 60; index += 1) await fixture.run({ request });
      fixture.answers = { 'one/a': [hang] };
      const trails: (readonly string[])[] = [];
      for (let index = 0; index < 30; index += 1) trails.push(await fixture.trace({ request }));
      expect(trails.filter((trail) => trail.length === 2)).to.have.length(5);
    });
  }

  it('learns the times of streamed and plain responses, and of each operation, apart', async () => {
    const fixture = createFixture({}, { targets: pair });
    fixture.times = { 'one/a': 100 };
    for (let index = 0; index < 60; index += 1) await fixture.run();
    const quantiles = (['generate', 'streamed', 'count-tokens'] as const).map(
      (kind) => fixture.registry.latency(pair[0]!, kind).quantile,
    );
    expect(quantiles).to.deep.equal([100, undefined, undefined]);
  });

  it('ends a probe of a silent target early if another target is ready', async () => {
    const fixture = createFixture({ circuit: { calls: 1 } }, { targets: pair });
    fixture.answers = { 'one/a': [failure('timeout'), hang] };
    fixture.registry.latency({ id: 'one/a' }, 'generate').add(fixture.clock.monotonic(), 100);
    await fixture.run();
    fixture.clock.advance(1_200);
    const began = performance.now();
    expect(await fixture.trace()).to.deep.equal(['one/a key-1', 'two/b key-1']);
    expect(performance.now() - began).to.be.within(1_900, 2_600);
  });
});

describe('a client that leaves a silent target', () => {
  const leaveAfter = async (fixture: Fixture, milliseconds: number, caller: typeof alice): Promise<void> => {
    const client = new AbortController();
    const leave = (signal: AbortSignal): Promise<never> => {
      fixture.clock.advance(milliseconds);
      queueMicrotask(() => client.abort(new GatewayError('client_closed')));
      return hang(signal);
    };
    fixture.answers = { 'one/a': [leave] };
    await fixture.run({ signal: client.signal, caller });
    fixture.answers = {};
  };
  const targetsOf = async (fixture: Fixture, caller: typeof alice): Promise<readonly string[]> =>
    fixture.trace({ caller });

  it('counts a client that leaves late as a failure, for its own circuit until others fail too', async () => {
    const fixture = createFixture(
      { circuit: { calls: 4, window: '5m', open: '1h', longest: '1h' } },
      { targets: pair },
    );
    for (let index = 0; index < 4; index += 1) await leaveAfter(fixture, 20_000, alice);
    expect(await targetsOf(fixture, alice)).to.deep.equal(['two/b key-1']);
    expect(await targetsOf(fixture, bob)).to.deep.equal(['one/a key-1']);
    for (let index = 0; index < 3; index += 1) await leaveAfter(fixture, 20_000, bob);
    expect(await targetsOf(fixture, carol)).to.deep.equal(['two/b key-1']);
  });

  it('does not count a client that leaves early as a failure', async () => {
    const fixture = createFixture({ circuit: { calls: 1 } }, { targets: pair });
    for (let index = 0; index < 4; index += 1) await leaveAfter(fixture, 19_999, alice);
    expect(await targetsOf(fixture, alice)).to.deep.equal(['one/a key-1']);
  });
});
