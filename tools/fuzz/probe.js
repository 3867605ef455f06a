import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Loaded into the gateway before its own code (`--import`). Reports on standard error for how many milliseconds of CPU
// time the event loop was blocked, and on SIGUSR2 the size of the heap after a collection.

/** Milliseconds between two measurements. */
const EVERY = 20;
/** A busy machine takes several times as long for the same work. */
const LONG = 1_000;

/**
 * CPU time of this thread only: other work on the machine, or another thread that collects garbage, does not block the
 * event loop.
 */
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

const watch = () => {
  let [at, used] = [performance.now(), cpuMs()];
  setInterval(() => {
    const [now, total] = [performance.now(), cpuMs()];
    const blocked = Math.min(now - at - EVERY, total - used);
    if (blocked > LONG) writeSync(2, `probe ${JSON.stringify({ blocked: Math.round(blocked) })}\n`);
    [at, used] = [now, total];
  }, EVERY).unref();

  process.on('SIGUSR2', () => {
    globalThis.gc?.();
    const { heapUsed, rss, external } = process.memoryUsage();
    writeSync(2, `probe ${JSON.stringify({ heapUsed, rss, external })}\n`);
  });
};

// Threads get the options of their process. No client waits for their event loops.
if (isMainThread) watch();
