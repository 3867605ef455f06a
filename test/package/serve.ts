import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { until } from '../support/until.ts';

/** A gateway in a process of its own. */
export interface Served {
  readonly url: string;
  readonly adminUrl: string;
  stop(): Promise<void>;
}

/** @param words the arguments of Node @throws Error with standard error, where it does not serve */
export async function serve(words: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Served> {
  const child = spawn(process.execPath, words, {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await until('it serves, or ends', () => stderr.includes('koine serves') || child.exitCode !== null);
  const addresses = /on (http:\S+) \(admin (http:[^)\s]+)\)/.exec(stderr);
  if (addresses === null) throw new Error(`it does not serve: ${stderr}`);
  const [, url = '', adminUrl = ''] = addresses;
  return {
    url,
    adminUrl,
    stop: async () => {
      if (child.exitCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    },
  };
}
