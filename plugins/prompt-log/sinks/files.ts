import { appendFile, mkdir, readdir, stat, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isMainThread, threadId } from 'node:worker_threads';
import { parseSize, readDuration, type Services } from '../../../core/api/index.ts';
import type { FilesOptions } from '../schema.ts';
import type { Line, Sink } from './sink.ts';

/** Each thread appends to files of its own. */
const writer = isMainThread ? `${process.pid}` : `${process.pid}-${threadId}`;
/**
 * `prompts-2026-11-23T17-4711.jsonl`, `prompts-2026-11-23T17-4711-3.2.jsonl`: an hour in UTC, the process, the thread
 * of a worker, a number.
 */
const NAME = /^prompts-(\d{4}-\d\d-\d\dT\d\d)-\d+(?:-\d+)?(?:\.\d+)?\.jsonl$/;
const HOUR_MS = 3_600_000;
/** Each thread looks at the size of all files once it has written this part of it. */
const SHARE_OF_SIZE = 0.01;

interface FoundFile {
  readonly file: string;
  readonly bytes: number;
  /** Unix milliseconds of the last line. */
  readonly writtenAt: number;
}

/** Other threads and processes remove files too, so one can be gone. */
async function listFiles(directory: string): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  for (const name of await readdir(directory)) {
    if (!NAME.test(name)) continue;
    const file = join(directory, name);
    const { size, mtimeMs } = (await stat(file).catch(() => undefined)) ?? {};
    if (size !== undefined && mtimeMs !== undefined) found.push({ file, bytes: size, writtenAt: mtimeMs });
  }
  return found.toSorted((one, other) => one.writtenAt - other.writtenAt || (one.file < other.file ? -1 : 1));
}

/** Whole lines, each text of at most so many bytes, unless a single line is longer. */
function* joinLines(lines: readonly Line[], maxBytes: number): Generator<Buffer> {
  let joined = '';
  let bytes = 0;
  for (const { text } of lines) {
    const length = Buffer.byteLength(text) + 1;
    if (bytes > 0 && bytes + length > maxBytes) {
      yield Buffer.from(joined);
      [joined, bytes] = ['', 0];
    }
    joined += `${text}\n`;
    bytes += length;
  }
  if (bytes > 0) yield Buffer.from(joined);
}

const hourOf = (ms: number): string => new Date(ms).toISOString().slice(0, 13);

/** The files in which a record of a request that ended at this time can be: of its hour, and of the next one. */
export async function listFilesOf(directory: string, endedAt: number): Promise<readonly string[]> {
  const hours: ReadonlySet<string | undefined> = new Set([hourOf(endedAt), hourOf(endedAt + HOUR_MS)]);
  const names = await readdir(directory).catch(() => []);
  return names.filter((name) => hours.has(NAME.exec(name)?.[1])).map((name) => join(directory, name));
}

/**
 * Appends to files of one hour and one process each, which only the user of the gateway can read. The oldest are
 * removed by their age, and by the size of all.
 */
export class Files implements Sink {
  readonly name = 'files';
  readonly #directory: string;
  readonly #keepMs: number;
  readonly #size: number;
  readonly #fileSize: number;
  readonly #services: Pick<Services, 'clock' | 'log'>;
  #hour = -1;
  #number = 1;
  /** Bytes of the current file. */
  #current = 0;
  /** Bytes since the size of all files was read. */
  #written = 0;
  #hasWarned = false;

  constructor({ path, keep, size, fileSize }: FilesOptions, services: Pick<Services, 'clock' | 'folder' | 'log'>) {
    this.#directory = resolve(services.folder, path);
    this.#keepMs = readDuration(keep);
    this.#size = parseSize(size);
    this.#fileSize = parseSize(fileSize);
    this.#services = services;
  }

  async write(lines: readonly Line[]): Promise<void> {
    for (const text of joinLines(lines, this.#fileSize)) await this.#append(text);
  }

  async #append(text: Buffer): Promise<void> {
    const bytes = text.byteLength;
    if (bytes > this.#size) throw new Error(`a record of ${bytes} bytes is longer than files.size allows`);
    const now = this.#services.clock.now();
    const isNewHour = Math.floor(now / HOUR_MS) !== this.#hour;
    if (isNewHour) {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      this.#number = 1;
      await this.#readCurrent(now);
    }
    while (this.#current > 0 && this.#current + bytes > this.#fileSize) {
      this.#number += 1;
      await this.#readCurrent(now);
    }
    this.#written += bytes;
    if (isNewHour || this.#written > this.#size * SHARE_OF_SIZE) await this.#makeRoom(now, bytes);
    await appendFile(this.#file(now), text, { mode: 0o600 });
    this.#current += bytes;
    this.#hour = Math.floor(now / HOUR_MS);
  }

  #file(now: number): string {
    const number = this.#number === 1 ? '' : `.${this.#number}`;
    return join(this.#directory, `prompts-${hourOf(now)}-${writer}${number}.jsonl`);
  }

  /** The file exists already if a process had this number before, as in a container that was restarted. */
  async #readCurrent(now: number): Promise<void> {
    this.#current = (await stat(this.#file(now)).catch(() => undefined))?.size ?? 0;
  }

  /** Removes what is too old, and the oldest until there is room. */
  async #makeRoom(now: number, bytes: number): Promise<void> {
    const current = this.#file(now);
    const files = await listFiles(this.#directory);
    let total = files.reduce((sum, file) => sum + file.bytes, bytes);
    for (const { file, bytes: removed, writtenAt } of files) {
      const isOld = writtenAt < now - this.#keepMs;
      if (file === current || (!isOld && total <= this.#size)) continue;
      await unlink(file).catch(() => {});
      total -= removed;
      if (!isOld) this.#warn();
    }
    this.#written = bytes;
  }

  #warn(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#services.log.warn(
      { path: this.#directory, size: this.#size },
      'the prompt log removes its oldest files before `keep` ends: files.size is reached',
    );
  }
}
