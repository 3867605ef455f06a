import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread, workerData } from 'node:worker_threads';

/**
 * Preloaded with `--import`: lets a test stop and kill a worker thread from outside, as signals do with a process.
 * Files in the folder `KOINE_TEST_THREADS` say what to do: `stop-2` blocks worker 2 while it exists, `kill-2` ends it
 * at once.
 */
const folder = process.env['KOINE_TEST_THREADS'];
const { worker } = (workerData ?? {}) as { readonly worker?: number };

if (folder !== undefined && !isMainThread && worker !== undefined) {
  const { exit } = process;
  const [stop, kill] = [join(folder, `stop-${worker}`), join(folder, `kill-${worker}`)];
  const pause = new Int32Array(new SharedArrayBuffer(4));
  setInterval(() => {
    while (existsSync(stop) && !existsSync(kill)) Atomics.wait(pause, 0, 0, 5);
    if (!existsSync(kill)) return;
    // A later process in the same folder numbers its workers anew.
    rmSync(kill);
    // Nothing may be finished, as after a `kill -9`.
    process.removeAllListeners('exit');
    exit(137);
  }, 10).unref();
}
