import { awaitStart } from '../../support/race-processes.ts';
import { Files } from '../../../plugins/prompt-log/sinks/files.ts';

/** Writes two megabytes to a folder of 1 MB, as one of several processes. */
const services = {
  folder: process.argv[2] ?? '',
  clock: { now: () => Date.now(), monotonic: () => performance.now() },
  log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
};
const sink = new Files({ path: 'prompts', keep: '7d', size: '1mb', fileSize: '64kb' }, services);
await awaitStart();
for (let round = 0; round < 500; round += 1) await sink.write([{ text: 'x'.repeat(4_000), time: Date.now() }]);
process.stdout.write('written\n');
