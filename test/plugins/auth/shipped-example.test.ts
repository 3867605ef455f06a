import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { parse } from 'yaml';
import { compileSchema } from '../../../core/config/validate/validate.ts';
import auth from '../../../plugins/auth/index.ts';
import { readFailureRule, readRemoteSettings, type AuthOptions } from '../../../plugins/auth/options.ts';

const accepts = compileSchema(auth.schema);
const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8');

/** The settings in an example, commented ones included. */
const readSettings = (config: AuthOptions): unknown => {
  expect(accepts(structuredClone(config))).to.equal(true);
  return [readFailureRule(config), readRemoteSettings(config)];
};

describe('the documented settings of the auth plugin', () => {
  const expected = [
    { limit: 20, perMs: 60_000, blockMs: 60_000 },
    {
      url: 'https://keys.internal/check',
      headers: { authorization: 'Bearer ${KEY_SERVICE_TOKEN}' },
      timeoutMs: 2_000,
      cacheMs: 10_000,
      graceMs: 3_600_000,
    },
  ];

  it('documents valid settings in gateway.yaml', () => {
    const [, block = ''] = /^ {2}- use: auth\n((?: {4}# .*\n)+)/m.exec(read('gateway.yaml')) ?? [];
    expect(readSettings((parse(block.replaceAll(/^ {4}# /gm, '')) as { config: AuthOptions }).config)).to.deep.equal(
      expected,
    );
  });

  it('documents valid settings in the README, which equal the defaults', () => {
    const [, block = ''] = /```yaml\n([^`]+)```/.exec(read('plugins/auth/README.md')) ?? [];
    const { plugins } = parse(block) as { plugins: readonly { config: AuthOptions }[] };
    const config = plugins[0]?.config ?? {};
    expect(readSettings(config)).to.deep.equal(expected);
    const { url = '', headers = {} } = config.remote ?? {};
    expect(readSettings({ remote: { url, headers } })).to.deep.equal(expected);
  });
});
