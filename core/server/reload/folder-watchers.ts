import { watch, type FSWatcher } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * The folders of the files and of their link targets: a name may be moved to another file, and the target of a link be
 * written.
 */
const foldersOf = async (files: readonly string[]): Promise<ReadonlySet<string>> => {
  const real = await Promise.all(files.map((file) => realpath(file).catch(() => file)));
  return new Set([...files, ...real].map(dirname));
};

/**
 * Watches the folders of some files. Editors and Kubernetes put another file under the name, which a watch of the file
 * would miss.
 */
export class FolderWatchers {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #onChange: (name: string | null) => void;
  #files: readonly string[] = [];

  /** @param onChange called with the name of the file that changed; null where the platform does not give it */
  constructor(onChange: (name: string | null) => void) {
    this.#onChange = onChange;
  }

  /** Watches the folders of these files, and no others. */
  async follow(files: readonly string[]): Promise<void> {
    this.#files = files;
    const folders = await foldersOf(files);
    if (this.#files !== files) return;
    for (const folder of this.#watchers.keys()) if (!folders.has(folder)) this.#unwatch(folder);
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#watch(folder);
  }

  close(): void {
    for (const folder of this.#watchers.keys()) this.#unwatch(folder);
  }

  #watch(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => this.#onChange(name));
      this.#watchers.set(
        folder,
        watcher.on('error', () => this.#unwatch(folder)),
      );
    } catch {
      // The folder may be gone, or no descriptor be left. The next poll tries again.
    }
  }

  #unwatch(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }
}
