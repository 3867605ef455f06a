import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { loadConfig } from '../../../core/config/load.ts';
import { ConfigError, formatProblem } from '../../../core/config/problem.ts';
import { builtIns, environment } from '../config/fixture-built-ins.ts';

const folder = new URL('../../fixtures/extensions/', import.meta.url);
const isWritten = process.env['KOINE_WRITE_FIXTURES'] === '1';
/** Extensions that load and fail later have no problems.txt. */
const cases = readdirSync(folder).filter((name) => existsSync(new URL(`${name}/problems.txt`, folder)));

const describeProblems = async (name: string): Promise<string> => {
  const file = new URL(`${name}/gateway.yaml`, folder).pathname;
  const problems = await loadConfig(file, builtIns, environment).then(
    ({ warnings }) => warnings,
    (thrown: unknown) => {
      if (thrown instanceof ConfigError) return thrown.problems;
      throw thrown;
    },
  );
  return `${problems.map(formatProblem).join('\n\n')}\n`.replaceAll(folder.pathname, '');
};

describe('extensions that cannot be loaded', () => {
  for (const name of cases) {
    it(`reports the position and the reason of the extension fault ${name}`, async () => {
      const text = await describeProblems(name);
      const expected = new URL(`${name}/problems.txt`, folder);
      if (isWritten) writeFileSync(expected, text);
      expect(text).to.equal(readFileSync(expected, 'utf8'));
      expect(text).not.to.match(/very-secret/);
    });
  }
});
