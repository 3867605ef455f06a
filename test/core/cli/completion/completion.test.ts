import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runHere } from '../run-here.ts';

/** Prints what each shell proposes for a line, one word per line. It is a real shell with the real script. */
const shells = {
  bash: (script: string, line: string): readonly string[] => [
    '-c',
    `source ${script}; COMP_WORDS=(${line.endsWith(' ') ? `${line}""` : line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    _koine; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  fish: (script: string, line: string): readonly string[] => [
    '--no-config',
    '-c',
    `source ${script}; complete -C ${JSON.stringify(line)}`,
  ],
  // Outside of a line editor, zsh has no completion: `_describe`, which shows the proposals, prints them here.
  zsh: (script: string, line: string): readonly string[] => [
    '-f',
    '-c',
    `compdef() {}; _files() {}; _describe() { print -l -- \${(P)2}; }
    source ${script}; words=(${line.endsWith(' ') ? `${line}""` : line}); CURRENT=$#words; _koine`,
  ],
};

/** Skips where the shell is missing, except in CI, where it has to be there. */
const requireShell = (context: Mocha.Context, shell: string): void => {
  if (spawnSync(shell, ['--version']).status === 0) return;
  if (process.env['CI'] === 'true') throw new Error(`${shell} is missing: install it (apt-get install ${shell}).`);
  context.skip();
};

for (const [shell, argumentsOf] of Object.entries(shells))
  describe(`the completion of ${shell}`, () => {
    let folder = '';
    before(async function () {
      requireShell(this, shell);
      folder = mkdtempSync(join(tmpdir(), 'koine-'));
      const { code, out } = await runHere(['completion', shell]);
      expect(code).to.equal(0);
      writeFileSync(join(folder, 'script'), out);
    });
    after(() => folder !== '' && rmSync(folder, { recursive: true }));

    const complete = (line: string): string => {
      const { stdout } = spawnSync(shell, [...argumentsOf(join(folder, 'script'), line)], {
        encoding: 'utf8',
        cwd: folder,
        timeout: 20_000,
      });
      return stdout;
    };

    it('proposes commands', () =>
      expect(complete('koine '))
        .to.match(/\bserve\b/)
        .and.match(/\breconcile\b/));
    it('proposes verbs', () =>
      expect(complete('koine keys '))
        .to.match(/\bcreate\b/)
        .and.match(/\brotate\b/));
    it('proposes the options of a verb', () =>
      expect(complete('koine keys create --'))
        .to.match(/--expires\b/)
        .and.not.match(/--overlap\b/));
    it('proposes the values of an option', () =>
      expect(complete('koine keys create --losses '))
        .to.match(/\bwarn\b/)
        .and.match(/\breject\b/));
    it('proposes the gateways of an import', () => expect(complete('koine import ')).to.match(/\blitellm\b/));
  });

describe('koine completion', () => {
  it('names the shells it knows', async () => {
    const { code, err } = await runHere(['completion', 'tcsh']);
    expect([code, err.split('\n')[0]]).to.deep.equal([2, 'Name the shell: koine completion bash|zsh|fish.']);
  });

  it('refuses an option', async () => {
    const { code, err } = await runHere(['completion', 'bash', '--nothing']);
    expect([code, err.split('\n')[0]]).to.deep.equal([2, "Unknown option '--nothing'"]);
  });
});
