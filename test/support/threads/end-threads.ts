import type { ChildProcess } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../until.ts';

const preload = new URL('./mortal-threads.js', import.meta.url).href;

/**
 * Variables for a gateway whose worker threads a test can stop and end by their numbers, as signals do with processes.
 * @param folder of the files that say so
 * @param options of Node, besides
 */
export const mortalThreads = (folder: string, options = ''): Readonly<Record<string, string>> => ({
  KOINE_TEST_THREADS: folder,
  NODE_OPTIONS: `--import=${preload} ${options}`,
});

/** The workers of the process look for a file with their number. */
const order = (child: ChildProcess, folder: string, name: string): void => {
  writeFileSync(join(folder, name), '');
  child.kill('SIGWINCH');
};

/** Ends a worker at once: nothing of it runs any more. */
export const killThread = (child: ChildProcess, folder: string, worker: number): void =>
  order(child, folder, `kill-${worker}`);
/** Blocks a worker until it is resumed or killed. Resolves when it is blocked. */
export const stopThread = async (child: ChildProcess, folder: string, worker: number): Promise<void> => {
  order(child, folder, `stop-${worker}`);
  await until(`worker ${worker} is blocked`, () => existsSync(join(folder, `stopped-${worker}`)));
};
export const resumeThread = (folder: string, worker: number): void => rmSync(join(folder, `stop-${worker}`));
