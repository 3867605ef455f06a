import { writeSync } from 'node:fs';
import { getHeapSpaceStatistics } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

/** Preloaded with `--import`: at the end, keeps what it allocates, and prints the size of the young generation. */
process.on('exit', () => {
  if (!isMainThread) return;
  const kept = Array.from({ length: 600_000 }, (_, index) => ({ index }));
  const size = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
  writeSync(2, `\nyoung generation with ${kept.length} objects: ${size / 2 ** 20} MB\n`);
});
