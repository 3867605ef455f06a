import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { omitUndefined } from '../../../core/api/codec.ts';
import { loadConfig, type LoadedConfig } from '../../../core/config/load.ts';
import { readLimits } from '../../../core/config/validate/read-limits.ts';
import { createTenancy } from '../../../core/tenancy/scopes.ts';
import { builtIns } from './fixture-built-ins.ts';

const page = readFileSync(new URL('../../../docs/govern/limits.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, text = '']) => text);

const models = ['openai/o3', 'anthropic/claude'].map(
  (id) => `  ${id}: { price: { input: 1, output: 2 }, targets: [{ provider: cloud, model: one }] }\n`,
);
const rest = `plugins: [{ use: counter }]\nproviders: { cloud: { use: vendor } }\nmodels:\n${models.join('')}`;

describe('docs/govern/limits.md', () => {
  let folder = '';
  const load = (text: string): Promise<LoadedConfig> => {
    const file = join(folder, 'gateway.yaml');
    writeFileSync(file, `${rest}${text}`);
    return loadConfig(file, builtIns, {
      ALICE_KEY: 'a'.repeat(16),
      BATCH_KEY: 'b'.repeat(16),
      ROBOT_KEY: 'c'.repeat(16),
    });
  };
  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'koine-')));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('the page of limits shows only valid limits, alone and in a file', async () => {
    const lists = blocks.filter((text) => text.startsWith('- {'));
    const files = blocks.filter((text) => text.startsWith('limits:'));
    expect([lists.length, files.length]).to.deep.equal([1, 3]);
    for (const text of lists) readLimits(parse(text), 'limits');
    for (const text of files) expect((await load(text)).warnings, text).to.deep.equal([]);
  });

  it('the page of limits describes the limits that its example results in', async () => {
    const { config } = await load(blocks.find((text) => text.includes('alice:')) ?? '');
    const tenancy = createTenancy(config);
    const web = config.organizations['acme']?.projects['web'];
    const counted = Object.entries(web?.keys ?? {}).map(([key, { limits }]) => {
      const scopes = tenancy.scopes(
        omitUndefined({
          key,
          project: 'web',
          organization: 'acme',
          models: [],
          limits,
        }),
      );
      return [key, ...scopes.map((scope) => scope.limits.map(({ unit, amount }) => `${amount} ${unit}`).join(', '))];
    });
    const shared = ['1000000 tokens', '500000000000 cost'];
    expect(counted).to.deep.equal([
      ['alice', '120 requests, 16 concurrent', ...shared],
      ['batch', '10 requests', ...shared],
      ['robot', '', ...shared],
    ]);
  });
});
