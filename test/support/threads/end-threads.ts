import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const preload = new URL('./mortal-threads.ts', import.meta.url).href;

/**
 * Variables for a gateway whose worker threads a test can stop and end by their numbers, as signals do with processes.
 * @param folder of the files that say so
 * @param options of Node, besides
 */
export const mortalThreads = (folder: string, options = ''): Readonly<Record<string, string>> => ({
  KOINE_TEST_THREADS: folder,
  NODE_OPTIONS: `--import=${preload} ${options}`,
});

/** Ends a worker at once: nothing of it runs any more. */
export const killThread = (folder: string, worker: number): void => writeFileSync(join(folder, `kill-${worker}`), '');
/** Blocks a worker, some milliseconds later, until it is resumed or killed. */
export const stopThread = (folder: string, worker: number): void => writeFileSync(join(folder, `stop-${worker}`), '');
/** Whether it has been blocked. */
export const isStopped = (folder: string, worker: number): boolean => existsSync(join(folder, `stopped-${worker}`));
export const resumeThread = (folder: string, worker: number): void => rmSync(join(folder, `stop-${worker}`));
