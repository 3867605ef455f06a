import { spawnSync } from 'node:child_process';

export interface RunOptions {
  readonly cwd?: string;
  /** In addition to those of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

/** @returns standard output @throws Error with standard error */
export function run(command: string, args: readonly string[], { cwd, env }: RunOptions = {}): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error !== undefined) throw new Error(`${command} failed: ${error.message}`);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}${stdout}`);
  return stdout;
}
