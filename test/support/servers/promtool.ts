import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

const isInstalled = spawnSync('promtool', ['--version']).status === 0;

/** Skips where there is no promtool, except in CI, where there has to be one. Call it in a `before` hook. */
export const requirePromtool = (context: Mocha.Context): void => {
  if (isInstalled) return;
  if (process.env['CI'] === 'true')
    throw new Error('promtool is missing: install it (apt-get install --no-install-recommends prometheus).');
  context.skip();
};

export interface Verdict {
  /** 0: good; 3: it can be read, and promtool would do it otherwise. */
  readonly code: number;
  readonly out: string;
  readonly complaints: string;
}

/** What the tool of Prometheus' makers says. @param input what it reads from standard input */
export const runPromtool = async (words: readonly string[], input = ''): Promise<Verdict> => {
  const child = spawn('promtool', words);
  child.stdin.end(input);
  const [out, complaints, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  return { code, out, complaints };
};
