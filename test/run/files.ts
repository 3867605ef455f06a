import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { listChangedFiles } from './changed-files.ts';
import { isAffected, isRecorded } from './recorded.ts';

/** Test files, in the order in which they are to run. */
export interface TestFiles {
  /** Side by side. */
  readonly parallel: readonly string[];
  /** One after the other, on a machine without other load. */
  readonly alone: readonly string[];
  /** Not run: laws of wires of which nothing has changed. */
  readonly unchanged: readonly string[];
}

const longest = readFileSync(fileURLToPath(new URL('longest-first.txt', import.meta.url)), 'utf8')
  .trim()
  .split('\n');

/** A long file that starts last would run on one core while the others have nothing to do. */
const rank = (file: string): number => (longest.includes(file) ? longest.indexOf(file) : longest.length);

const isAlone = (file: string): boolean => file.endsWith('.alone.test.ts');

/**
 * @param folders relative to the checkout; without any, all tests
 * @param all with the recorded laws of wires of which nothing has changed
 */
export const listTestFiles = (folders: readonly string[], all: boolean): TestFiles => {
  const files = globSync('test/**/*.test.ts')
    .filter((file) => folders.length === 0 || folders.some((folder) => file.startsWith(folder)))
    .toSorted();
  const changed = all ? undefined : listChangedFiles();
  const unchanged = changed === undefined ? [] : files.filter((file) => isRecorded(file) && !isAffected(file, changed));
  const chosen = files.filter((file) => !unchanged.includes(file));
  return {
    parallel: chosen.filter((file) => !isAlone(file)).toSorted((one, other) => rank(one) - rank(other)),
    alone: chosen.filter(isAlone),
    unchanged,
  };
};
