import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadConfig } from '../../../core/config/load.ts';
import { composeSchema } from '../../../core/config/schema/compose.ts';
import { listBuiltIns } from '../../../core/config/schema/load-schema.ts';
import type { JsonObject } from '../../../core/canonical/wire.ts';
import type { ProviderDefinition } from '../../../core/contracts/provider.ts';
import type { BuiltIns } from '../../../core/extensions/extension.ts';

describe('presets among the built-in providers', () => {
  let folder = '';
  let loaded: string[] = [];
  const schema = { type: 'object' };
  const definitionOf = (name: string): ProviderDefinition => ({
    kind: 'provider',
    apiVersion: 1,
    name,
    schema,
    create: () => ({ credentials: [], endpoint: () => ({ wires: [], origin: { provider: name, family: name } }) }),
  });
  const presetOf = (name: string) => (): Promise<ProviderDefinition> => {
    loaded.push(name);
    return Promise.resolve(definitionOf(name));
  };
  const builtIns: BuiltIns = {
    provider: { vendor: definitionOf('vendor') },
    plugin: {},
    presets: { near: presetOf('near'), far: presetOf('far') },
    optionalPlugins: {
      spare: () => {
        loaded.push('spare');
        return Promise.resolve({
          kind: 'plugin',
          apiVersion: 1,
          name: 'spare',
          schema: { type: 'object' },
          create: () => ({}),
        });
      },
    },
  };
  const load = (text: string) => {
    const file = join(folder, 'gateway.yaml');
    writeFileSync(file, text);
    return loadConfig(file, builtIns, {});
  };

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'koine-'));
  });
  beforeEach(() => {
    loaded = [];
  });
  after(() => rmSync(folder, { recursive: true }));

  it('a preset is loaded only if the configuration uses it', async () => {
    await load('providers: { a: { use: vendor } }\n');
    expect(loaded).to.deep.equal([]);
    const { extensions } = await load('providers: { a: { use: vendor }, b: { use: near } }\n');
    expect(loaded).to.deep.equal(['near']);
    expect(extensions.providers['b']).to.include({ use: 'near', source: 'built-in' });
  });

  it('an optional plugin is loaded only if the configuration uses it', async () => {
    const { extensions } = await load('providers: { a: { use: vendor } }\nplugins: [{ use: spare }]\n');
    expect(loaded).to.deep.equal(['spare']);
    expect(extensions.plugins[0]).to.include({ use: 'spare', source: 'built-in' });
  });

  it('the name of a preset is suggested for a misspelt one', async () => {
    const thrown = await load('providers: { a: { use: naer } }\n').catch((error: unknown) => String(error));
    expect(thrown).to.include('near');
    expect(loaded).to.deep.equal([]);
  });

  it('the schema for editors has every preset, and one definition for schemas that are shared', async () => {
    const found = await listBuiltIns(builtIns);
    expect(found.map(({ use }) => use)).to.deep.equal(['vendor', 'near', 'far', 'spare']);
    expect(loaded).to.deep.equal(['near', 'far', 'spare']);
    const { definitions = {} } = composeSchema(found) as {
      readonly definitions?: Readonly<Record<string, JsonObject>>;
    };
    expect(Object.keys(definitions).filter((name) => name.startsWith('provider-'))).to.deep.equal(['provider-vendor']);
    expect(JSON.stringify(definitions['provider']?.['allOf'])).to.include('"enum":["vendor","near","far"]');
  });
});
