import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { loadConfig, type LoadedConfig } from '../../../core/config/load.ts';
import { builtIns } from '../../support/gateway.ts';

const shipped = fileURLToPath(new URL('../../../gateway.yaml', import.meta.url));

describe('the shipped configuration', () => {
  let loaded: LoadedConfig;
  before(async () => {
    loaded = await loadConfig(shipped, builtIns, {});
  });

  it('the shipped configuration enables the responses wire on models of OpenAI and on the simulator', () => {
    const open = Object.entries(loaded.config.models).filter(([, { wires }]) => wires?.includes('responses'));
    const names = ['gpt-5-codex', 'gpt-4.1', 'gpt-4.1-mini', 'o3', 'o4-mini'];
    expect(open.map(([id]) => id)).to.include.members(names.map((name) => `openai/${name}`));
    expect(new Set(open.flatMap(([, { targets }]) => targets.map(({ provider }) => provider)))).to.deep.equal(
      new Set(['openai', 'simulator']),
    );
  });

  it("the shipped configuration has a route for every operation of every client wire, Google's in both versions", () => {
    const served = new Set(loaded.config.routes.map(({ wire, operation }) => `${operation} ${wire}`));
    for (const { operation, wire, client } of loaded.registry.codecs)
      if (client !== undefined) expect(served, `${operation} ${wire}`).to.include(`${operation} ${wire}`);
    const google = loaded.config.routes
      .filter(
        ({ wire, operation }) =>
          ['generate-content', 'interactions', 'embed-content'].includes(wire) && operation !== 'models',
      )
      .map(({ path }) => path);
    expect(
      google.filter((path) => path.startsWith('/v1/')).map((path) => path.replace('/v1/', '/v1beta/')),
    ).to.have.members(google.filter((path) => path.startsWith('/v1beta/')));
  });

  it('the shipped configuration has limits, and commented examples of organizations and prices that are valid', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'koine-')));
    try {
      const file = join(folder, 'gateway.yaml');
      const blocks = /^# organizations:\n(?:# .*\n)+/gm;
      const lines = /^( +)# (price: .*)$/gm;
      const text = readFileSync(shipped, 'utf8')
        .replaceAll(blocks, (block) => block.replaceAll(/^# /gm, ''))
        .replaceAll(lines, '$1$2');
      writeFileSync(file, text);
      const { config, warnings } = await loadConfig(file, builtIns, { ALICE_KEY: 'a'.repeat(16) });
      expect(config.limits).to.have.length(3);
      expect(config.models['openai/gpt-4.1']?.targets[0]?.price?.[0]).to.include({
        input: 1_000_000_000n,
        cacheWrite5m: 1_250_000_000n,
      });
      const { limits, projects, keyLimits } = config.organizations['acme'] ?? {};
      expect(
        [
          limits,
          keyLimits,
          projects?.['web']?.limits,
          projects?.['web']?.keyLimits,
          projects?.['web']?.keys['alice']?.limits,
        ].map((list) => list?.length),
      ).to.deep.equal([1, 1, 2, 2, 3]);
      expect(warnings).to.deep.equal([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
