import { watch, type FSWatcher } from 'node:fs';
import { hash } from 'node:crypto';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

export interface FileWatch {
  /**
   * These count from now on. What is known of those that counted before stays known, so that no change between is missed; where others come in,
   * a change is told once they are known: they may have changed since they were read.
   */
  follow(files: readonly string[]): void;
  close(): void;
}

export interface WatchTimes {
  /** Milliseconds for which nothing may have changed any more before a change is told: a file that is being written is not read. */
  readonly settleMs: number;
  /** How often all are looked at, whoever has said nothing: some file systems tell of no change. */
  readonly pollMs: number;
}
const usualTimes: WatchTimes = { settleMs: 300, pollMs: 5_000 };
/** What comes at once is one change. */
const GATHER_MS = 50;

const YAML = /\.ya?ml$/i;

/** Its content by its digest, or why there is none. */
const readDigest = async (file: string): Promise<string> => {
  try {
    return hash('sha256', await readFile(file));
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
};
/** The files that a pattern may come to match. */
const readNames = async (folder: string): Promise<string> => {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => YAML.test(name))
    .toSorted()
    .join('\n');
};

/** What stands in the files, and which YAML files stand beside them. */
const look = async (files: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const folders = [...new Set(files.map(dirname))];
  return new Map([
    ...(await Promise.all(files.map(async (file) => [file, await readDigest(file)] as const))),
    ...(await Promise.all(folders.map(async (folder) => [folder, await readNames(folder)] as const))),
  ]);
};

/** The folders of the files and of what they lead to: a name may be moved onto another file, or the file behind a link be written. */
const foldersOf = async (files: readonly string[]): Promise<ReadonlySet<string>> => {
  const real = await Promise.all(files.map((file) => realpath(file).catch(() => file)));
  return new Set([...files, ...real].map(dirname));
};

/**
 * Tells when the content of files has changed and changes no more. Folders are watched, not files: editors and Kubernetes put another file under the
 * name. That a file is gone is a change as well.
 */
export function watchFiles(changed: () => void, { settleMs, pollMs }: WatchTimes = usualTimes): FileWatch {
  const watchers = new Map<string, FSWatcher>();
  let files: readonly string[] = [];
  let known: ReadonlyMap<string, string> = new Map();
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  /** Something has come in that may have changed before it was known. */
  let isOwed = false;

  const isNews = (now: ReadonlyMap<string, string>, before: ReadonlyMap<string, string>): boolean =>
    [...now].some(([place, state]) => before.has(place) && before.get(place) !== state);
  const settle = async (): Promise<void> => {
    let now = await look(files);
    if (!isOwed && !isNews(now, known)) return;
    for (let earlier: typeof now | undefined; earlier === undefined || isNews(now, earlier);) {
      earlier = now;
      await new Promise((resolve) => setTimeout(resolve, settleMs).unref());
      now = await look(files);
    }
    if (!isOwed && !isNews(now, known)) return;
    isOwed = false;
    known = new Map([...known, ...now]);
    changed();
  };
  const check = async (): Promise<void> => {
    timer = undefined;
    if (isLooking) return schedule();
    isLooking = true;
    await settle().finally(() => {
      isLooking = false;
    });
  };
  const schedule = (): void => {
    timer ??= setTimeout(() => void check(), GATHER_MS).unref();
  };
  /** Whatever else lies in the folder, a database among it, may change as often as it likes. */
  const isOurs = (name: string | null): boolean =>
    name === null || YAML.test(name) || name.startsWith('..') || files.some((file) => basename(file) === name);

  const watchFolder = (folder: string): void => {
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (isOurs(name)) schedule();
      });
      watchers.set(
        folder,
        watcher.on('error', () => unwatch(folder)),
      );
    } catch {
      // It may be gone, or there may be no descriptor left: who looks every few seconds finds out.
    }
  };
  const unwatch = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const arrange = async (): Promise<void> => {
    const wanted = files;
    const folders = await foldersOf(wanted);
    if (wanted !== files) return;
    for (const folder of watchers.keys()) if (!folders.has(folder)) unwatch(folder);
    for (const folder of folders) if (!watchers.has(folder)) watchFolder(folder);
  };
  const learn = async (): Promise<void> => {
    const now = await look(files);
    isOwed ||= [...now.keys()].some((place) => !known.has(place));
    known = new Map([...now, ...[...known].filter(([place]) => now.has(place))]);
    if (isOwed) schedule();
  };
  const poll = setInterval(() => {
    void arrange();
    schedule();
  }, pollMs).unref();

  return {
    follow: (next) => {
      files = next;
      void learn();
      void arrange();
    },
    close: () => {
      clearInterval(poll);
      clearTimeout(timer);
      watchers.forEach((_watcher, folder) => unwatch(folder));
    },
  };
}
