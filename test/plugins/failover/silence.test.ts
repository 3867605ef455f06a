import { expect } from 'chai';
import { GatewayError } from '../../../core/index.ts';
import { createTarget, sampleRequest } from '../../core/exchange/sample-exchange.ts';
import { alice, bob, carol, createPlay, failure, settingsOf, type Play } from './setup.ts';

const single = [createTarget('one/a')];
const pair = [createTarget('one/a'), createTarget('two/b')];

/** Never responds. */
const hang = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

describe('a silent target', () => {
  it('by default, leaves time for a second target that is silent as well', () => {
    const { moveOn, deadlineMs } = settingsOf();
    expect(moveOn).to.deep.equal({ streamedMs: 120_000, plainMs: 300_000 });
    expect(Math.max(moveOn.plainMs, moveOn.streamedMs) * 2).to.be.below(deadlineMs);
  });

  for (const stream of [false, true]) {
    it(`is given up for the next target (${stream ? 'streamed' : 'plain'})`, async () => {
      const times = stream ? { streamed: '20ms', plain: '1h' } : { streamed: '1h', plain: '20ms' };
      const play = createPlay({ moveOn: times, retries: 1 }, { targets: pair });
      play.answers = { 'one/a': [hang] };
      expect(await play.trail({ request: { ...sampleRequest, stream } })).to.deep.equal(['one/a key-1', 'two/b key-1']);
      expect(play.fallbacks).to.deep.equal(['/v1/chat/completions one/a two/b timeout']);
    });
  }

  it('gets at most half of the deadline, whatever moveOn is', async () => {
    const play = createPlay({ deadline: '60ms', moveOn: { plain: '1h' } }, { targets: pair });
    play.answers = { 'one/a': [hang] };
    expect(await play.trail()).to.deep.equal(['one/a key-1', 'two/b key-1']);
  });

  it('gets the whole remaining time if no other target is ready', async () => {
    const play = createPlay({ deadline: '60ms', moveOn: { plain: '10ms' } }, { targets: single });
    play.answers = { 'one/a': [hang] };
    const error = await play.run();
    expect(GatewayError.is(error) && error.message).to.match(
      /^No answer began within 0.06 s, the deadline of this gateway/,
    );
    const other = createPlay({ deadline: '60ms', moveOn: { plain: '10ms' } }, { targets: pair });
    other.answers = { 'one/a': [hang], 'two/b': [failure('quota')] };
    await other.run({ targets: [pair[1]!, pair[0]!] });
    other.calls.length = 0;
    expect(await other.trail()).to.deep.equal(['one/a key-1']);
  });

  it('opens the circuit of a silent target', async () => {
    const play = createPlay({ moveOn: { plain: '5ms' }, circuit: { calls: 3 } }, { targets: pair });
    play.answers = { 'one/a': [hang] };
    for (let index = 0; index < 3; index += 1) await play.run();
    expect(await play.trail()).to.deep.equal(['two/b key-1']);
    expect(play.transitions.map(({ to, reason }) => [to, reason])).to.deep.equal([['open', 'timeout']]);
  });

  it('ends a probe of a silent target early if another target is ready', async () => {
    const play = createPlay({ circuit: { calls: 1 } }, { targets: pair });
    play.answers = { 'one/a': [failure('timeout'), hang] };
    play.registry.latency('one/a', false).add(play.clock.monotonic(), 100);
    await play.run();
    play.clock.advance(1_200);
    const began = performance.now();
    expect(await play.trail()).to.deep.equal(['one/a key-1', 'two/b key-1']);
    expect(performance.now() - began).to.be.within(1_900, 20_000);
  });
});

describe('a client that leaves a silent target', () => {
  const leaveAfter = async (play: Play, milliseconds: number, caller: typeof alice): Promise<void> => {
    const client = new AbortController();
    const leave = (signal: AbortSignal): Promise<never> => {
      play.clock.advance(milliseconds);
      queueMicrotask(() => client.abort(new GatewayError('client_closed')));
      return hang(signal);
    };
    play.answers = { 'one/a': [leave] };
    await play.run({ signal: client.signal, caller });
    play.answers = {};
  };
  const targetsOf = async (play: Play, caller: typeof alice): Promise<readonly string[]> => play.trail({ caller });

  it('counts a client that leaves late as a failure, for its own circuit until others fail too', async () => {
    const play = createPlay({ circuit: { calls: 4, window: '5m', open: '1h', longest: '1h' } }, { targets: pair });
    for (let index = 0; index < 4; index += 1) await leaveAfter(play, 20_000, alice);
    expect(await targetsOf(play, alice)).to.deep.equal(['two/b key-1']);
    expect(await targetsOf(play, bob)).to.deep.equal(['one/a key-1']);
    for (let index = 0; index < 3; index += 1) await leaveAfter(play, 20_000, bob);
    expect(await targetsOf(play, carol)).to.deep.equal(['two/b key-1']);
  });

  it('does not count a client that leaves early as a failure', async () => {
    const play = createPlay({ circuit: { calls: 1 } }, { targets: pair });
    for (let index = 0; index < 4; index += 1) await leaveAfter(play, 19_999, alice);
    expect(await targetsOf(play, alice)).to.deep.equal(['one/a key-1']);
  });
});
