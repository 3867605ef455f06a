import { expect } from 'chai';
import { omitUndefined } from '../../../core/api/codec.ts';
import { createCatalog, type Catalog, type RunningProvider } from '../../../core/catalog/catalog.ts';
import { listClientWires, type ClientWire } from '../../../core/catalog/client-wires.ts';
import type { ModelConfig } from '../../../core/config/gateway-config.ts';
import type { Credential } from '../../../core/contracts/extension.ts';
import { createTestPrice } from '../../../core/testing/index.ts';

const createProvider = (credentials: readonly Credential[], requested: string[] = []): RunningProvider => ({
  families: [{ prefix: 'big', capabilities: { maxOutput: 10, vision: false } }],
  prices: [],
  instance: {
    credentials,
    endpoint: (model) => {
      requested.push(model);
      return {
        wires: [
          {
            operation: 'generate',
            wire: 'messages',
            buildRequest: () => {
              throw new Error('nothing is sent');
            },
          },
        ],
        origin: { provider: 'vendor', family: 'vendor' },
      };
    },
  },
});
const modelOn = (provider: string, model: string, more: Partial<ModelConfig> = {}): ModelConfig => ({
  targets: [{ provider, model }],
  capabilities: {},
  ...more,
});
const wires: readonly ClientWire[] = [
  ...['chat-completions', 'messages'].map((wire) => ({ wire, operations: ['generate'] as const })),
  { wire: 'responses', operations: ['generate'], optIn: true },
  { wire: 'embeddings', operations: ['embed'] },
];
const create = (
  models: Readonly<Record<string, ModelConfig>>,
  aliases: Readonly<Record<string, string>> = {},
  provider = createProvider([{ id: 'first' }]),
): Catalog => createCatalog({ models, aliases }, new Map([['vendor', provider]]), wires, 1_700_000_000);

