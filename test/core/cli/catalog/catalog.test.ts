import { expect } from 'chai';
import { catalog } from '../../../../core/cli/catalog/catalog.ts';
import { formatCatalog } from '../../../../core/cli/catalog/format-table.ts';
import { MisuseError } from '../../../../core/cli/command.ts';
import openai from '../../../../providers/openai/index.ts';
import { builtIns } from '../../../support/gateway.ts';
import { createServedFolder, type ServedFolder } from '../served-folder.ts';

interface Price {
  readonly input: number;
  readonly cacheWrite1h: number;
  readonly longContext?: readonly object[];
  readonly tiers?: Readonly<Record<string, { readonly longContext?: readonly object[] }>>;
  readonly version: string;
  readonly source: string;
  readonly seen?: string;
}
interface Target {
  readonly target: string;
  readonly contextTokens?: number;
  readonly maxOutput?: number;
  readonly price: Price | 'unpriced';
}
interface Catalog {
  readonly models: readonly {
    readonly model: string;
    readonly aliases: readonly string[];
    readonly targets: readonly Target[];
  }[];
  readonly unused?: readonly Target[];
}

const settings = {
  providers: { simulator: { use: 'simulator' }, openai: { use: 'openai', config: { apiKey: 'none' } } },
  models: {
    'openai/gpt-5.5': {
      targets: [
        { provider: 'openai', model: 'gpt-5.5' },
        { provider: 'simulator', model: 'chat' },
      ],
    },
    'openai/own': {
      targets: [{ provider: 'openai', model: 'gpt-5-mini' }],
      price: { input: 1, output: 2, request: 0.01 },
      capabilities: { maxOutput: 100 },
    },
    'openai/rumoured': { targets: [{ provider: 'openai', model: 'gpt-9' }] },
    'openai/gpt-5.5-like': { targets: [{ provider: 'openai', model: 'gpt-5.5-like' }] },
  },
  aliases: { best: 'openai/gpt-5.5', fast: 'openai/own' },
  organizations: {},
};

describe('koine catalog', () => {
  let folder: ServedFolder;
  let models: Catalog['models'];
  before(async () => {
    folder = createServedFolder(settings);
    ({ models } = await read());
  });
  after(() => folder.remove());

  const read = async (...options: readonly string[]): Promise<Catalog> => {
    const { code, out, err } = await folder.run('catalog', '--format', 'json', ...options);
    expect([code, err]).to.deep.equal([0, '']);
    return JSON.parse(out) as Catalog;
  };

  it('lists every model with its targets, limits and prices', () => {
    expect(
      models.map(({ model, aliases, targets }) => [model, aliases, targets.map(({ target }) => target)]),
    ).to.deep.equal([
      ['openai/gpt-5.5', ['best'], ['openai/gpt-5.5', 'simulator/chat']],
      ['openai/own', ['fast'], ['openai/gpt-5-mini']],
      ['openai/rumoured', [], ['openai/gpt-9']],
      ['openai/gpt-5.5-like', [], ['openai/gpt-5.5-like']],
    ]);
    const [shipped, simulated] = models[0]?.targets ?? [];
    expect(shipped).to.deep.include({ contextTokens: 1_050_000, maxOutput: 128_000 });
    expect(shipped?.price).to.deep.include({
      input: 5,
      output: 30,
      cacheRead: 0.5,
      cacheWrite5m: 5,
      cacheWrite1h: 5,
      source: 'https://developers.openai.com/api/docs/pricing',
      seen: '2026-09-03',
    });
    expect(shipped?.price)
      .to.have.property('version')
      .that.matches(/^[0-9a-f]{16}$/);
    expect(simulated?.price).to.include({ input: 0, output: 0 });
  });

  it('lists the rates of long prompts and of tiers in koine catalog', () => {
    const price = models[0]?.targets[0]?.price as Price;
    expect(price.longContext).to.deep.equal([
      { above: 272_000, input: 10, output: 45, cacheRead: 1, cacheWrite5m: 10, cacheWrite1h: 10 },
    ]);
    expect(Object.keys(price.tiers ?? {})).to.deep.equal(['flex', 'priority', 'fast']);
    expect(price.tiers?.['flex']).to.deep.include({ input: 2.5, output: 15, cacheRead: 0.25 });
    expect(price.tiers?.['flex']?.longContext).to.have.length(1);
  });

  it('prefers the price and limits of the file to those of the provider', () => {
    const [own] = models[1]?.targets ?? [];
    expect(own).to.deep.include({ maxOutput: 100, contextTokens: 400_000 });
    expect(own?.price).to.deep.include({ input: 1, output: 2, request: 0.01, source: 'gateway.yaml' });
    expect(own?.price).not.to.have.any.keys('tiers', 'seen');
  });

  it('lists a model that only resembles a priced one as unpriced', () => {
    expect(models.slice(2).map(({ targets }) => targets.map(({ price }) => price))).to.deep.equal([
      ['unpriced'],
      ['unpriced'],
    ]);
  });

  it('lists shipped prices that no model uses with --all', async () => {
    const { unused = [] } = await read('--all');
    const names = (openai.prices ?? []).flatMap(({ models }) => models);
    expect(unused.map(({ target }) => target)).to.have.members(
      names.filter((name) => name !== 'gpt-5.5' && name !== 'gpt-5-mini').map((name) => `openai/${name}`),
    );
    expect(unused.every(({ price }) => price !== 'unpriced')).to.equal(true);
  });

  it('prints a table with one line per target', async () => {
    const { code, out } = await folder.runProgram('catalog', '--all');
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(code).to.equal(0);
    expect(lines.findIndex(([model]) => model === '(unused)')).to.equal(6);
    expect(lines[0]?.slice(0, 4)).to.deep.equal(['MODEL', 'TARGET', 'INPUT', 'OUTPUT']);
    expect(lines[1]?.slice(0, 10)).to.deep.equal([
      'openai/gpt-5.5',
      'openai/gpt-5.5',
      '5',
      '30',
      '0.5',
      '5',
      '5',
      '>272000,flex,priority,fast,webSearches',
      '1050000',
      '128000',
    ]);
    expect(lines[2]?.slice(0, 4)).to.deep.equal(['', 'simulator/chat', '0', '0']);
    expect(lines[3]).to.include('request');
    expect(lines[4]?.slice(0, 4)).to.deep.equal(['openai/rumoured', 'openai/gpt-9', 'unpriced', '-']);
    expect(lines.at(-1)).to.deep.equal([
      'Without a price: openai/gpt-9, openai/gpt-5.5-like. Set price (docs/reference/prices.md).',
    ]);
  });

  it('has a row for each price that applies later', () => {
    const price = { input: 1, output: 2, factor: 0.9, regions: { us: 1.1 }, version: 'one', source: 'gateway.yaml' };
    const later = [{ ...price, input: 3, from: '2027-01-01T00:00:00.000Z', version: 'two' }];
    const target = { target: 'openai/a', price, later };
    const [, now, next] = formatCatalog([{ model: 'openai/a', aliases: [], targets: [target] }], []).split('\n');
    expect(now?.split(/\s+/)).to.include.members(['openai/a', '1', 'us,x0.9', 'one']);
    expect(next?.trim().split(/\s+/)).to.include.members(['from', '2027-01-01', '3', 'two']);
  });

  it('koine catalog rejects other formats, and --all together with --changes', () => {
    expect(() => catalog(['--format', 'yaml'], builtIns)).to.throw(
      MisuseError,
      '--format must be text or json, not "yaml".',
    );
    expect(() => catalog(['--all', '--changes'], builtIns)).to.throw(MisuseError, 'give only one of them');
  });
});
