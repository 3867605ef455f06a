import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { stringify } from 'yaml';
import type { Importer } from '../../../../core/api/internal.ts';
import bifrost from '../../../../importers/bifrost/index.ts';
import litellm from '../../../../importers/litellm/index.ts';
import { builtIns } from '../all-built-ins.ts';
import { runHere } from '../run-here.ts';

type Row = readonly [status: string, name: string, key: string, source: string, result: string];

describe('koine import --verify', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'koine-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const verify = async (
    kind: string,
    source: object,
    importers: Readonly<Record<string, () => Promise<Importer>>> = {},
  ): Promise<{ readonly code: number | null; readonly rows: readonly Row[]; readonly err: string }> => {
    writeFileSync(join(folder, 'source.yaml'), stringify(source));
    const { code, out, err } = await runHere(['import', kind, 'source.yaml', '--verify'], {
      cwd: folder,
      builtIns: { ...builtIns, importers: { ...builtIns.importers, ...importers } },
    });
    const rows = out
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(/ {2,}/) as unknown as Row);
    return { code, rows, err };
  };
  const statuses = (rows: readonly Row[]): object => Object.fromEntries(rows.map(([status, name]) => [name, status]));
  const entry = (name: string, params: object): object => ({ model_name: name, litellm_params: params });

  it('prints where each name of LiteLLM is sent, and writes nothing', async () => {
    const { code, rows, err } = await verify('litellm', {
      model_list: [
        entry('gpt', { model: 'openai/gpt-4.1', api_key: 'os.environ/OPENAI_KEY' }),
        entry('gpt', { model: 'azure/gpt-4.1', api_base: 'https://acme-eu.openai.azure.com', api_key: 'clear-0001' }),
        entry('claude', { model: 'bedrock/anthropic.claude-sonnet-4-6', aws_region_name: 'eu-west-1' }),
        entry('gemini', { model: 'vertex_ai/gemini-2.5-pro', vertex_project: 'acme', vertex_location: 'europe-west1' }),
        entry('openai/*', { model: 'openai/*' }),
      ],
      router_settings: { model_group_alias: { best: 'claude' }, fallbacks: [{ gpt: ['claude'] }] },
      general_settings: { master_key: 'os.environ/MASTER' },
    });
    expect(statuses(rows)).to.deep.equal({
      'gpt': 'equal',
      'claude': 'equal',
      'gemini': 'equal',
      'openai/any-model': 'equal',
      'best': 'equal',
    });
    expect([code, err.split('\n').at(-2)]).to.deep.equal([0, '5 names: 5 equal, 0 different, 0 missing, 0 wider.']);
    const [gpt, claude, gemini] = rows;
    expect(gpt?.[2]).to.equal('default/default/master');
    expect(gpt?.[3]).to.equal(
      'openai gpt-4.1 (key ${OPENAI_KEY}); acme-eu.openai.azure.com gpt-4.1 (key ${AZURE_API_KEY}); ' +
        'bedrock anthropic.claude-sonnet-4-6 (region eu-west-1)',
    );
    expect(claude?.[3]).to.equal('bedrock anthropic.claude-sonnet-4-6 (region eu-west-1)');
    expect(gemini?.[3]).to.equal('vertex gemini-2.5-pro (region europe-west1, project acme)');
    expect(JSON.stringify(rows)).not.to.include('clear-0001');
    expect(readdirSync(folder)).to.deep.equal(['source.yaml']);
  });

  it('ends with 1 if a name is missing, and says why', async () => {
    const { code, rows } = await verify('litellm', {
      model_list: [entry('speech', { model: 'elevenlabs/one' }), entry('gpt', { model: 'openai/gpt-4.1' })],
    });
    expect(code).to.equal(1);
    expect(statuses(rows)).to.deep.equal({ speech: 'missing', gpt: 'equal' });
    expect(rows[0]?.[4]).to.include('The configuration has no model and no alias "speech".');
  });

  it('a name with fewer targets is different, and no error', async () => {
    const { code, rows } = await verify('litellm', {
      model_list: [entry('gpt', { model: 'openai/gpt-4.1' }), entry('gpt', { model: 'elevenlabs/one' })],
    });
    expect([code, statuses(rows)]).to.deep.equal([0, { gpt: 'different' }]);
  });

  for (const [what, change] of [
    ['another model', { model: 'gpt-4.1-mini' }],
    ['another provider', { provider: 'eu' }],
  ] as const)
    it(`ends with 1 if a name reaches ${what}: an import that is wrong`, async () => {
      const wrong: Importer = {
        ...litellm,
        translate: (source, help) => {
          const translation = litellm.translate(source, help);
          const text = JSON.stringify(translation.settings['models']);
          const [target] = /\{"provider":"openai","model":"gpt-4.1"\}/.exec(text) ?? [''];
          const models = JSON.parse(text.replace(target, JSON.stringify({ ...JSON.parse(target), ...change })));
          const eu = { use: 'openai', config: { baseUrl: 'https://eu.example/v1' } };
          const providers = { ...(translation.settings['providers'] as object), eu };
          return { ...translation, settings: { ...translation.settings, models, providers } };
        },
      };
      const source = { model_list: [entry('gpt', { model: 'openai/gpt-4.1' })] };
      const { code, rows } = await verify('litellm', source, { litellm: () => Promise.resolve(wrong) });
      expect([code, statuses(rows)]).to.deep.equal([1, { gpt: 'wider' }]);
    });

  const key = (name: string, more: object = {}): object => ({ name, id: name, value: `env.${name}`, ...more });

  it('tries each name of Bifrost with each virtual key, with and without a provider', async () => {
    const { code, rows } = await verify('bifrost', {
      providers: {
        openai: { keys: [key('OPENAI', { models: ['gpt-4.1', 'o3'] })] },
        anthropic: { keys: [key('ANTHROPIC', { models: ['*'] })] },
      },
      governance: {
        virtual_keys: [
          key('WEB', { provider_configs: [{ provider: 'openai', allowed_models: ['gpt-4.1'] }] }),
          key('ALL', { provider_configs: [{ provider: 'openai' }, { provider: 'anthropic', allowed_models: ['*'] }] }),
        ],
      },
    });
    expect(code).to.equal(0);
    expect(rows.map(([status, name, at]) => `${status} ${name} ${at}`)).to.have.members([
      'equal openai/gpt-4.1 default/default/web',
      'equal gpt-4.1 default/default/web',
      'equal openai/gpt-4.1 default/default/all',
      'equal openai/o3 default/default/all',
      'equal anthropic/any-model default/default/all',
      'equal gpt-4.1 default/default/all',
      'equal o3 default/default/all',
    ]);
  });

  it('ends with 1 if a virtual key may use more than before', async () => {
    const wrong: Importer = {
      ...bifrost,
      translate: (source, help) => {
        const translation = bifrost.translate(source, help);
        const settings = JSON.parse(JSON.stringify(translation.settings).replace('["openai/gpt-4.1"]', '["openai/*"]'));
        return { ...translation, settings };
      },
    };
    const source = {
      providers: { openai: { keys: [key('OPENAI', { models: ['gpt-4.1', 'o3'] })] } },
      governance: {
        virtual_keys: [key('WEB', { provider_configs: [{ provider: 'openai', allowed_models: ['gpt-4.1'] }] })],
      },
    };
    const { code, rows } = await verify('bifrost', source, { bifrost: () => Promise.resolve(wrong) });
    expect([code, statuses(rows)]).to.deep.equal([
      1,
      { 'openai/gpt-4.1': 'equal', 'gpt-4.1': 'equal', 'openai/o3': 'wider', 'o3': 'wider' },
    ]);
    expect(rows.find(([, name]) => name === 'openai/o3')?.[3]).to.equal('refused');
  });

  it('a virtual key that is pinned to one region is missing, and never reaches another', async () => {
    const { code, rows } = await verify('bifrost', {
      providers: { openai: { keys: [key('US', { models: ['gpt-4.1'] }), key('EU', { models: ['gpt-4.1'] })] } },
      governance: { virtual_keys: [key('WEB', { provider_configs: [{ provider: 'openai', key_ids: ['EU'] }] })] },
    });
    expect([code, statuses(rows)]).to.deep.equal([1, { 'openai/gpt-4.1': 'missing', 'gpt-4.1': 'missing' }]);
    expect(rows[0]?.[3]).to.equal('openai gpt-4.1 (key ${EU})');
  });

  it('a routing rule that is pinned to a key has that key alone', async () => {
    const rule = { cel_expression: 'model == "gpt-4.1"', targets: [{ provider: 'openai', weight: 1, key_id: 'EU' }] };
    const { code, rows } = await verify('bifrost', {
      providers: { openai: { keys: [key('US', { models: ['*'] }), key('EU', { models: ['*'] })] } },
      governance: { routing_rules: [rule] },
    });
    expect([code, statuses(rows)]).to.deep.equal([
      0,
      { 'openai/any-model': 'equal', 'openai/gpt-4.1': 'equal', 'gpt-4.1': 'equal' },
    ]);
    expect(rows.find(([, name]) => name === 'openai/gpt-4.1')?.[3]).to.equal('openai gpt-4.1 (key ${EU})');
  });

  it('keeps the regions, projects and keys of clouds of Bifrost', async () => {
    const { code, rows } = await verify('bifrost', {
      providers: {
        bedrock: {
          keys: [
            key('A', {
              value: '',
              models: ['claude'],
              bedrock_key_config: {
                region: 'eu-central-1',
                access_key: 'env.AWS_ID',
                secret_key: 'env.AWS_SECRET',
                deployments: { claude: 'eu.anthropic.claude-sonnet-4-6' },
              },
            }),
          ],
        },
        vertex: {
          keys: [
            key('B', {
              value: '',
              models: ['gemini-2.5-pro'],
              vertex_key_config: { project_id: 'env.PROJECT', region: 'europe-west1', auth_credentials: 'clear-0002' },
            }),
          ],
        },
      },
    });
    expect([code, rows.map(([status, , , source]) => [status, source])]).to.deep.equal([
      0,
      [
        ['equal', 'bedrock eu.anthropic.claude-sonnet-4-6 (region eu-central-1, key ${AWS_ID})'],
        ['equal', 'vertex gemini-2.5-pro (region europe-west1, project ${PROJECT}, key ${AUTH_CREDENTIALS})'],
        ['equal', 'bedrock eu.anthropic.claude-sonnet-4-6 (region eu-central-1, key ${AWS_ID})'],
        ['equal', 'vertex gemini-2.5-pro (region europe-west1, project ${PROJECT}, key ${AUTH_CREDENTIALS})'],
      ],
    ]);
  });

  it('compares the names that the conditions of Portkey select by, with regions', async () => {
    const cloud = (region: string): object => ({
      name: region,
      provider: 'bedrock',
      aws_region: region,
      aws_access_key_id: 'clear-0003',
      aws_secret_access_key: 'clear-0004',
      override_params: { model: 'anthropic.claude-sonnet-4-6' },
    });
    const { code, rows } = await verify('portkey', {
      strategy: {
        mode: 'conditional',
        conditions: [JSON.parse('{"query":{"params.model":{"$eq":"european"}},"then":"eu-west-1"}')],
        default: 'us-east-1',
      },
      targets: [cloud('eu-west-1'), cloud('us-east-1')],
    });
    expect([code, rows.map(([status, name, , source]) => [status, name, source.slice(8, 57)])]).to.deep.equal([
      0,
      [
        ['equal', 'european', 'anthropic.claude-sonnet-4-6 (region eu-west-1, ke'],
        ['equal', 'anthropic.claude-sonnet-4-6', 'anthropic.claude-sonnet-4-6 (region us-east-1, ke'],
      ],
    ]);
  });

  it('a target of Portkey that takes the model of the request loses the names that the result does not list', async () => {
    const { code, rows } = await verify('portkey', { provider: 'openai', api_key: 'env-key-of-openai' });
    expect([code, statuses(rows)]).to.deep.equal([1, { 'any-model': 'missing' }]);
  });
});
