import { join, relative } from 'node:path';
import { isObject } from '../../canonical/json/members.ts';

type Move = (path: string) => string;

/** Paths that `use:` can mean; a name of a built-in or a package is none. */
const moveUse = (entry: unknown, move: Move): unknown => {
  if (!isObject(entry) || typeof entry['use'] !== 'string' || !/^\.{1,2}\//.test(entry['use'])) return entry;
  const moved = move(entry['use']);
  return { ...entry, use: moved.startsWith('.') ? moved : `./${moved}` };
};

const moveFiles = (files: unknown, move: Move): unknown =>
  isObject(files)
    ? Object.fromEntries(
        Object.entries(files).map(([name, file]) => [
          name,
          typeof file === 'string' && !file.startsWith('/') ? move(file) : file,
        ]),
      )
    : files;

const SQLITE = /^sqlite:(?!\/|:memory:)(.+)$/;
const moveDatabase = (database: unknown, move: Move): unknown =>
  typeof database === 'string' ? database.replace(SQLITE, (_, path: string) => `sqlite:${move(path)}`) : database;

const movers: Readonly<Record<string, (value: unknown, move: Move) => unknown>> = {
  providers: moveUse,
  plugins: moveUse,
  'server.tls': moveFiles,
  'admin.tls': moveFiles,
  'store.database': moveDatabase,
};

/**
 * An entry of an included file as it would stand in the file that includes it: relative paths lead to the same files.
 * @param from folder of the included file
 * @param to folder of the file that includes it
 */
export function rebasePaths(section: string, name: string | number, value: unknown, from: string, to: string): unknown {
  const move = from === to ? undefined : (movers[`${section}.${name}`] ?? movers[section]);
  return move === undefined ? value : move(value, (path) => join(relative(to, from), path));
}
