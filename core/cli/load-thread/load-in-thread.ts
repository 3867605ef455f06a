import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { LoadedConfig } from '../../config/load.ts';
import { unpackConfig, type PackedConfig } from '../../config/pack.ts';
import { ConfigError, type Problem } from '../../config/problem.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import { restoreError, type CarriedError } from '../../server/link/carried-error.ts';

/** What the thread sends. */
export type FromLoadThread =
  | { readonly parts: PackedConfig }
  | { readonly problems: readonly Problem[]; readonly files: readonly string[] }
  | { readonly error: CarriedError };

const program = new URL('./start.js', import.meta.url);

/** Loading files of this size takes some tens of milliseconds. A thread takes a second, and 100 MB meanwhile. */
const LARGE_BYTES = 65_536;

const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );

/** Whether the files of a configuration, as they are now, take long enough to load that requests would wait. */
export async function isLarge({ files }: Pick<LoadedConfig, 'files'>): Promise<boolean> {
  const sizes = await Promise.all(files.map(sizeOf));
  return sizes.reduce((sum, size) => sum + size, 0) > LARGE_BYTES;
}

const runThread = (file: string): Promise<FromLoadThread> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(program, { workerData: file, name: 'configuration' });
    worker.once('message', (message: FromLoadThread) => {
      resolve(message);
      // An extension may have left a timer.
      void worker.terminate();
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The thread that loads the configuration ended.')));
  });

/**
 * Loads a configuration in a thread, and takes it over in slices: requests are served meanwhile.
 * @param live the active configuration, whose objects are used again where they are equal
 * @throws ConfigError, GatewayError as `loadConfig`
 */
export async function loadInThread(file: string, builtIns: BuiltIns, live: LoadedConfig): Promise<LoadedConfig> {
  const message = await runThread(file);
  if ('error' in message) throw restoreError(message.error);
  if ('problems' in message) throw new ConfigError(message.problems, message.files);
  return unpackConfig(message.parts, builtIns, live);
}
