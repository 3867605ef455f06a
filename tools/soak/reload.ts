import { parseArgs } from 'node:util';
import { reloadUnderLoad } from '../../test/reload/under-load.ts';

// `npm run soak:reload -- --reloads 1000 --rate 300 --workers 1`: every other reload has an invalid configuration. The
// exit code is 1 if a request failed or used two configurations, if something was left open, or if the memory has grown
// by more than a twentieth over the second half.
const { values } = parseArgs({
  options: {
    reloads: { type: 'string', default: '1000' },
    rate: { type: 'string', default: '300' },
    workers: { type: 'string', default: '1' },
  },
});
const [reloads, perSecond, workers] = [Number(values.reloads), Number(values.rate), Number(values.workers)];
if (!(reloads >= 20 && perSecond > 0 && workers >= 1)) {
  console.error('--reloads from 20, --rate above 0, --workers from 1');
  process.exit(2);
}

const { answers, results, opened, closed, errors, memory, seconds } = await reloadUnderLoad({
  reloads,
  perSecond,
  workers,
  every: 60,
});
const [half = 0, last = 0] = [memory[4], memory.at(-1)];
const growth = last / half - 1;
const counts = (found: ReadonlyMap<string, number>): string =>
  [...found].map(([name, times]) => `${name} ${times}`).join(', ');
console.log(`${reloads} reloads in ${seconds.toFixed(1)} s (${counts(results)})`);
console.log(`responses: ${counts(answers)}`);
console.log(`plugins opened ${opened}, closed ${closed}; other errors in the log ${errors.length}`);
console.log(
  `RSS in MB after each tenth: ${memory.map((bytes) => (bytes / 1_048_576).toFixed(0)).join(' ')}; ` +
    `over the second half ${(growth * 100).toFixed(1)} %`,
);
const isGood =
  [...answers.keys()].every((generation) => generation === 'A' || generation === 'B') &&
  opened === closed &&
  errors.length === 0 &&
  growth < 0.05;
process.exitCode = isGood ? 0 : 1;
