import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const CHECKSUMS = 'SHA256SUMS';

export const hashFile = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Writes the hash of each file of a folder, in the form of `sha256sum`. */
export function writeChecksums(folder: string): void {
  const lines = readdirSync(folder)
    .filter((name) => !name.startsWith(CHECKSUMS))
    .toSorted()
    .map((name) => `${hashFile(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, CHECKSUMS), lines.join(''));
}

/** The names of files that are not the same bytes in both folders. */
export function listDifferences(one: string, other: string): readonly string[] {
  const names = new Set([...readdirSync(one), ...readdirSync(other)]);
  const hash = (folder: string, name: string): string | undefined =>
    readdirSync(folder).includes(name) ? hashFile(join(folder, name)) : undefined;
  return [...names].filter((name) => hash(one, name) !== hash(other, name)).toSorted();
}
