import { globSync } from 'node:fs';
import { closureOf } from '../run/imports.ts';

const tests = (): readonly string[] => globSync('test/**/*.test.ts').filter((file) => !file.endsWith('.alone.test.ts'));

/** Folders that two paths share from the left. */
const sharedFolders = (one: string, other: string): number => {
  const [left, right] = [one.split('/'), other.split('/')];
  const end = left.findIndex((name, index) => name !== right[index]);
  return end === -1 ? left.length : end;
};

/**
 * The tests that load a source, nearest first: those of its own folder, then those that reach it by the fewest imports.
 */
export const coveringTests = (source: string): readonly string[] =>
  tests()
    .map((file) => ({
      file,
      shared: sharedFolders(file.replace(/^test\//, ''), source),
      distance: closureOf(file).get(source) ?? Infinity,
    }))
    .filter(({ distance }) => distance < Infinity)
    .toSorted((one, other) => other.shared - one.shared || one.distance - other.distance)
    .map(({ file }) => file);
