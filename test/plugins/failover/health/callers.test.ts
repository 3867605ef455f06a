import { expect } from 'chai';
import { GatewayError, type FailureClass } from '../../../../core/api/index.ts';
import { createTestTarget } from '../../../../core/testing/index.ts';
import { alice, bob, carol, createFixture, failure, type Fixture } from '../setup.ts';

const pair = [createTestTarget('one/a'), createTestTarget('two/b')];
const first = ['one/a key-1'];
const second = ['two/b key-1'];

describe('the callers for which a failure counts', () => {
  const fail = async (fixture: Fixture, name: FailureClass, caller: typeof alice): Promise<void> => {
    fixture.answers = { 'one/a': [failure(name)] };
    await fixture.run({ caller });
    fixture.answers = {};
  };

  for (const name of ['rate-limit', 'quota', 'credential', 'model-access', 'model-gone', 'region'] as const) {
    it(`counts ${name} for its caller, and for all callers once it occurs to a second one`, async () => {
      const fixture = createFixture({}, { targets: pair });
      await fail(fixture, name, alice);
      await fail(fixture, name, alice);
      expect(await fixture.trace({ caller: alice })).to.deep.equal(second);
      expect(fixture.registry.health(pair[0]!, 'key-1').readyAt(carol, fixture.clock.monotonic())).to.be.at.most(
        fixture.clock.monotonic(),
      );
      await fail(fixture, name, bob);
      expect(await fixture.trace({ caller: carol })).to.deep.equal(second);
    });

    it(`does not count ${name} for all callers if a call succeeded between the two failures`, async () => {
      const fixture = createFixture({}, { targets: pair });
      await fail(fixture, name, alice);
      expect(await fixture.trace({ caller: carol })).to.deep.equal(first);
      await fail(fixture, name, bob);
      expect(await fixture.trace({ caller: carol })).to.deep.equal(first);
      expect(await fixture.trace({ caller: bob })).to.deep.equal(second);
    });

    it(`does not count ${name} for all callers if the first failure was too long ago`, async () => {
      const fixture = createFixture({ circuit: { window: '5s' } }, { targets: pair });
      await fail(fixture, name, alice);
      fixture.clock.advance(5_001);
      await fail(fixture, name, bob);
      expect(await fixture.trace({ caller: carol })).to.deep.equal(first);
    });
  }

  it('keeps the circuit for all callers closed while only one caller fails, however often', async () => {
    const fixture = createFixture({ retries: 0, circuit: { calls: 10 } }, { targets: pair });
    for (let index = 0; index < 300; index += 1) {
      await fail(fixture, 'transient', alice);
      if (index % 10 === 0) await fixture.run({ caller: carol });
      if (index === 150) await fail(fixture, 'transient', bob);
      fixture.clock.advance(100);
      expect(fixture.registry.health(pair[0]!, 'key-1').model.all.circuit.state).to.equal('closed');
    }
    expect(await fixture.trace({ caller: carol })).to.deep.equal(first);
  });

  it('opens the circuit for all callers when the calls of several fail', async () => {
    const fixture = createFixture({ retries: 0, circuit: { consecutive: 0 } }, { targets: pair });
    for (let index = 0; index < 5; index += 1)
      for (const caller of [alice, bob]) await fail(fixture, 'transient', caller);
    expect(await fixture.trace({ caller: carol })).to.deep.equal(second);
    expect(fixture.transitions.at(-1)).to.include({ from: 'closed', to: 'open' }).and.not.have.property('callers');
  });

  it('opens the circuit for all callers when calls of several fail in a row, after any number of good ones', async () => {
    const fixture = createFixture({ retries: 0 }, { targets: pair });
    for (let index = 0; index < 200; index += 1) await fixture.run({ caller: carol });
    for (let index = 0; index < 6; index += 1) {
      expect(await fixture.trace({ caller: carol })).to.deep.equal(first);
      await fail(fixture, 'transient', { ...alice, key: `before-${index}` });
    }
    for (let index = 0; index < 5; index += 1) {
      expect(fixture.transitions).to.deep.equal([]);
      await fail(fixture, 'transient', { ...alice, key: `caller-${index}` });
    }
    expect(await fixture.trace({ caller: carol })).to.deep.equal(second);
    expect(fixture.transitions.at(-1)).to.include({ from: 'closed', to: 'open' }).and.not.have.property('callers');
  });

  it('keeps the circuit for all callers closed while one caller fails in a row, even if its state was dropped', async () => {
    const fixture = createFixture({ retries: 0, circuit: { window: '5s', calls: 1_000 } }, { targets: pair });
    for (let index = 0; index < 40; index += 1) {
      await fail(fixture, 'transient', alice);
      if (index % 10 === 3) await fail(fixture, 'transient', { ...alice, key: `other-${index}` });
      fixture.clock.advance(index % 4 === 3 ? 6_000 : 10);
      expect(fixture.registry.health(pair[0]!, 'key-1').model.all.circuit.state).to.equal('closed');
    }
    expect(await fixture.trace({ caller: carol })).to.deep.equal(first);
  });

  it('closes the circuit for all callers although the probes of one caller all fail', async () => {
    const fixture = createFixture({ retries: 0 }, { targets: pair });
    for (let index = 0; index < 5; index += 1)
      for (const caller of [alice, bob]) await fail(fixture, 'transient', caller);
    for (let index = 0; index < 100; index += 1) {
      await fail(fixture, 'transient', alice);
      fixture.clock.advance(20);
    }
    for (let index = 0; index < 3; index += 1) expect(await fixture.trace({ caller: carol })).to.deep.equal(first);
    expect(fixture.registry.health(pair[0]!, 'key-1').model.all.circuit.state).to.equal('closed');
  });

  it('counts a failure for all callers at once if no request was sent', async () => {
    for (const code of ['upstream_unreachable', 'upstream_tls'] as const) {
      const fixture = createFixture({ retries: 0, circuit: { calls: 3 } }, { targets: pair });
      fixture.answers = { 'one/a': [new GatewayError(code)] };
      for (let index = 0; index < 3; index += 1) await fixture.run({ caller: alice });
      expect(await fixture.trace({ caller: carol }), code).to.deep.equal(second);
    }
  });

  it('does not count the same code for other callers if it is a response of the vendor', async () => {
    const fixture = createFixture({ retries: 0, circuit: { calls: 3 } }, { targets: pair });
    const vendor = { wire: 'chat-completions', status: 502, headers: {}, body: {} };
    fixture.answers = { 'one/a': [new GatewayError('upstream_unreachable', undefined, { vendor })] };
    for (let index = 0; index < 5; index += 1) await fixture.run({ caller: alice });
    fixture.answers = {};
    expect(await fixture.trace({ caller: carol })).to.deep.equal(first);
  });

  it('keeps the state of at most 32 callers, while they have recent failures', async () => {
    const fixture = createFixture({ retries: 0 }, { targets: pair });
    const { model } = fixture.registry.health(pair[0]!, 'key-1');
    for (let index = 0; index < 1_000; index += 1) {
      await fixture.run({ caller: alice });
      await fail(fixture, 'timeout', { ...alice, key: `key-${index}` });
    }
    const isKept = (index: number): boolean => model.own({ ...alice, key: `key-${index}` }) !== undefined;
    expect(Array.from({ length: 1_000 }, (_, index) => index).filter(isKept)).to.have.length(32);
    expect(isKept(999)).to.equal(true);
    fixture.clock.advance(31_000);
    await fixture.run({ caller: alice });
    expect(model.isTroubled, 'one good call has swept them').to.equal(false);
  });

  it('does not read the callers of a healthy target', async () => {
    const fixture = createFixture({}, { targets: pair });
    let reads = 0;
    const watched = {
      ...alice,
      get key() {
        reads += 1;
        return 'alice';
      },
    };
    for (let index = 0; index < 20; index += 1) await fixture.run({ caller: watched });
    expect(reads).to.equal(0);
    await fail(fixture, 'rate-limit', watched);
    expect(reads).to.be.above(0);
  });

  it('names the affected callers in the log, until all are affected', async () => {
    const fixture = createFixture({}, { targets: pair });
    await fail(fixture, 'credential', alice);
    await fail(fixture, 'credential', bob);
    expect(fixture.transitions.filter(({ isNew }) => isNew).map(({ to, callers }) => [to, callers])).to.deep.equal([
      ['open', ['acme/web/alice']],
      ['open', undefined],
    ]);
  });
});
