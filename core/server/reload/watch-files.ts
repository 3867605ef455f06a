import { basename } from 'node:path';
import { FolderWatchers } from './folder-watchers.ts';
import { haveChanged, readStates, YAML, type FileStates } from './file-states.ts';

export interface WatchTimes {
  /**
   * How long the files must stay unchanged before a change is reported, in milliseconds: a file is not read while it is
   * being written.
   */
  readonly settleMs: number;
  /**
   * How often the files are read whether or not a change was reported, in milliseconds: some file systems report none.
   */
  readonly pollMs: number;
}

export const defaultTimes: WatchTimes = { settleMs: 300, pollMs: 5_000 };
/** Events that come within this time are handled once. */
const GATHER_MS = 50;

/**
 * Calls back when the content of the watched files has changed and is stable again. The removal of a file is a change.
 */
export class FileWatch {
  readonly #changed: () => void;
  readonly #settleMs: number;
  readonly #folders = new FolderWatchers((name) => {
    if (this.#isRelevant(name)) this.#schedule();
  });
  readonly #poll: NodeJS.Timeout;
  #files: readonly string[] = [];
  #known: FileStates;
  #timer: NodeJS.Timeout | undefined;
  #isChecking = false;
  /**
   * A file was added whose content may have changed between its last reading by the gateway and its first reading here.
   */
  #mustReport = false;

  /** @param known the states of files before the gateway read them, as far as they were read */
  constructor(
    changed: () => void,
    { settleMs, pollMs }: WatchTimes = defaultTimes,
    known: FileStates = new Map<string, string>(),
  ) {
    this.#changed = changed;
    this.#known = known;
    this.#settleMs = settleMs;
    this.#poll = setInterval(() => {
      void this.#folders.follow(this.#files);
      this.#schedule();
    }, pollMs).unref();
  }

  /**
   * Watches these files and no others. The known states of files that were watched before are kept, so that no change
   * in between is missed. If files are added, a change is reported once their states are known.
   */
  follow(files: readonly string[]): void {
    this.#files = files;
    void this.#readAdded();
    void this.#folders.follow(files);
  }

  close(): void {
    clearInterval(this.#poll);
    clearTimeout(this.#timer);
    this.#folders.close();
  }

  async #readAdded(): Promise<void> {
    const now = await readStates(this.#files);
    this.#mustReport ||= [...now.keys()].some((path) => !this.#known.has(path));
    this.#known = new Map([...now, ...[...this.#known].filter(([path]) => now.has(path))]);
    if (this.#mustReport || haveChanged(now, this.#known)) this.#schedule();
  }

  /**
   * Other files of the folder, such as a database, may change all the time. Names with two dots are those of Kubernetes
   * volumes.
   */
  #isRelevant(name: string | null): boolean {
    return (
      name === null || YAML.test(name) || name.startsWith('..') || this.#files.some((file) => basename(file) === name)
    );
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => void this.#check(), GATHER_MS).unref();
  }

  async #check(): Promise<void> {
    this.#timer = undefined;
    if (this.#isChecking) return this.#schedule();
    this.#isChecking = true;
    await this.#settle().finally(() => {
      this.#isChecking = false;
    });
  }

  async #settle(): Promise<void> {
    let now = await readStates(this.#files);
    if (!this.#mustReport && !haveChanged(now, this.#known)) return;
    for (let earlier: FileStates | undefined; earlier === undefined || haveChanged(now, earlier);) {
      earlier = now;
      await new Promise((resolve) => setTimeout(resolve, this.#settleMs).unref());
      now = await readStates(this.#files);
    }
    if (!this.#mustReport && !haveChanged(now, this.#known)) return;
    this.#mustReport = false;
    this.#known = new Map([...this.#known, ...now]);
    this.#changed();
  }
}
