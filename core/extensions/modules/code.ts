import { hash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findReferenced } from '../integrity.ts';

/**
 * The own files of an extension as they were read: its entry file and what that reaches by relative paths. Files of
 * packages and of the gateway are not included.
 */
export interface ExtensionCode {
  /** With links resolved, as all paths here. */
  readonly entry: string;
  readonly files: ReadonlyMap<string, CodeFile>;
  /** Relative paths that the files name and at which there is no file. */
  readonly missing: readonly string[];
}

export interface CodeFile {
  readonly content: Buffer;
  /** Of the file and of every own file that it reaches. */
  readonly hash: string;
}

const GATEWAY = fileURLToPath(new URL('../../../', import.meta.url));
const gatewayFolders = ['bin', 'core', 'importers', 'plugins', 'providers'].map((name) => `${GATEWAY}${name}${sep}`);

export const isOfGateway = (path: string): boolean => gatewayFolders.some((folder) => path.startsWith(folder));

const isOwn = (path: string): boolean => !path.includes(`${sep}node_modules${sep}`) && !isOfGateway(path);

interface Read {
  readonly content: Buffer;
  readonly digest: string;
  readonly references: readonly string[];
}

/** The file and every file that it reaches. */
const reach = (file: string, reads: ReadonlyMap<string, Read>): ReadonlySet<string> => {
  const reached = new Set([file]);
  for (const each of reached) for (const path of reads.get(each)?.references ?? []) reached.add(path);
  return reached;
};

const hashReached = (file: string, reads: ReadonlyMap<string, Read>): string => {
  const lines = [...reach(file, reads)].map(
    (path) => `${relative(dirname(file), path)} ${reads.get(path)?.digest ?? ''}`,
  );
  return hash('sha256', lines.toSorted().join('\n'));
};

/**
 * Reads the own files of an extension.
 * @returns undefined when the entry file belongs to an installed package or to the gateway
 * @throws Error when a file cannot be read
 */
export function readCode(file: string): ExtensionCode | undefined {
  const entry = realpathSync(file);
  if (!isOwn(entry)) return undefined;
  const pending = new Set([entry]);
  const reads = new Map<string, Read>();
  const missing = new Set<string>();
  for (const path of pending) {
    const content = readFileSync(path);
    const found = findReferenced(path, content);
    const references = found.files.filter(isOwn);
    reads.set(path, { content, digest: hash('sha256', content), references });
    for (const each of references) pending.add(each);
    for (const each of found.missing) missing.add(each);
  }
  const files = [...reads].map(([path, { content }]) => [path, { content, hash: hashReached(path, reads) }] as const);
  return { entry, files: new Map(files), missing: [...missing] };
}

/** Changes when one of the own files does. Undefined for code that a reload cannot load again. */
export const hashOfCode = (code: ExtensionCode | undefined): string | undefined => code?.files.get(code.entry)?.hash;
