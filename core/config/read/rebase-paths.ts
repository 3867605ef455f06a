import { join, relative } from 'node:path';
import { isObject } from '../../canonical/json/members.ts';
import { isSecretSource } from '../../services/secret-sources/source.ts';
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
const moveTls = (tls: unknown, move: Move): unknown => {
  if (!isObject(tls)) return tls;
  const { serverName, ...files } = tls;
  const paths = moveFiles(files, (value) => (isPem(value) ? value : move(value)));
  return { ...(paths as object), ...(serverName === undefined ? {} : { serverName }) };
};

/** A program with a slash is a path; any other is searched in `PATH`. */
const moveProgram = ([program, ...args]: readonly unknown[], move: Move): readonly unknown[] => {
  if (typeof program !== 'string' || !program.includes('/') || program.startsWith('/')) return [program, ...args];
  const moved = move(program);
  return [moved.includes('/') ? moved : `./${moved}`, ...args];
};

const moveSource = (secret: unknown, move: Move): unknown => {
  if (Array.isArray(secret)) return secret.map((each) => moveSource(each, move));
  if (!isSecretSource(secret)) return secret;
  const { file, exec } = secret;
  return {
    ...secret,
    ...(typeof file === 'string' && !file.startsWith('/') ? { file: move(file) } : {}),
    ...(Array.isArray(exec) ? { exec: moveProgram(exec, move) } : {}),
  };
};

/** The files and programs of API keys. */
const moveKeys = (config: unknown, move: Move): unknown =>
  isObject(config)
    ? Object.fromEntries(
        Object.entries(config).map(([name, value]) => [
          name,
          name === 'apiKey' || name === 'apiKeys' ? moveSource(value, move) : value,
        ]),
      )
    : config;

const moveProvider = (entry: unknown, move: Move): unknown => {
  const moved = moveUse(entry, move);
  if (!isObject(moved)) return moved;
  return {
    ...moved,
    ...('config' in moved ? { config: moveKeys(moved['config'], move) } : {}),
    ...('tls' in moved ? { tls: moveTls(moved['tls'], move) } : {}),
  };
};

const SQLITE = /^sqlite:(?!\/|:memory:)(.+)$/;
const moveDatabase = (database: unknown, move: Move): unknown =>
  typeof database === 'string' ? database.replace(SQLITE, (_, path: string) => `sqlite:${move(path)}`) : database;

const moveRedis = (redis: unknown, move: Move): unknown =>
  isObject(redis) && 'tls' in redis ? { ...redis, tls: moveTls(redis['tls'], move) } : redis;

const movers: Readonly<Record<string, (value: unknown, move: Move) => unknown>> = {
  providers: moveProvider,
  plugins: moveUse,
  'server.tls': moveFiles,
  'admin.tls': moveFiles,
  'store.database': moveDatabase,
  'store.redis': moveRedis,
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
