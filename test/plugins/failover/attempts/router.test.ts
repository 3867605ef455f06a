import { expect } from 'chai';
import { hashConversation, type Exchange, type GenerateRequest } from '../../../../core/api/index.ts';
import { createTestExchange, createTestRequest, createTestTarget } from '../../../../core/testing/index.ts';
import { createFixture, failure, twoByTwo, type Fixture } from '../setup.ts';

const user = (text: string): GenerateRequest['turns'][number] => ({ role: 'user', parts: [{ type: 'text', text }] });
const said = (...turns: GenerateRequest['turns']): Partial<Extract<Exchange, { operation: 'generate' }>> => ({
  request: { ...createTestRequest(), turns },
});
const conversations = Array.from({ length: 400 }, (_, index) => said(user(`Conversation ${index}`)));

/** The first call of each conversation. */
const placesOf = async (fixture: Fixture): Promise<readonly string[]> => {
  const places: string[] = [];
  for (const conversation of conversations) places.push((await fixture.trace(conversation))[0] ?? '');
  return places;
};
const share = (places: readonly string[], start: string): number =>
  places.filter((place) => place.startsWith(start)).length / places.length;

/** Deterministic numbers that are evenly spread (the golden ratio sequence). */
const steps = (): (() => number) => {
  let at = 0;
  return () => (at = (at + 0.618_033_988_749_894_9) % 1);
};

