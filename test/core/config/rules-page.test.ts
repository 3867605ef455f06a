import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { findProblems } from '../../../core/cli/check/find-problems.ts';
import { rules } from '../../../core/config/validate/rules.ts';
import { errorCodes } from '../../../core/errors/codes.ts';
import type { BuiltIns } from '../../../core/extensions/extension.ts';
import auth from '../../../plugins/auth/index.ts';
import metrics from '../../../plugins/metrics/index.ts';
import rateLimit from '../../../plugins/rate-limit/index.ts';
import anthropic from '../../../providers/anthropic/index.ts';
import openai from '../../../providers/openai/index.ts';
import openaiCompatible from '../../../providers/openai-compatible/index.ts';
import simulator from '../../../providers/simulator/index.ts';

/** The extensions and wires that the examples use. */
const builtIns: BuiltIns = {
  provider: { anthropic, openai, 'openai-compatible': openaiCompatible, simulator },
  plugin: { auth, metrics, 'rate-limit': rateLimit },
};

const page = readFileSync(new URL('../../../docs/reference/rules.md', import.meta.url), 'utf8');
const sections = page
  .split(/^### /m)
  .slice(1)
  .map((text) => {
    const [rule = '', ...rest] = text.split('\n');
    const body = rest.join('\n').split(/^## /m)[0] ?? '';
    return { rule, body, examples: [...body.matchAll(/```yaml\n(.*?)```/gs)].map(([, example = '']) => example) };
  });

/** Rules whose examples need other files, another environment or a module. */
const isUntestable = (rule: string): boolean =>
  [
    'nested-include',
    'unreadable-file',
    'expired-certificate',
    'unverified-tls',
    'unpinned-extension',
    'gateway-version',
  ].includes(rule) ||
  (rule.startsWith('KOINE_') && rule !== 'KOINE_EXTENSION_NOT_FOUND');

describe('docs/reference/rules.md', () => {
  let folder = '';
  const find = async (text: string): Promise<readonly string[]> => {
    const file = join(folder, 'gateway.yaml');
    writeFileSync(file, text);
    return (await findProblems({ file, audit: true, builtIns, env: {} })).problems.map(({ rule }) => rule);
  };
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'koine-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('the page of rules has a section for every rule and extension error code, in the order of the code', () => {
    const codes = Object.keys(errorCodes).filter((code) => code.startsWith('KOINE_EXTENSION_'));
    expect(sections.map(({ rule }) => rule)).to.deep.equal([...rules, ...codes]);
  });

  for (const { rule, body, examples } of sections) {
    it(`the page of rules gives the severity, the meaning and two examples of ${rule}`, () => {
      expect(body).to.match(/^\n\*(error|warning|advice)[^*]*\.\* \S/);
      expect(examples).to.have.length(2);
    });

    if (!isUntestable(rule))
      it(`the page of rules has an example of ${rule} that is reported, and one that is not`, async () => {
        const [bad = '', good = ''] = examples;
        expect(await find(bad)).to.include(rule);
        expect(await find(good)).not.to.include(rule);
      });
  }
});
