import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BroadcastChannel, isMainThread, workerData } from 'node:worker_threads';

/**
 * Preloaded with `--import`: lets a test stop and kill a worker thread from outside, as signals do with a process.
 * Files in the folder `KOINE_TEST_THREADS` say what to do: `stop-2` blocks worker 2 while it exists (`stopped-2` says
 * that it has), `kill-2` ends it at once. SIGWINCH makes the workers look for them; it has no other effect. Looking all
 * the time was most of the CPU time of a gateway that waits.
 * In JavaScript: each process and thread would load the compiler of TypeScript.
 */
const folder = process.env['KOINE_TEST_THREADS'];
const { worker } = workerData ?? {};
const channel = folder === undefined ? undefined : new BroadcastChannel('koine-test-threads');

if (channel !== undefined && isMainThread) {
  channel.unref();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is not a window
  process.on('SIGWINCH', () => channel.postMessage('look'));
}

if (channel !== undefined && !isMainThread && worker !== undefined) {
  const { exit } = process;
  const fileOf = (name) => join(folder, `${name}-${worker}`);
  const [stop, stopped, kill] = [fileOf('stop'), fileOf('stopped'), fileOf('kill')];
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const look = () => {
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
  };
  channel.addEventListener('message', look);
  channel.unref();
  // A file that is older than this thread.
  setTimeout(look, 0).unref();
}