describe('the order of targets and credentials', () => {
  it('keeps the targets in the order of the configuration, and spreads the load over credentials', async () => {
    const places = await placesOf(createFixture({ sticky: true }));
    expect(share(places, 'one/a')).to.equal(1);
    expect(share(places, 'one/a key-1')).to.be.within(0.4, 0.6);
  });

  it('orders targets by the weight of a target or of a provider', async () => {
    const places = await placesOf(
      createFixture({ sticky: true, routing: 'weighted', models: { '*': { weights: { 'one/a': 3, 'two': 1 } } } }),
    );
    expect(share(places, 'one/a')).to.be.within(0.68, 0.82);
  });

  it('tries a target with a weight of 0 last', async () => {
    const fixture = createFixture(
      { routing: 'weighted', retries: 0, models: { '*': { weights: { two: 0 } } } },
      { random: steps() },
    );
    expect(share(await placesOf(fixture), 'one/a')).to.equal(1);
    fixture.answers = { 'one/a': [failure('timeout')] };
    expect((await fixture.trace()).at(-1)).to.match(/^two\/b/);
  });

  it('uses weighted routing if a model has weights and no routing', () => {
    const fixture = createFixture({ models: { 'vendor/*': { weights: { one: 2 } } } });
    expect(fixture.router.plan({ model: 'vendor/model', targets: [...twoByTwo] }).routing).to.equal('weighted');
    expect(fixture.log.lines).to.deep.equal([]);
  });

  it('warns once about weights that match no target of the model', () => {
    const fixture = createFixture({ models: { '*': { weights: { onne: 2 } } } });
    fixture.router.plan({ model: 'vendor/model', targets: twoByTwo });
    fixture.router.plan({ model: 'vendor/model', targets: twoByTwo });
    expect(fixture.log.lines.map(({ text }) => text)).to.deep.equal([
      'the weights of a model match none of its targets or providers: they have no effect',
    ]);
  });

  it('uses the settings of the first pattern that matches the model', async () => {
    const models = { 'vendor/*': { routing: 'weighted', weights: { one: 0 } }, '*': { routing: 'order' } };
    const fixture = createFixture({ models }, { random: steps() });
    expect(fixture.router.plan({ model: 'vendor/model', targets: [...twoByTwo] }).routing).to.equal('weighted');
    expect(fixture.router.plan({ model: 'other/model', targets: [...twoByTwo] }).routing).to.equal('order');
  });

  it('keeps a growing conversation at its place, by caller and model', async () => {
    const fixture = createFixture({ sticky: true, routing: 'weighted' });
    const first = said({ role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] }, user('Hello'));
    const later = said(
      { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
      user('Hello'),
      { role: 'assistant', parts: [{ type: 'text', text: 'Hi' }] },
      user('And now?'),
    );
    const [place] = await fixture.trace(first);
    for (let index = 0; index < 10; index += 1) expect(await fixture.trace(later)).to.deep.equal([place]);
    const hash = (more: Parameters<typeof createTestExchange>[0]): number | undefined =>
      hashConversation(createTestExchange({ ...first, ...more }));
    const caller = { key: 'bob', project: 'web', organization: 'acme', models: [] };
    expect(
      new Set([hash({}), hash({ caller }), hash({ model: 'vendor/other' }), hash(said(user('Other')))]).size,
    ).to.equal(4);
  });

  it('groups conversations by the prompt cache key of the client', () => {
    const keyed = (text: string, cacheKey: string): number | undefined =>
      hashConversation(createTestExchange({ request: { ...createTestRequest(), turns: [user(text)], cacheKey } }));
    expect(keyed('One', 'shared')).to.equal(keyed('Two', 'shared')).and.not.equal(keyed('One', 'other'));
  });

  it('routing by conversation hashes only the beginning of a long prompt', () => {
    const long = (end: string): number | undefined =>
      hashConversation(createTestExchange(said(user('x'.repeat(2_048) + end))));
    expect(long('a')).to.equal(long('b'));
  });

  it('moves only the conversations of a credential that is cooling down, and moves them back', async () => {
    const fixture = createFixture({ sticky: true, routing: 'weighted', circuit: { open: '10s', longest: '10s' } });
    const before = await placesOf(fixture);
    const victim = fixture.registry.health(twoByTwo[0]!, 'key-1');
    victim.model.all.cooldown.extend(fixture.clock.monotonic() + 10_000, 'rate-limit');
    const during = await placesOf(fixture);
    for (const [index, place] of before.entries()) {
      if (place === 'one/a key-1') expect(during[index]).to.not.equal(place);
      else expect(during[index]).to.equal(place);
    }
    fixture.clock.advance(10_000);
    expect(await placesOf(fixture)).to.deep.equal(before);
  });

  it('builds the list of targets once if there is only one order', () => {
    const targets = [createTestTarget('one/a'), createTestTarget('two/b')];
    const fixture = createFixture({ sticky: true }, { targets });
    expect(fixture.router.route(createTestExchange({ targets }), 0)).to.equal(
      fixture.router.route(createTestExchange({ targets, ...conversations[1] }), 0),
    );
  });

  it('prefers the fastest targets, and those nearly as fast, with least-latency', async () => {
    const targets = [createTestTarget('slow/a'), createTestTarget('fast/b'), createTestTarget('near/c')];
    const fixture = createFixture({ sticky: true, routing: 'least-latency' }, { targets });
    fixture.times = { 'slow/a': 2_000, 'fast/b': 1_000, 'near/c': 1_100 };
    for (const target of targets)
      for (let index = 0; index < 20; index += 1)
        fixture.registry.latency(target, 'generate').add(fixture.clock.monotonic(), fixture.times[target.id] ?? 0);
    fixture.times = {};
    const read = (): readonly string[] =>
      conversations.map(
        (conversation) =>
          fixture.router.route(createTestExchange({ targets, ...conversation }), fixture.clock.monotonic())[0]?.target
            .id ?? '',
      );
    expect(share(read(), 'slow')).to.equal(0);
    expect(share(read(), 'fast')).to.be.within(0.4, 0.6);
    expect(read(), 'sticky').to.deep.equal(read());
    fixture.clock.advance(30_000 * 6);
    expect(share(read(), 'slow'), 'old figures fade').to.be.within(0.2, 0.5);
  });

  it('uses a target after the others while little is left of its limit, by the headers of its vendor', async () => {
    const fixture = createFixture({}, { targets: [createTestTarget('one/a'), createTestTarget('two/b')] });
    const { allowance } = fixture.registry.health(createTestTarget('one/a'), 'key-1');
    const note = (remaining: number): void =>
      allowance.note(fixture.clock.monotonic(), [{ unit: 'tokens', limit: 100, remaining }]);
    note(5);
    expect(await fixture.trace()).to.deep.equal(['one/a key-1']);
    note(4);
    expect(await fixture.trace()).to.deep.equal(['two/b key-1']);
    fixture.answers = { 'two/b': [failure('timeout')] };
    expect(await fixture.trace()).to.deep.equal(['two/b key-1', 'one/a key-1']);
    fixture.answers = {};
    fixture.clock.advance(60_000);
    expect(await fixture.trace()).to.deep.equal(['one/a key-1']);
    const careless = createFixture(
      { spareBelow: 0 },
      { targets: [createTestTarget('one/a'), createTestTarget('two/b')] },
    );
    careless.registry
      .health(createTestTarget('one/a'), 'key-1')
      .allowance.note(careless.clock.monotonic(), [{ unit: 'tokens', limit: 100, remaining: 0 }]);
    expect(await careless.trace()).to.deep.equal(['one/a key-1']);
  });
});
