import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export const YAML = /\.ya?ml$/i;

/** By absolute path: the digest of each file, and the names of the YAML files in each folder. */
export type FileStates = ReadonlyMap<string, string>;

/** The digest of its content, or the code of the error where it cannot be read. */
const readDigest = async (file: string): Promise<string> => {
  try {
    return hash('sha256', await readFile(file));
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
};

/** A new YAML file may match a pattern of the configuration. */
const readNames = async (folder: string): Promise<string> => {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => YAML.test(name))
    .toSorted()
    .join('\n');
};

export async function readStates(files: readonly string[]): Promise<FileStates> {
  const folders = [...new Set(files.map(dirname))];
  return new Map([
    ...(await Promise.all(files.map(async (file) => [file, await readDigest(file)] as const))),
    ...(await Promise.all(folders.map(async (folder) => [folder, await readNames(folder)] as const))),
  ]);
}

/** Whether a path that is in both has changed. */
export const haveChanged = (now: FileStates, before: FileStates): boolean =>
  [...now].some(([path, state]) => before.has(path) && before.get(path) !== state);
