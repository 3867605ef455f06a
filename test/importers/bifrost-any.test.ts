import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import * as fc from 'fast-check';
import bifrost from '../../importers/bifrost/index.ts';
import { some } from './arbitrary.ts';
import { translateFile } from './check-fixtures.ts';

const figures = fc.oneof(fc.integer({ min: -1, max: 10_000_000 }), fc.constantFrom('5', 0.25, 1e-12));
const lengths = fc.constantFrom('30s', '5m', '1h', '1d', '1w', '1M', '1Q', '1Y', '99d', 'soon');
const names = fc.constantFrom('gpt-4o', 'a b', 'openai/gpt-4o', '*', '__proto__', 'text-embedding-3', '${X}', '/x/');
const lists = fc.array(names, { maxLength: 3 });
const ids = fc.constantFrom('one', 'two', 'three', 'constructor');
const vendors = fc.constantFrom(
  'openai',
  'anthropic',
  'gemini',
  'azure',
  'groq',
  'ollama',
  'vllm',
  'bedrock',
  'vertex',
  'my own',
  'ü',
);
const secrets = fc.constantFrom<unknown>('clear-0001', 'clear-0002', 'env.KEY', '', {
  env_var: 'env.KEY',
  from_env: true,
});
const urls = fc.constantFrom('https://x.example', 'http://user:clear-0003@x.example/v1', 'env.URL', 'x.example');

const key = some({
  name: names,
  value: secrets,
  models: lists,
  weight: figures,
  enabled: fc.boolean(),
  blacklisted_models: lists,
  aliases: fc.dictionary(names, names, { maxKeys: 2 }),
  azure_key_config: some({ endpoint: urls, deployments: fc.dictionary(names, names, { maxKeys: 2 }) }),
  ollama_key_config: some({ url: urls }),
  bedrock_key_config: some({
    region: fc.constantFrom('eu-west-1', 'a b', 'env.REGION'),
    access_key: secrets,
    secret_key: secrets,
    session_token: secrets,
    deployments: fc.dictionary(names, names, { maxKeys: 2 }),
  }),
  vertex_key_config: some({
    project_id: fc.constantFrom('acme', 'A B', 'env.PROJECT'),
    region: fc.constantFrom('europe-west1', 'a b'),
    auth_credentials: secrets,
  }),
  vllm_key_config: some({ url: urls, model_name: names }),
});
const provider = some({
  keys: fc.array(key, { maxLength: 3 }),
  network_config: some({
    base_url: urls,
    default_request_timeout_in_seconds: figures,
    stream_idle_timeout_in_seconds: figures,
    max_retries: figures,
    retry_backoff_initial: figures,
    retry_backoff_max: figures,
    extra_headers: fc.dictionary(fc.constantFrom('x-token', 'Authorization'), secrets, { maxKeys: 2 }),
  }),
  custom_provider_config: some({ base_provider_type: vendors, is_key_less: fc.boolean() }),
});
const owner = { id: ids, name: ids, budget_id: ids, rate_limit_id: ids };
const config = some({
  id: ids,
  provider: vendors,
  allowed_models: lists,
  key_ids: lists,
  weight: figures,
  budget_id: ids,
  rate_limit_id: ids,
});
const targets = fc.array(some({ provider: vendors, model: names, weight: figures }), { maxLength: 2 });
const governance = some({
  customers: fc.array(some(owner), { maxLength: 2 }),
  teams: fc.array(some({ ...owner, customer_id: ids }), { maxLength: 2 }),
  budgets: fc.array(
    some({ id: ids, max_limit: figures, reset_duration: lengths, team_id: ids, virtual_key_id: ids, customer_id: ids }),
    { maxLength: 3 },
  ),
  rate_limits: fc.array(
    some({
      id: ids,
      request_max_limit: figures,
      request_reset_duration: lengths,
      token_max_limit: figures,
      token_reset_duration: lengths,
    }),
    { maxLength: 3 },
  ),
  virtual_keys: fc.array(
    some({
      ...owner,
      team_id: ids,
      customer_id: ids,
      is_active: fc.boolean(),
      expires_at: fc.constantFrom('2027-01-31T00:00:00Z', 'never'),
      provider_configs: fc.array(config, { maxLength: 2 }),
    }),
    { maxLength: 3 },
  ),
  routing_rules: fc.array(
    some({
      cel_expression: fc.constantFrom('model == "gpt-4o"', "request.model == 'best'", 'true'),
      targets,
      fallbacks: fc.array(fc.constantFrom<unknown>('openai/gpt-4o', 'groq', 'azure/', { provider: 'openai' }), {
        maxLength: 2,
      }),
      priority: figures,
    }),
    { maxLength: 3 },
  ),
  model_configs: fc.array(
    some({
      model_name: names,
      provider: vendors,
      scope: fc.constantFrom('global', 'virtual_key'),
      scope_id: ids,
      budget_id: ids,
      rate_limit_ids: fc.array(ids, { maxLength: 2 }),
    }),
    { maxLength: 3 },
  ),
  pricing_overrides: fc.array(
    some({
      scope_kind: fc.constantFrom('global', 'provider', 'virtual_key'),
      provider_id: vendors,
      pattern: fc.constantFrom('gpt-4o', 'gpt-*', '*'),
      pricing_patch: fc.constantFrom('{"input_cost_per_token":0.1,"output_cost_per_token":2}', '{', '[]'),
    }),
    { maxLength: 3 },
  ),
});
const source = some({
  version: fc.constantFrom(1, 2),
  providers: fc.dictionary(vendors, provider, { maxKeys: 4 }),
  governance,
  client: some({ max_request_body_size_mb: figures, log_retention_days: figures, enable_logging: fc.boolean() }),
  plugins: fc.array(
    some({
      name: fc.constantFrom('otel', 'semantic_cache', 'mine'),
      config: some({ collector_url: urls, protocol: fc.constantFrom('http', 'grpc'), service_name: names }),
    }),
    { maxLength: 1 },
  ),
});

describe('the Bifrost importer with arbitrary configurations', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'koine-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('always returns a configuration that loads and has no secret, from an arbitrary config.json', async () => {
    const from = join(folder, 'config.json');
    const check = fc.asyncProperty(source, async (config) => {
      writeFileSync(from, JSON.stringify(config));
      const translation = await translateFile(bifrost, from, folder);
      expect(JSON.stringify(translation)).not.to.match(/clear-\d{4}/);
    });
    const rule = { cel_expression: 'model == "gpt-4o"', targets: [{ model: '*' }] };
    const routed = { providers: { openai: {} }, governance: { routing_rules: [rule] } };
    await fc.assert(check, { numRuns: 40, examples: [[routed]] });
  });
});
