import { expect } from 'chai';
import { spawnSync } from 'node:child_process';

const module = new URL('../../../../core/server/shutdown/report-crash.ts', import.meta.url);

/** Runs a program that crashes. @returns its exit code and what it wrote */
const crash = (statement: string) => {
  const program = `import { reportCrashes } from ${JSON.stringify(module.href)}; reportCrashes(); ${statement}`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    timeout: 10_000,
    killSignal: 'SIGKILL',
  });
  return { status, stderr };
};

describe('the report of a crash', () => {
  it('has the stacks of the error and of its causes, and nothing else of them', () => {
    const { status, stderr } = crash(
      `const cause = Object.assign(new TypeError('no connection'), { headers: 'of a request' });
      throw new Error('the store failed', { cause });`,
    );
    expect(status).to.equal(1);
    expect(stderr)
      .to.match(/^koine crashed on an uncaught error \(\w+\): Error: the store failed\n +at /)
      .and.match(/\nCaused by: TypeError: no connection\n +at /)
      .and.not.include('of a request');
  });

  it('has at most five errors of a chain, so that it ends also for an error that is its own cause', () => {
    const { stderr } = crash(`const error = new Error('a loop'); error.cause = error; throw error;`);
    expect(stderr.match(/a loop/g)).to.have.length(5);
  });

  it('has no secrets', () => {
    const { stderr } = crash(`throw new Error('sk-ant-api03-${'x'.repeat(80)} was refused');`);
    expect(stderr).to.include('was refused').and.not.include('x'.repeat(20));
  });

  for (const [thrown, text] of [
    ["'only a text'", 'only a text'],
    ["{ token: 'secret' }", 'an object that is not an Error'],
  ] as const)
    it(`describes what is no error: ${text}`, () => {
      const { status, stderr } = crash(`setImmediate(() => { throw ${thrown}; });`);
      expect(status).to.equal(1);
      expect(stderr).to.equal(`koine crashed on an uncaught error (uncaughtException): ${text}\n`);
    });
});
