import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Keeps the young generation of this process at its first size, 1 MB. Almost everything that a start allocates stays,
 * so V8 would let it grow to 25 MB, which an idle gateway keeps. V8 reads this flag whenever it could grow.
 */
export const keepHeapSmall = (): void => setFlagsFromString('--semi-space-growth-factor=1');

/** Back to the default: under load, the young generation grows as far as the requests need it. */
export const letHeapGrow = (): void => setFlagsFromString('--semi-space-growth-factor=2');

type Collect = (options: { type: 'major'; execution: 'async' }) => Promise<void>;

/**
 * Collects garbage once, in a task of its own. By itself V8 keeps the pages that were once in use: it counts no time as
 * idle in which nothing was collected. After a collection it gives them back in steps, once it has been idle for 8 s.
 */
export const giveMemoryBack = (): Promise<void> => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  return collect({ type: 'major', execution: 'async' });
};
