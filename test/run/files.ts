import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listChangedFiles } from './changed-files.ts';
import { closureOf } from './imports.ts';
import { isAffected, isRecorded } from './recorded.ts';

/** Test files, in the order in which they are to run. */
export interface TestFiles {
  /** Side by side. */
  readonly parallel: readonly string[];
  /** One after the other, on a machine without other load. */
  readonly alone: readonly string[];
  /** Not run: those that `isNeeded` leaves out. */
  readonly unchanged: readonly string[];
}

/** The files that cost most, those that take longest first. `npm run test:costs -- --write` writes them. */
const expensive = readFileSync(fileURLToPath(new URL('expensive.txt', import.meta.url)), 'utf8')
  .trim()
  .split('\n');

/** A long file that starts last would run on one core while the others have nothing to do. */
const rank = (file: string): number => (expensive.includes(file) ? expensive.indexOf(file) : expensive.length);

/** Whether a file, what it imports of the tests, or data beside it has changed. */
const hasChanged = (file: string, changed: readonly string[]): boolean => {
  const code = closureOf(file, (path) => !path.startsWith('test/'));
  return changed.some((path) => code.has(path) || (!path.endsWith('.ts') && dirname(path) === dirname(file)));
};

const isAlone = (file: string): boolean => file.endsWith('.alone.test.ts');

/**
 * Whether `npm test` runs a file. One that applies recorded laws, is expensive, or needs the machine for itself runs
 * only if something of it has changed.
 * @param changed paths relative to the checkout
 */
export const isNeeded = (file: string, changed: readonly string[]): boolean => {
  if (isRecorded(file)) return isAffected(file, changed);
  return !(isAlone(file) || expensive.includes(file)) || hasChanged(file, changed);
};

/**
 * @param folders relative to the checkout: all tests in them
 * @param all without folders: all tests, also those of which nothing has changed
 */
export const listTestFiles = (folders: readonly string[], all: boolean): TestFiles => {
  const files = globSync('test/**/*.test.ts')
    .filter((file) => folders.length === 0 || folders.some((folder) => file.startsWith(folder)))
    .toSorted();
  const changed = all || folders.length > 0 ? undefined : listChangedFiles();
  const unchanged = changed === undefined ? [] : files.filter((file) => !isNeeded(file, changed));
  const chosen = files.filter((file) => !unchanged.includes(file));
  return {
    parallel: chosen.filter((file) => !isAlone(file)).toSorted((one, other) => rank(one) - rank(other)),
    alone: chosen.filter(isAlone),
    unchanged,
  };
};
