import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { listPricedTargets } from '../../../core/catalog/price-history.ts';
import { ModelLabels } from '../../../core/catalog/wildcards.ts';
import { listModels, listUnused } from '../../../core/cli/catalog/list-models.ts';
import { loadConfig, type LoadedConfig } from '../../../core/config/load.ts';
import { overlapsWildcard, readName } from '../../../core/config/wildcards.ts';
import { builtIns } from '../../support/gateway.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

const load = async (models: object): Promise<LoadedConfig> => {
  const folder = createTemporaryFolder();
  const file = join(folder.path, 'gateway.yaml');
  writeFileSync(file, stringify({ providers: { openai: { use: 'openai' } }, models, plugins: [] }));
  return loadConfig(file, builtIns, {}).finally(() => folder.remove());
};

describe('wildcards of the catalog', () => {
  it('the catalog lists the entry, and the models that the provider ships prices for', async () => {
    const loaded = await load({
      'openai/*': { targets: [{ provider: 'openai', model: '*' }], price: { input: 9, output: 9 } },
      'openai/gpt-4.1': { targets: [{ provider: 'openai', model: 'gpt-4.1' }], price: { input: 1, output: 1 } },
    });
    const listed = new Map(listModels(loaded).map(({ model, targets }) => [model, targets[0]]));
    expect(listed.get('openai/*')).to.have.nested.property('price.input', 9);
    expect(listed.get('openai/gpt-4.1')).to.have.nested.property('price.input', 1);
    expect(listed.get('openai/gpt-4.1-mini')).to.have.nested.property('price.input', 0.4);
    expect(listUnused(loaded)).to.deep.equal([]);
  });

  it('the prices that a wildcard can use are recorded', async () => {
    const loaded = await load({
      'openai/o*': { targets: [{ provider: 'openai', model: 'o*' }], price: { input: 9, output: 9 } },
    });
    const targets = new Map(listPricedTargets(loaded, Date.now()).map(({ id, price }) => [id, price]));
    expect(targets.get('openai/o*')).to.include({ input: 9_000_000_000n });
    expect(targets.get('openai/o3')).to.include({ input: 2_000_000_000n });
    expect([...targets.keys()].filter((id) => !id.startsWith('openai/o'))).to.deep.equal([]);
  });

  it('a pattern overlaps a wildcard if one id can match both', () => {
    for (const [pattern, expected] of [
      ['openai/gpt-9', true],
      ['openai/gpt-*', true],
      ['open*', true],
      ['*-mini', true],
      ['hub/*', false],
      ['openai/', false],
    ] as const)
      expect(overlapsWildcard('openai/*', pattern), pattern).to.equal(expected);
    expect(overlapsWildcard('openai/a*', 'openai/b*')).to.equal(false);
    expect(overlapsWildcard('openai/a', 'openai/a')).to.equal(false);
  });

  it('a name is the text in place of the star', () => {
    expect(readName('hub/*-chat', 'hub/org/x-chat')).to.equal('org/x');
    expect(readName('hub/*', 'hub/@cf/meta/llama')).to.equal('@cf/meta/llama');
    for (const id of ['hub/-chat', 'hub/x', 'hub/../x-chat', 'hub/.-chat'])
      expect(readName('hub/*-chat', id), id).to.equal(undefined);
  });

  it('a name keeps its label, and names after the first hundred are other', () => {
    const labels = new ModelLabels();
    for (let name = 0; name < 100; name += 1) expect(labels.label(`a/${name}`)).to.equal(`a/${name}`);
    expect([labels.label('a/100'), labels.label('a/7')]).to.deep.equal(['other', 'a/7']);
  });
});
