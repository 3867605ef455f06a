import { appendFile, mkdir, readdir, stat, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readDuration, type Clock } from '../../../core/api/index.ts';
import type { FilesOptions } from '../schema.ts';
import type { Sink } from './sink.ts';

/** `prompts-2026-11-23T17-4711.jsonl`: an hour in UTC, and the process. */
const NAME = /^prompts-\d{4}-\d\d-\d\dT\d\d-\d+\.jsonl$/;
const HOUR_MS = 3_600_000;

/** Removes files that were last written before. Other processes do the same, so a file can be gone. */
async function removeOld(folder: string, before: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!NAME.test(name)) continue;
    const file = join(folder, name);
    const found = await stat(file).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < before) await unlink(file).catch(() => {});
  }
}

/** Appends to a file for each hour and process. Only the user of the gateway can read the files. */
export function createFiles({ path, keep }: FilesOptions, folder: string, clock: Pick<Clock, 'now'>): Sink {
  const directory = resolve(folder, path);
  const keepMs = readDuration(keep);
  let hour = -1;
  return {
    name: 'files',
    write: async (lines) => {
      const now = clock.now();
      if (Math.floor(now / HOUR_MS) !== hour) {
        await mkdir(directory, { recursive: true, mode: 0o700 });
        await removeOld(directory, now - keepMs);
        hour = Math.floor(now / HOUR_MS);
      }
      const name = `prompts-${new Date(now).toISOString().slice(0, 13)}-${process.pid}.jsonl`;
      await appendFile(join(directory, name), lines.map(({ text }) => `${text}\n`).join(''), { mode: 0o600 });
    },
  };
}
