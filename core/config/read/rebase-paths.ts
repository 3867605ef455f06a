import { join, relative } from 'node:path';
import { isObject } from '../../canonical/json/members.ts';
import { isPem } from '../resolve/read-pem.ts';

type Move = (path: string) => string;

/** `use:` is a path, the name of a built-in or a package; only a path is moved. */
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

/** The texts of PEM files stay. */
const moveProvider = (entry: unknown, move: Move): unknown => {
  const moved = moveUse(entry, move);
  if (!isObject(moved) || !isObject(moved['tls'])) return moved;
  const { serverName, ...files } = moved['tls'];
  const paths = moveFiles(files, (value) => (isPem(value) ? value : move(value)));
  return { ...moved, tls: { ...(paths as object), ...(serverName === undefined ? {} : { serverName }) } };
};

const SQLITE = /^sqlite:(?!\/|:memory:)(.+)$/;
const moveDatabase = (database: unknown, move: Move): unknown =>
  typeof database === 'string' ? database.replace(SQLITE, (_, path: string) => `sqlite:${move(path)}`) : database;

const movers: Readonly<Record<string, (value: unknown, move: Move) => unknown>> = {
  providers: moveProvider,
  plugins: moveUse,
  'server.tls': moveFiles,
  'admin.tls': moveFiles,
  'store.database': moveDatabase,
};

/**
 * Rewrites the relative paths of an entry of an included file, so that they lead to the same files from the file that
 * includes it.
 * @param from folder of the included file
 * @param to folder of the file that includes it
 */
export function rebasePaths(section: string, name: string | number, value: unknown, from: string, to: string): unknown {
  const move = from === to ? undefined : (movers[`${section}.${name}`] ?? movers[section]);
  return move === undefined ? value : move(value, (path) => join(relative(to, from), path));
}
