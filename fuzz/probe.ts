import { writeSync } from 'node:fs';

// Loaded into the gateway before its own code (`--import`). Writes to standard error by how many milliseconds of computing the event loop was kept,
// and, on SIGUSR2, what the heap holds after a collection.

/** Milliseconds between two looks. */
const EVERY = 20;
const LONG = 200;

/** Of this thread alone: that the machine has other work, or that another thread collects garbage, is no blocked event loop. */
const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

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
