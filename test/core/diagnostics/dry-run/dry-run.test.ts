import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadConfig } from '../../../../core/config/load.ts';
import type { Finding } from '../../../../core/config/problem.ts';
import type { PluginDefinition } from '../../../../core/contracts/plugin.ts';
import type { ProviderDefinition } from '../../../../core/contracts/provider.ts';
import { dryRun } from '../../../../core/diagnostics/dry-run/dry-run.ts';
import { builtIns, environment } from '../../config/fixture-built-ins.ts';

describe('a dry run', () => {
  let folder = '';
  const tryWith = async (create: PluginDefinition['create']): Promise<readonly Finding[]> => {
    const file = join(folder, 'gateway.yaml');
    writeFileSync(file, 'plugins: [{ use: guard }, { use: tried }]\n');
    const tried: PluginDefinition = {
      kind: 'plugin',
      apiVersion: 1,
      name: 'tried',
      schema: { type: 'object' },
      create,
    };
    return dryRun(await loadConfig(file, { ...builtIns, plugin: { ...builtIns.plugin, tried } }, environment), true);
  };
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'koine-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('reports a plugin that refuses to start, at its settings', async () => {
    const findings = await tryWith(() => {
      throw new Error('not so');
    });
    expect(findings).to.deep.equal([
      {
        path: ['plugins', 1, 'config'],
        on: 'key',
        rule: 'KOINE_EXTENSION_START_FAILED',
        message: 'The plugin "tried" failed to start: not so',
      },
    ]);
  });

  it('does not report a plugin that fails because it has no network', async () => {
    expect(
      await tryWith(async (_, { fetch }) => ({
        explain: await fetch('https://keys.internal', { timeoutMs: 1 }).then(() => () => 1),
      })),
    ).to.deep.equal([]);
    expect(await tryWith(async (_, { primary }) => ({ explain: (await primary.call({}, 1), () => 1) }))).to.deep.equal(
      [],
    );
  });

  it('checks the routes of the file, not the default ones', async () => {
    const file = join(folder, 'gateway.yaml');
    writeFileSync(
      file,
      'providers: { cloud: { use: vendor } }\n' +
        'models: { cloud/one: { wires: [messages], targets: [{ provider: cloud, model: one }] } }\n',
    );
    const loaded = await loadConfig(file, builtIns, environment);
    expect((await dryRun(loaded, true)).map(({ rule }) => rule)).to.include('unreachable-route');
    expect((await dryRun(loaded, false)).map(({ rule }) => rule)).to.deep.equal(['no-identification']);
  });

  it('closes the instances that it started, and shared resources', async () => {
    const closed: string[] = [];
    await tryWith((_, { shared }) => {
      shared(
        'thing',
        () => 1,
        () => void closed.push('shared'),
      );
      return { close: async () => void closed.push('instance') };
    });
    expect(closed).to.deep.equal(['instance', 'shared']);
  });

  const withPlugins = async (...plugins: readonly PluginDefinition[]): Promise<readonly Finding[]> => {
    const file = join(folder, 'gateway.yaml');
    writeFileSync(file, `plugins: [${plugins.map(({ name }) => `{ use: ${name} }`).join(', ')}]\n`);
    const own = Object.fromEntries(plugins.map((plugin) => [plugin.name, plugin]));
    return dryRun(await loadConfig(file, { ...builtIns, plugin: { ...builtIns.plugin, ...own } }, environment), true);
  };
  const strategist = (name: string): PluginDefinition => ({
    kind: 'plugin',
    apiVersion: 1,
    name,
    schema: { type: 'object' },
    create: () => ({ strategy: async ({ targets: [target] }, attempt) => attempt(target!, target!.credentials[0]!) }),
  });

  it('names a second plugin with a strategy', async () => {
    expect(await withPlugins(strategist('one'))).to.deep.equal([]);
    expect(await withPlugins(strategist('one'), strategist('two'))).to.deep.equal([
      {
        path: ['plugins', 1, 'use'],
        rule: 'KOINE_EXTENSION_DUPLICATE',
        message: 'two provides a strategy, and so does one: keep only one of them.',
      },
    ]);
  });

  const withEndpoint = async (wire: string, framing?: string): Promise<readonly Finding[]> => {
    const file = join(folder, 'gateway.yaml');
    writeFileSync(
      file,
      'providers: { cloud: { use: vendor }, own: { use: acme } }\n' +
        'models: { own/one: { targets: [{ provider: own, model: one }, { provider: own, model: two }] } }\n',
    );
    const acme: ProviderDefinition = {
      kind: 'provider',
      apiVersion: 1,
      name: 'acme',
      schema: { type: 'object' },
      create: () => ({
        credentials: [{ id: 'none' }],
        endpoint: () => ({
          origin: { provider: 'acme', family: 'acme' },
          wires: [
            {
              operation: 'generate',
              wire,
              ...(framing === undefined ? {} : { framing }),
              buildRequest: () => {
                throw new Error('nothing is called in a dry run');
              },
            },
          ],
        }),
      }),
    };
    const loaded = await loadConfig(file, { ...builtIns, provider: { ...builtIns.provider, acme } }, environment);
    return (await dryRun(loaded, false)).filter(({ rule }) => rule !== 'no-identification');
  };

  it('names a wire that a provider has and no extension defines, once, with a suggestion', async () => {
    expect(await withEndpoint('messages')).to.deep.equal([]);
    const [finding, ...more] = await withEndpoint('mesages');
    expect(more).to.deep.equal([]);
    expect(finding).to.include({ rule: 'unknown-wire' });
    expect(finding?.path).to.deep.equal(['providers', 'own', 'use']);
    expect(finding?.message).to.match(
      /providers\.own has "mesages" among its wires for generate.*Did you mean "messages"/,
    );
  });

  it('names a framing that a provider has and no extension defines', async () => {
    const [finding, ...more] = await withEndpoint('messages', 'length-prefixed');
    expect(more).to.deep.equal([]);
    expect(finding).to.include({ rule: 'unknown-wire' });
    expect(finding?.message).to.match(/has the framing "length-prefixed" for "messages"/);
  });
});
