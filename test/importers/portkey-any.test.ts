import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import * as fc from 'fast-check';
import portkey from '../../importers/portkey/index.ts';
import { some } from './arbitrary.ts';
import { translateFile } from './check-fixtures.ts';

const names = fc.constantFrom('one', 'two', 'my model', 'openai/gpt', 'constructor', '__proto__', '${X}');
const figures = fc.oneof(fc.integer({ min: -1, max: 100_000_000 }), fc.constantFrom('5', 0.25, 1e-12));
const sections = {
  provider: fc.constantFrom(
    'openai',
    'anthropic',
    'google',
    'azure-openai',
    'groq',
    'ollama',
    'bedrock',
    'vertex-ai',
    '@oai',
    '@x y',
  ),
  virtual_key: fc.constantFrom('openai-1', 'azure-eu', '42', 'ü', 'claude/x'),
  api_key: fc.constantFrom('clear-0001', 'none', '${KEY}'),
  custom_host: fc.constantFrom('https://x.example/v1', 'http://user:clear-0002@x.example', 'x.example'),
  aws_region: fc.constantFrom('eu-west-1', 'a b'),
  aws_access_key_id: fc.constantFrom('clear-0003', ''),
  aws_secret_access_key: fc.constantFrom('clear-0004', ''),
  vertex_project_id: fc.constantFrom('acme', 'A B'),
  vertex_region: fc.constantFrom('europe-west1', 'a b'),
  vertex_service_account_json: fc.constantFrom<unknown>('clear-0005', { private_key: 'clear-0006' }),
  resource_name: fc.constantFrom('acme', 'a b'),
  deployment_id: names,
  override_params: some({
    model: fc.constantFrom('gpt-4o', '@openai-prod/gpt-4o', '@/x', '@a/b/c', 'house', ' a b '),
    temperature: figures,
  }),
  request_timeout: figures,
  retry: some({ attempts: figures, on_status_codes: fc.constant([429]) }),
  cb_config: some({
    failure_threshold: figures,
    failure_threshold_percentage: figures,
    minimum_requests: figures,
    cooldown_interval: figures,
  }),
  weight: figures,
  name: names,
  cache: some({ mode: fc.constantFrom('simple', 'semantic') }),
};
const query = fc.oneof(
  names.map((name) => ({ 'params.model': { $eq: name } })),
  fc.array(names, { maxLength: 3 }).map((list) => ({ 'params.model': { $in: list } })),
  names.map((name) => ({ 'metadata.plan': { $eq: name } })),
);
const condition = fc.dictionary(fc.constantFrom('query', 'then'), fc.oneof(query, names));
const strategy = some({
  mode: fc.constantFrom('single', 'fallback', 'loadbalance', 'conditional', 'sample'),
  on_status_codes: fc.constant([429]),
  conditions: fc.array(condition, { maxLength: 3 }),
  default: names,
});
const leaf = some(sections);
const branch = some({ ...sections, strategy, targets: fc.array(leaf, { maxLength: 4 }) });
const config = some({ ...sections, strategy, targets: fc.array(fc.oneof(leaf, branch), { maxLength: 4 }) });

describe('the Portkey importer with arbitrary configs', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'koine-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('always returns a configuration that loads and has no secret, from an arbitrary Portkey config', async () => {
    const from = join(folder, 'config.json');
    const check = fc.asyncProperty(config, async (source) => {
      writeFileSync(from, JSON.stringify(source));
      const translation = await translateFile(portkey, from, folder);
      expect(JSON.stringify(translation)).not.to.match(/clear-\d{4}/);
    });
    // A value that is no name of a region, and no variable either: Portkey has none.
    const literal = { strategy: { mode: 'single' }, targets: [{ provider: 'vertex-ai', vertex_region: '${X}' }] };
    await fc.assert(check, { numRuns: 60, examples: [[literal]] });
  });
});
