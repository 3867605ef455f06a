import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { stringify } from 'yaml';
import litellm from '../../importers/litellm/index.ts';
import { vendors } from '../../importers/shared/vendors.ts';
import { some } from './arbitrary.ts';
import { translateFile } from './check-fixtures.ts';

const names = fc.constantFrom(
  'https://a.example/v1/',
  'gpt',
  'openai/gpt',
  'claude',
  'my model',
  '/x/',
  '*',
  'openai/*',
  'constructor',
  '__proto__',
);
const models = fc
  .tuple(
    fc.constantFrom(...Object.keys(vendors), 'bedrock', ''),
    fc.constantFrom('m', 'm-1', 'text-embedding-3', 'whisper-1', '*', 'a/b'),
  )
  .map(([vendor, model]) => (vendor === '' ? model : `${vendor}/${model}`));
const figures = fc.oneof(fc.integer({ min: -1, max: 100_000 }), fc.constantFrom('5', 0.000001, 1e-12));
const lengths = fc.constantFrom('1s', '30m', '1h', '24h', '1d', '7d', '30d', '1mo', '12mo', 'soon', '5 d');
const tables = fc.array(fc.dictionary(names, fc.oneof(fc.array(names, { maxLength: 3 }), names), { maxKeys: 2 }), {
  maxLength: 3,
});

const deployment = some({
  model_name: names,
  litellm_params: some({
    model: models,
    api_key: fc.constantFrom('sk-1', 'none', 'os.environ/KEY'),
    api_base: fc.constantFrom(
      'https://x.example/v1',
      'http://user:word@x.example',
      'os.environ/BASE',
      'https://api.openai.com/v1',
    ),
    weight: figures,
    order: figures,
    rpm: figures,
    timeout: figures,
    stream_timeout: figures,
    max_budget: figures,
    budget_duration: lengths,
    input_cost_per_token: figures,
    output_cost_per_token: figures,
    extra_headers: fc.dictionary(fc.constantFrom('x-key', 'X-Team'), fc.constantFrom('a', 'os.environ/X')),
  }),
  model_info: some({
    mode: fc.constantFrom('chat', 'embedding', 'responses', 'rerank'),
    max_tokens: figures,
    supports_vision: fc.boolean(),
  }),
});
const source = some({
  model_list: fc.array(deployment, { maxLength: 6 }),
  router_settings: some({
    routing_strategy: fc.constantFrom('simple-shuffle', 'latency-based-routing', 'least-busy'),
    fallbacks: tables,
    default_fallbacks: fc.array(names, { maxLength: 2 }),
    model_group_alias: fc.dictionary(names, names, { maxKeys: 3 }),
    num_retries: figures,
    timeout: figures,
    cooldown_time: figures,
    allowed_fails: figures,
    redis_host: fc.constantFrom('cache', 'os.environ/REDIS_HOST'),
    redis_port: figures,
    redis_password: fc.constantFrom('word', 'os.environ/REDIS_PASSWORD'),
    provider_budget_config: fc.dictionary(
      fc.constantFrom('openai', 'anthropic', 'groq'),
      some({ budget_limit: figures, time_period: lengths }),
    ),
  }),
  litellm_settings: some({
    request_timeout: figures,
    max_budget: figures,
    budget_duration: lengths,
    default_key_generate_params: some({ max_budget: figures, rpm_limit: figures, tpm_limit: figures }),
  }),
  general_settings: some({
    master_key: fc.constantFrom('sk-1', 'os.environ/MASTER'),
    max_request_size_mb: figures,
    global_max_parallel_requests: figures,
    maximum_spend_logs_retention_period: lengths,
  }),
});

describe('the LiteLLM importer with arbitrary configurations', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'koine-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('always returns a configuration that loads from arbitrary input', async () => {
    const from = join(folder, 'config.yaml');
    const check = fc.asyncProperty(source, async (config) => {
      writeFileSync(from, stringify({ model_list: [], ...config }));
      await translateFile(litellm, from, folder);
    });
    await fc.assert(check, { numRuns: 30 });
  });
});
