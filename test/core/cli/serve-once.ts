import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { until } from '../../support/until.ts';
import { bin } from '../../support/servers/koine-program.ts';

/** A gateway that has just printed its first key. */
export interface FirstStart {
  /** Standard error, up to the end of the text about the first key. */
  readonly text: string;
  readonly url: string;
  readonly key: string;
  stop(): Promise<void>;
}

interface StartOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a command that starts the real program, without a terminal. */
export const startFirst = async (
  { cwd, env = {} }: StartOptions,
  [program = '', ...args]: readonly string[],
): Promise<FirstStart> => {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own: npm and npx start the program as a child.
    detached: true,
  });
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const stop = async (): Promise<void> => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'close');
    process.kill(-child.pid, 'SIGKILL');
    await ended;
  };
  try {
    await until('the first key', () => /"role":"user".*\n\n/.test(text) || child.exitCode !== null);
    const [, url] = /^koine serves .* on (http:\S+)/m.exec(text) ?? [];
    const [, key] = /^ {2}(koine_\S+)$/m.exec(text) ?? [];
    if (url === undefined || key === undefined) throw new Error(`it does not serve: ${text}`);
    return { text, url, key, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/**
 * Starts the real program in a folder, runs the curl command that it prints, and stops it.
 * @param command the program and its first arguments
 * @returns standard error of the program, and what the curl command printed
 */
export const serveOnce = async (
  options: StartOptions,
  command: readonly string[] = [process.execPath, bin],
): Promise<{ readonly text: string; readonly answer: string }> => {
  const { text, stop } = await startFirst(options, [...command, 'serve', '--port', '0', '--admin-port', '0']);
  try {
    const [curl = ''] = /curl [^]*?(?=\n\n)/.exec(text) ?? [];
    const { stdout } = await promisify(execFile)('bash', ['-c', curl]);
    return { text, answer: stdout };
  } finally {
    await stop();
  }
};
