import { writeFile } from 'node:fs/promises';
import { MisuseError } from './command.ts';

/** By the code of the error. */
const reasons: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'its folder does not exist. Create it first'],
  ['EEXIST', 'it is a file, not a folder'],
  ['ENOTDIR', 'it is in a file, not in a folder'],
  ['EACCES', 'the user of this process may not write there'],
  ['EPERM', 'the user of this process may not write there'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'the disk is full'],
]);

export function describeWriteFailure(path: string, error: unknown): MisuseError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return new MisuseError(`${path} cannot be written: ${reasons.get(code) ?? String(error)}.`);
}

/**
 * Writes a file, if it does not exist yet or `force` is set.
 * @returns whether it was written
 * @throws MisuseError where it cannot be written
 */
export async function writeNewFile(file: string, text: string, force: boolean): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: force ? 'w' : 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw describeWriteFailure(file, error);
  }
}
