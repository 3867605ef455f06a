import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread, workerData } from 'node:worker_threads';

/**
 * Preloaded with `--import`: lets a test stop and kill a worker thread from outside, as signals do with a process.
 * Files in the folder `KOINE_TEST_THREADS` say what to do: `stop-2` blocks worker 2 while it exists (`stopped-2` says
 * that it has), `kill-2` ends it at once. In JavaScript: each process and thread would load the compiler of TypeScript.
 */
const folder = process.env['KOINE_TEST_THREADS'];
const { worker } = workerData ?? {};

if (folder !== undefined && !isMainThread && worker !== undefined) {
  const { exit } = process;
  const fileOf = (name) => join(folder, `${name}-${worker}`);
  const [stop, stopped, kill] = [fileOf('stop'), fileOf('stopped'), fileOf('kill')];
  const pause = new Int32Array(new SharedArrayBuffer(4));
  setInterval(() => {
    if (existsSync(stop)) {
      writeFileSync(stopped, '');
      while (existsSync(stop) && !existsSync(kill)) Atomics.wait(pause, 0, 0, 5);
      rmSync(stopped);
    }
    if (!existsSync(kill)) return;
    // A later process in the same folder numbers its workers anew.
    rmSync(kill);
    // Nothing may be finished, as after a `kill -9`.
    process.removeAllListeners('exit');
    exit(137);
  }, 10).unref();
}
