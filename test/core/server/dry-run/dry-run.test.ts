import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadConfig } from '../../../../core/config/load.ts';
import type { Finding } from '../../../../core/config/problem.ts';
import type { PluginDefinition } from '../../../../core/contracts/plugin.ts';
import { dryRun } from '../../../../core/server/dry-run/dry-run.ts';
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
    expect(await dryRun(loaded, false)).to.deep.equal([]);
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
});
