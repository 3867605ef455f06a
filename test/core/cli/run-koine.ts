import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bin } from '../../support/servers/koine-program.ts';

export interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Its standard input. */
  readonly input?: string;
}

/** Runs the real program in a process of its own. */
export const runKoine = (
  args: readonly string[],
  { cwd = root, env = {}, input = '' }: RunOptions = {},
): Promise<Run> => {
  const { promise, resolve, reject } = Promise.withResolvers<Run>();
  const child = spawn(process.execPath, [bin, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
  });
  child.stdin.on('error', () => {}).end(input);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  child.on('error', reject);
  child.on('close', (code) => resolve({ code, out, err }));
  return promise;
};
