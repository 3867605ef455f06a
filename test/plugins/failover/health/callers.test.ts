import { expect } from 'chai';
import { GatewayError, type FailureClass } from '../../../../core/index.ts';
import { createTarget } from '../../../core/exchange/sample-exchange.ts';
import { alice, bob, carol, createPlay, failure, type Play } from '../setup.ts';

const pair = [createTarget('one/a'), createTarget('two/b')];
const first = ['one/a key-1'];
const second = ['two/b key-1'];

describe('the callers for which a failure counts', () => {
  const fail = async (play: Play, name: FailureClass, caller: typeof alice): Promise<void> => {
    play.answers = { 'one/a': [failure(name)] };
    await play.run({ caller });
    play.answers = {};
  };

  for (const name of ['rate-limit', 'quota', 'credential', 'model-access', 'model-gone', 'region'] as const) {
    it(`counts ${name} for its caller, and for all callers once it occurs to a second one`, async () => {
      const play = createPlay({}, { targets: pair });
      await fail(play, name, alice);
      await fail(play, name, alice);
      expect(await play.trail({ caller: alice })).to.deep.equal(second);
      expect(play.registry.health(pair[0]!, 'key-1').readyAt(carol, play.clock.monotonic())).to.be.at.most(
        play.clock.monotonic(),
      );
      await fail(play, name, bob);
      expect(await play.trail({ caller: carol })).to.deep.equal(second);
    });

    it(`does not count ${name} for all callers if a call succeeded between the two failures`, async () => {
      const play = createPlay({}, { targets: pair });
      await fail(play, name, alice);
      expect(await play.trail({ caller: carol })).to.deep.equal(first);
      await fail(play, name, bob);
      expect(await play.trail({ caller: carol })).to.deep.equal(first);
      expect(await play.trail({ caller: bob })).to.deep.equal(second);
    });

    it(`does not count ${name} for all callers if the first failure was too long ago`, async () => {
      const play = createPlay({ circuit: { window: '5s' } }, { targets: pair });
      await fail(play, name, alice);
      play.clock.advance(5_001);
      await fail(play, name, bob);
      expect(await play.trail({ caller: carol })).to.deep.equal(first);
    });
  }

  it('keeps the circuit for all callers closed while only one caller fails, however often', async () => {
    const play = createPlay({ retries: 0, circuit: { calls: 10 } }, { targets: pair });
    for (let index = 0; index < 300; index += 1) {
      await fail(play, 'transient', alice);
      if (index % 10 === 0) await play.run({ caller: carol });
      if (index === 150) await fail(play, 'transient', bob);
      play.clock.advance(100);
      expect(play.registry.health(pair[0]!, 'key-1').model.all.circuit.state).to.equal('closed');
    }
    expect(await play.trail({ caller: carol })).to.deep.equal(first);
  });

  it('opens the circuit for all callers when the calls of several fail', async () => {
    const play = createPlay({ retries: 0 }, { targets: pair });
    for (let index = 0; index < 5; index += 1) for (const caller of [alice, bob]) await fail(play, 'transient', caller);
    expect(await play.trail({ caller: carol })).to.deep.equal(second);
    expect(play.transitions.at(-1)).to.include({ from: 'closed', to: 'open' }).and.not.have.property('callers');
  });

  it('closes the circuit for all callers although the probes of one caller all fail', async () => {
    const play = createPlay({ retries: 0 }, { targets: pair });
    for (let index = 0; index < 5; index += 1) for (const caller of [alice, bob]) await fail(play, 'transient', caller);
    for (let index = 0; index < 100; index += 1) {
      await fail(play, 'transient', alice);
      play.clock.advance(20);
    }
    for (let index = 0; index < 3; index += 1) expect(await play.trail({ caller: carol })).to.deep.equal(first);
    expect(play.registry.health(pair[0]!, 'key-1').model.all.circuit.state).to.equal('closed');
  });

  it('counts a failure for all callers at once if no request was sent', async () => {
    for (const code of ['upstream_unreachable', 'upstream_tls'] as const) {
      const play = createPlay({ retries: 0, circuit: { calls: 3 } }, { targets: pair });
      play.answers = { 'one/a': [new GatewayError(code)] };
      for (let index = 0; index < 3; index += 1) await play.run({ caller: alice });
      expect(await play.trail({ caller: carol }), code).to.deep.equal(second);
    }
  });

  it('does not count the same code for other callers if it is a response of the vendor', async () => {
    const play = createPlay({ retries: 0, circuit: { calls: 3 } }, { targets: pair });
    const vendor = { wire: 'chat-completions', status: 502, headers: {}, body: {} };
    play.answers = { 'one/a': [new GatewayError('upstream_unreachable', undefined, { vendor })] };
    for (let index = 0; index < 5; index += 1) await play.run({ caller: alice });
    play.answers = {};
    expect(await play.trail({ caller: carol })).to.deep.equal(first);
  });

  it('keeps the state of at most 32 callers, while they have recent failures', async () => {
    const play = createPlay({ retries: 0 }, { targets: pair });
    const { model } = play.registry.health(pair[0]!, 'key-1');
    for (let index = 0; index < 1_000; index += 1) {
      await play.run({ caller: alice });
      await fail(play, 'timeout', { ...alice, key: `key-${index}` });
    }
    const isKept = (index: number): boolean => model.own({ ...alice, key: `key-${index}` }) !== undefined;
    expect(Array.from({ length: 1_000 }, (_, index) => index).filter(isKept)).to.have.length(32);
    expect(isKept(999)).to.equal(true);
    play.clock.advance(31_000);
    await play.run({ caller: alice });
    expect(model.isTroubled, 'one good call has swept them').to.equal(false);
  });

  it('does not read the callers of a healthy target', async () => {
    const play = createPlay({}, { targets: pair });
    let reads = 0;
    const watched = {
      ...alice,
      get key() {
        reads += 1;
        return 'alice';
      },
    };
    for (let index = 0; index < 20; index += 1) await play.run({ caller: watched });
    expect(reads).to.equal(0);
    await fail(play, 'rate-limit', watched);
    expect(reads).to.be.above(0);
  });

  it('names the affected callers in the log, until all are affected', async () => {
    const play = createPlay({}, { targets: pair });
    await fail(play, 'credential', alice);
    await fail(play, 'credential', bob);
    expect(play.transitions.filter(({ isNew }) => isNew).map(({ to, callers }) => [to, callers])).to.deep.equal([
      ['open', ['acme/web/alice']],
      ['open', undefined],
    ]);
  });
});