describe('createCatalog', () => {
  it('finds the same model by its id and by an alias', () => {
    const catalog = create({ 'vendor/big': modelOn('vendor', 'big') }, { fast: 'vendor/big' });
    expect(catalog.find('fast')).to.equal(catalog.find('vendor/big'));
    expect(catalog.find('fast')?.id).to.equal('vendor/big');
    expect(catalog.find('slow')).to.equal(undefined);
    expect(catalog.find('__proto__')).to.equal(undefined);
    expect(catalog.find('constructor')).to.equal(undefined);
  });

  it('lists each model once, without aliases', () => {
    const catalog = create(
      { 'vendor/a': modelOn('vendor', 'a'), 'vendor/b': modelOn('vendor', 'b') },
      { fast: 'vendor/a' },
    );
    expect(catalog.models.map(({ id }) => id)).to.deep.equal(['vendor/a', 'vendor/b']);
  });

  it('a listed model has the largest output of all its targets, if it is known for each', () => {
    const targets = (...models: readonly string[]) => ({
      targets: models.map((model) => ({ provider: 'vendor', model })),
      capabilities: {},
    });
    const mostOf = (model: ModelConfig, families = createProvider([]).families) =>
      create({ 'vendor/m': model }, {}, { ...createProvider([{ id: 'first' }]), families }).find('vendor/m')?.maxOutput;
    expect(mostOf(targets('big'))).to.equal(10);
    expect(
      mostOf(targets('big', 'bigger'), [
        { prefix: 'big', capabilities: { maxOutput: 10 } },
        { prefix: 'bigger', capabilities: { maxOutput: 20 } },
      ]),
    ).to.equal(20);
    expect(mostOf(targets('big', 'other'))).to.equal(undefined);
    expect(mostOf({ ...targets('other', 'big'), capabilities: { maxOutput: 7 } })).to.equal(7);
    expect(mostOf(targets())).to.equal(undefined);
  });

  it('ignores an alias without a model', () => {
    expect(create({}, { fast: 'vendor/none' }).find('fast')).to.equal(undefined);
  });

  it('makes a model without wires available on every wire that it supports, except opt-in wires', () => {
    const catalog = create({
      'vendor/a': modelOn('vendor', 'a'),
      'vendor/b': modelOn('vendor', 'b', { wires: ['responses'] }),
      'vendor/c': modelOn('vendor', 'c', { wires: [] }),
    });
    const servedBy = (id: string): readonly string[] =>
      [...wires.map(({ wire }) => wire), 'unheard-of'].filter((wire) => catalog.find(id)?.serves(wire));
    expect(servedBy('vendor/a')).to.deep.equal(['chat-completions', 'messages']);
    expect(servedBy('vendor/b')).to.deep.equal(['responses']);
    expect(servedBy('vendor/c')).to.deep.equal([]);
    expect(catalog.find('vendor/b')?.entry.wires).to.deep.equal(['responses']);
  });

  it('keeps the order and the pinned wire of targets', () => {
    const targets = [
      { provider: 'vendor', model: 'small', wire: 'messages' },
      { provider: 'unknown', model: 'lost' },
      { provider: 'vendor', model: 'big' },
    ];
    const model = create({ 'vendor/a': { targets, capabilities: {} } }).find('vendor/a');
    expect(model?.targets.map(({ id, wire }) => [id, wire])).to.deep.equal([
      ['vendor/small', 'messages'],
      ['vendor/big', undefined],
    ]);
  });

  it('requests each endpoint of a provider once, when its model is first used', () => {
    const requested: string[] = [];
    const catalog = create(
      { 'vendor/a': modelOn('vendor', 'big'), 'vendor/b': modelOn('vendor', 'small') },
      { x: 'vendor/a' },
      createProvider([{ id: 'k' }], requested),
    );
    expect(requested).to.deep.equal([]);
    for (let times = 0; times < 3; times += 1) for (const name of ['x', 'vendor/a']) catalog.find(name);
    expect(requested).to.deep.equal(['big']);
    for (let times = 0; times < 3; times += 1) expect(catalog.models).to.have.length(2);
    expect(requested).to.deep.equal(['big', 'small']);
  });

  it('gives each target its capabilities with the overrides of the model, and lists those of the first', () => {
    const targets = [
      { provider: 'vendor', model: 'big-1' },
      { provider: 'vendor', model: 'small' },
    ];
    const model = create({ 'vendor/a': { targets, capabilities: { vision: true } } }).find('vendor/a');
    expect([...(model?.capabilities.values() ?? [])]).to.deep.equal([
      { maxOutput: 10, vision: true },
      { vision: true },
    ]);
    expect(model?.entry).to.deep.equal({
      id: 'vendor/a',
      provider: 'vendor',
      wires: ['chat-completions', 'messages'],
      capabilities: { maxOutput: 10, vision: true },
      created: 1_700_000_000,
    });
  });

  it('makes a target without a price unavailable, with a reason, when unpriced is reject', () => {
    const price = [createTestPrice({ input: 1n, output: 1n })];
    const targets = [
      { provider: 'vendor', model: 'dear', price },
      { provider: 'vendor', model: 'unknown' },
    ];
    const found = (unpriced?: ModelConfig['unpriced']) =>
      create({ 'vendor/a': omitUndefined({ targets, capabilities: {}, unpriced }) })
        .find('vendor/a')
        ?.targets.map(({ credentials, unavailable }) => [credentials.length, unavailable]);
    expect(found('reject')).to.deep.equal([
      [1, undefined],
      [0, "it has no price, and 'unpriced' is reject: set a price"],
    ]);
    for (const policy of ['allow', 'warn', undefined] as const)
      expect(found(policy)).to.deep.equal([
        [1, undefined],
        [1, undefined],
      ]);
  });

  const keys: readonly (readonly [
    what: string,
    credentials: readonly Credential[],
    usable: readonly string[],
    reason: string | undefined,
  ])[] = [
    ['two keys', [{ id: 'one' }, { id: 'two' }], ['one', 'two'], undefined],
    ['a key that is not set', [{ id: 'one', unavailable: 'KEY is not set' }], [], 'KEY is not set'],
    ['one good and one bad key', [{ id: 'one', unavailable: 'KEY is not set' }, { id: 'two' }], ['two'], undefined],
    ['no key at all', [], [], 'it has no credentials'],
  ];
  for (const [what, credentials, usable, reason] of keys) {
    it(`a target of a provider with ${what} is ${reason === undefined ? 'available' : `unavailable: ${reason}`}`, () => {
      const [target] =
        create({ 'vendor/a': modelOn('vendor', 'a') }, {}, createProvider(credentials)).find('vendor/a')?.targets ?? [];
      expect([target?.credentials, target?.unavailable]).to.deep.equal([usable, reason]);
    });
  }

  it('finds each of ten thousand models without reading the configuration again', () => {
    let reads = 0;
    const count = <T extends object>(value: T): T =>
      new Proxy(value, {
        get: (target, name) => {
          reads += 1;
          return Reflect.get(target, name) as unknown;
        },
      });
    const models = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`vendor/m${index}`, count(modelOn('vendor', `m${index}`))]),
    );
    const catalog = create(models, { last: 'vendor/m9999' });
    expect(reads, 'a start reads no model').to.equal(0);
    expect(catalog.models).to.have.length(10_000);
    expect(reads).to.be.greaterThan(10_000);
    reads = 0;
    const lost = Object.keys(models).filter((id) => catalog.find(id)?.targets[0]?.id !== id);
    expect(lost).to.deep.equal([]);
    expect(catalog.find('last')).to.equal(catalog.find('vendor/m9999'));
    expect(catalog.find('vendor/none')).to.equal(undefined);
    expect(reads).to.equal(0);
  });
});

describe('listClientWires', () => {
  it('lists each wire with a client codec once', () => {
    const client = {
      decodeRequest: () => ({ model: '', request: { input: [], wire: 'a', extra: { wire: 'a', members: {} } } }),
      encodeResponse: () => ({}),
      encodeError: () => ({ status: 500, headers: {}, body: {} }),
    };
    const codecs = [
      { operation: 'embed', wire: 'a', client },
      { operation: 'count-tokens', wire: 'a', client },
      { operation: 'embed', wire: 'upstream-only' },
    ] as unknown as Parameters<typeof listClientWires>[0];
    expect(listClientWires(codecs)).to.deep.equal([{ wire: 'a', operations: ['embed', 'count-tokens'] }]);
    const opened = codecs.map((codec) => ({ ...codec, traits: { optIn: true } })) as typeof codecs;
    expect(listClientWires(opened)).to.deep.equal([{ wire: 'a', operations: ['embed', 'count-tokens'], optIn: true }]);
  });
});
