import { parentPort, workerData } from 'node:worker_threads';
import { MemoryTable } from '../../../../core/services/shared-memory/table.ts';

// A worker thread that adds to a shared table until it has added enough, or is terminated.

const { memory, worker, times, options } = workerData as {
  readonly memory: SharedArrayBuffer;
  readonly worker: 1 | 2;
  readonly times: number;
  readonly options: { readonly columns: readonly ('all' | 'first' | 'second')[]; readonly rows: number };
};
const table = new MemoryTable(memory, worker, options);
const own = worker === 1 ? 'first' : 'second';
for (let done = 0; done < times; done += 1) {
  table.update(`row ${done % 3}`, (row) => {
    row.all += 1;
    row[own] += 1;
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is not a window
  if (done === 0) parentPort?.postMessage('has added');
}
