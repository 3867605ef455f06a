import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { loadConfig } from '../../../core/config/load.ts';
import { ConfigError, formatProblem } from '../../../core/config/problem.ts';
import { builtIns, environment } from './fixture-built-ins.ts';

const folder = new URL('../../fixtures/configs/', import.meta.url);
const cases = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

const describeConfig = async (file: string): Promise<string> => {
  const problems = await loadConfig(new URL(file, folder).pathname, builtIns, environment).then(
    ({ warnings }) => warnings,
    (thrown: unknown) => {
      if (thrown instanceof ConfigError) return thrown.problems;
      throw thrown;
    },
  );
  return `${problems.map(formatProblem).join('\n\n')}\n`.replaceAll(folder.pathname, '');
};

/** Expected texts are written by hand or, after a change of words, by KOINE_WRITE_FIXTURES=1; then read the difference. */
describe('config problems', () => {
  for (const file of cases) {
    const expected = new URL(file.replace('.yaml', '.txt'), folder);
    it(`says what is wrong in ${file}`, async () => {
      const text = await describeConfig(file);
      if (process.env['KOINE_WRITE_FIXTURES'] === '1') writeFileSync(expected, text);
      expect(text).to.equal(readFileSync(expected, 'utf8'));
    });

    it(`finds in ${file} the rule that it is named after`, async () => {
      const rule = file.replace(/\.yaml$/, '').split('--')[0] ?? '';
      expect(await describeConfig(file)).to.match(new RegExp(` (error|warning) ${rule} `));
    });

    it(`shows no secret of ${file}`, async () => {
      expect(await describeConfig(file)).not.to.match(/very-secret/);
    });
  }

  it('have a fixture for every rule that the README lists, and a line there for every fixture', () => {
    const readme = readFileSync(new URL('../../../core/config/README.md', import.meta.url), 'utf8');
    const table = readme.slice(readme.indexOf('## Rules'));
    const listed = [...table.matchAll(/`([a-z]+(?:-[a-z]+)+)`/g)].map(([, rule]) => rule);
    const shown = cases.map((file) => file.replace(/(--.*)?\.yaml$/, ''));
    expect([...new Set(shown)].toSorted()).to.deep.equal([...new Set(listed)].toSorted());
  });
});
