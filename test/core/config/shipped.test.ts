import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { loadConfig, type LoadedConfig } from '../../../core/config/load.ts';
import { builtIns } from '../../e2e/gateway.ts';

describe('the shipped configuration', () => {
  let loaded: LoadedConfig;
  before(async () => {
    loaded = await loadConfig(fileURLToPath(new URL('../../../gateway.yaml', import.meta.url)), builtIns, {});
  });

  it('opens the responses wire on exactly five models, all of OpenAI', () => {
    const open = Object.entries(loaded.config.models).filter(([, { wires }]) => wires?.includes('responses'));
    expect(open.map(([id]) => id)).to.have.members(['gpt-5-codex', 'gpt-4.1', 'gpt-4.1-mini', 'o3', 'o4-mini'].map((name) => `openai/${name}`));
    expect(new Set(open.flatMap(([, { targets }]) => targets.map(({ provider }) => provider)))).to.deep.equal(new Set(['openai']));
  });

  it('has a route for every operation of every wire that clients can speak, Google\'s under both versions', () => {
    const served = new Set(loaded.config.routes.map(({ wire, operation }) => `${operation} ${wire}`));
    for (const { operation, wire, client } of loaded.registry.codecs) if (client !== undefined) expect(served, `${operation} ${wire}`).to.include(`${operation} ${wire}`);
    const google = loaded.config.routes.filter(({ wire, operation }) => (wire === 'generate-content' || wire === 'embed-content') && operation !== 'models').map(({ path }) => path);
    expect(google.filter((path) => path.startsWith('/v1/')).map((path) => path.replace('/v1/', '/v1beta/'))).to.have.members(google.filter((path) => path.startsWith('/v1beta/')));
  });
});
