import { writeSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Preloaded with `--import`: at SIGUSR2, prints what the heap retains. */
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
process.on('SIGUSR2', () => {
  collect();
  writeSync(2, `\nretained: ${process.memoryUsage().heapUsed} bytes\n`);
});
