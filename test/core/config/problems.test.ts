import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { findProblems } from '../../../core/cli/check/find-problems.ts';
import { formatProblem } from '../../../core/config/problem.ts';
import { rules } from '../../../core/config/validate/rules.ts';
import { build } from '../../../core/services/build.ts';
import { builtIns, environment } from './fixture-built-ins.ts';

const folder = fileURLToPath(new URL('../../fixtures/configs/', import.meta.url));
const tests = fileURLToPath(new URL('../../', import.meta.url));
const cases = globSync(['*.yaml', 'audit/*.yaml'], { cwd: folder });
const ruleOf = (file: string): string => /([a-z-]+?)(--.*)?\.yaml$/.exec(file)?.[1] ?? '';

const describeConfig = async (file: string): Promise<string> => {
  const { problems } = await findProblems({
    file: `${folder}${file}`,
    audit: file.startsWith('audit/'),
    builtIns,
    env: file.includes('unverified-tls') ? { ...environment, NODE_TLS_REJECT_UNAUTHORIZED: '0' } : environment,
  });
  return `${problems.map(formatProblem).join('\n\n')}\n`
    .replaceAll(folder, '')
    .replaceAll(tests, 'test/')
    .replaceAll(`this gateway is ${build.version}`, 'this gateway is VERSION');
};

/** KOINE_WRITE_FIXTURES=1 updates the expected texts after a message has changed; review the diff. */
describe('config problems', () => {
  for (const file of cases) {
    const expected = `${folder}${file.replace('.yaml', '.txt')}`;
    it(`reports the expected problems of ${file}`, async () => {
      const text = await describeConfig(file);
      if (process.env['KOINE_WRITE_FIXTURES'] === '1') writeFileSync(expected, text);
      expect(text).to.equal(readFileSync(expected, 'utf8'));
    });

    it(`finds the rule after which ${file} is named`, async () => {
      expect(await describeConfig(file)).to.match(new RegExp(` (error|warning|advice) ${ruleOf(file)} `));
    });

    it(`shows no secret of ${file}`, async () => {
      expect(await describeConfig(file)).not.to.match(/very-secret/);
    });
  }

  it('every rule has a fixture, and every fixture a rule', () => {
    expect([...new Set(cases.map(ruleOf))].toSorted()).to.deep.equal([...rules].toSorted());
  });
});
