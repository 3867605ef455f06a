import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** `import` and `export` from a relative path, and `import()` of one. */
const IMPORT = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

const known = new Map<string, readonly string[]>();

const importsOf = (file: string): readonly string[] => {
  const found =
    known.get(file) ??
    [...readFileSync(file, 'utf8').matchAll(IMPORT)]
      .map(([, path = '']) => join(dirname(file), path))
      .filter((path) => existsSync(path));
  known.set(file, found);
  return found;
};

/**
 * The file and all files of the project that it imports, with the number of imports that lead there. Paths are relative
 * to the working folder.
 * @param without imports that are not followed
 */
export const closureOf = (
  file: string,
  without: (path: string) => boolean = () => false,
): ReadonlyMap<string, number> => {
  const distances = new Map([[file, 0]]);
  // A map yields what is added while it is read.
  for (const [path, distance] of distances)
    for (const next of importsOf(path)) if (!distances.has(next) && !without(next)) distances.set(next, distance + 1);
  return distances;
};
