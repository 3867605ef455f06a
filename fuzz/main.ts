import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';
import type { Direction } from './settings.ts';

// `npm run fuzz -- --minutes 10 --seed 1`: random requests, then random upstream responses, half of the time each. The
// exit code is 1 if anything was found.
// `npm run fuzz -- --seed 1 --direction answers --case 4711` repeats one case.
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Math.floor(Date.now() / 1_000)) },
    direction: { type: 'string', default: 'both' },
    case: { type: 'string' },
  },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
const directions: readonly Direction[] = (['requests', 'answers'] as const).filter(
  (direction) => values.direction === 'both' || values.direction === direction,
);
if (!(minutes > 0 && minutes <= 1_440 && Number.isInteger(seed)) || directions.length === 0) {
  console.error('--minutes is above 0 and at most 1440, --seed an integer, --direction requests, answers or both');
  process.exit(2);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

let found = 0;
for (const direction of directions) {
  const single =
    values.case === undefined ? { cases: Number.MAX_SAFE_INTEGER } : { cases: 1, from: Number(values.case) };
  const report = await fuzz({ seed, direction, seconds: (minutes * 60) / directions.length, ...single });
  const [warm, end] = report.heap.map((bytes) => (bytes / 1_048_576).toFixed(1));
  const statuses = [...report.statuses].map(([status, count]) => `${status} ${count}`).join(', ');
  console.log(`${direction}: seed ${seed}, ${report.cases} cases, heap ${warm} MB to ${end} MB, statuses ${statuses}`);
  for (const { number, what } of report.findings) console.log(`  case ${number}: ${what}`);
  found += report.findings.length;
}
console.log(found === 0 ? 'nothing was found' : `${found} findings`);
process.exitCode = found === 0 ? 0 : 1;
