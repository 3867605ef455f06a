import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const mocha = fileURLToPath(import.meta.resolve('mocha/bin/mocha.js'));
/** Some of the tests may be all that is wanted: then nothing starts before its turn. */
const isWhole = !process.argv.some((argument) => /^(?:-g|-f|--f?grep)/.test(argument));
const LIMIT_MS = 240_000;

interface Ended {
  readonly code: number | null;
  readonly said: string;
}

/**
 * A file of tests that takes a minute and mostly waits: it runs in a process of its own, from the first test of a whole run on, and stands as one
 * test in its place. Where it skips something, that test is skipped.
 * @param isWanted false: skipped
 */
export const runBeside = (title: string, file: URL, isWanted = true): void => {
  let ended: Promise<Ended> | undefined;
  const start = (): Promise<Ended> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [mocha, '--no-config', '--exit', '--timeout', String(LIMIT_MS), fileURLToPath(file)], { stdio: ['ignore', 'pipe', 'pipe'] });
      let said = '';
      for (const output of [child.stdout, child.stderr]) output.setEncoding('utf8').on('data', (text: string) => (said += text));
      child.once('close', (code) => resolve({ code, said }));
    });
  before(() => {
    if (isWanted && isWhole) ended = start();
  });
  it(title, async function () {
    if (!isWanted) this.skip();
    this.timeout(LIMIT_MS);
    const { code, said } = await (ended ??= start());
    expect(code, said).to.equal(0);
    if (/ pending/.test(said)) this.skip();
    expect(said).to.match(/ passing/);
  });
};
