import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { until } from '../../support/until.ts';
import { root } from './run-koine.ts';

export interface ServedOnce {
  /** Standard error, up to the end of the text about the first key. */
  readonly text: string;
  /** What the printed curl command has printed. */
  readonly answer: string;
}

/**
 * Starts the real program in a folder, without a terminal. Runs the curl command that it prints, and stops it.
 * @param command the program and its first arguments
 */
export const serveOnce = async (
  { cwd, env = {} }: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
  [program = '', ...args]: readonly string[] = [process.execPath, `${root}bin/koine.js`],
): Promise<ServedOnce> => {
  const child = spawn(program, [...args, 'serve', '--port', '0', '--admin-port', '0'], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own: npm and npx start the program as a child.
    detached: true,
  });
  try {
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await until('the first key', () => /"role":"user".*\n\n/.test(text) || child.exitCode !== null);
    const [curl] = /curl [^]*?(?=\n\n)/.exec(text) ?? [`false '${text}'`];
    const { stdout } = await promisify(execFile)('bash', ['-c', curl]);
    return { text, answer: stdout };
  } finally {
    const ended = child.exitCode === null ? once(child, 'close') : undefined;
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await ended;
  }
};
