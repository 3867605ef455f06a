import { parseArgs } from 'node:util';
import { surfaceNames, type FuzzReport, type SurfaceName } from './play.ts';
import { fuzz } from './surfaces.ts';

// `npm run fuzz -- --minutes 10 --seed 1`: every surface in turn, each for the same share of the time. The exit code is
// 1 if anything was found.
// `npm run fuzz -- --seed 1 --surface answers --case 4711` repeats one case.
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Math.floor(Date.now() / 1_000)) },
    surface: { type: 'string', default: 'all' },
    case: { type: 'string' },
  },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
const surfaces = surfaceNames.filter((name) => values.surface === 'all' || values.surface === name);
if (!(minutes > 0 && minutes <= 1_440 && Number.isInteger(seed)) || surfaces.length === 0) {
  console.error(
    `--minutes is above 0 and at most 1440, --seed an integer, --surface all or one of ${surfaceNames.join(', ')}`,
  );
  process.exit(2);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const print = (surface: SurfaceName, { cases, outcomes, findings, heap }: FuzzReport): void => {
  const [warm, end] = heap.map((bytes) => (bytes / 1_048_576).toFixed(1));
  const counts = [...outcomes].map(([outcome, count]) => `${outcome} ${count}`).join(', ');
  console.log(`${surface}: seed ${seed}, ${cases} cases, heap ${warm} MB to ${end} MB, outcomes ${counts}`);
  for (const { number, what } of findings) console.log(`  case ${number}: ${what}`);
};

let found = 0;
for (const surface of surfaces) {
  const single =
    values.case === undefined ? { cases: Number.MAX_SAFE_INTEGER } : { cases: 1, from: Number(values.case) };
  const report = await fuzz(surface, { seed, seconds: (minutes * 60) / surfaces.length, ...single });
  print(surface, report);
  found += report.findings.length;
}
console.log(found === 0 ? 'nothing was found' : `${found} findings`);
process.exitCode = found === 0 ? 0 : 1;
