import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { countStatuses } from './clients.ts';
import type { Sample } from './sample.ts';
import { soak } from './soak.ts';
import { slopeOf } from './trend.ts';
import { judge } from './verdict.ts';

// `npm run soak -- --minutes 10 --streams 200 --faults 0.05`: runs one gateway under load and faults. The exit code is
// 1 if anything has grown or was lost.
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    streams: { type: 'string', default: '200' },
    faults: { type: 'string', default: '0.05' },
  },
});
const [minutes, streams, faults] = [Number(values.minutes), Number(values.streams), Number(values.faults)];
if (!(minutes > 0 && minutes <= 1_440 && streams >= 1 && streams <= 1_000 && faults >= 0 && faults <= 0.5)) {
  console.error('--minutes is above 0 and at most 1440, --streams from 1 to 1000, --faults a share from 0 to 0.5');
  process.exit(2);
}

// A signal that ends the run ends its gateway as well.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const megabytes = (bytes: number): string => (bytes / 1_048_576).toFixed(1);
const row = (cells: readonly string[]): string => cells.map((cell) => cell.padStart(12)).join('');
const onSample = (sample: Sample): void =>
  console.log(
    row([
      (sample.at / 60).toFixed(1),
      String(sample.exchanges),
      ...[sample.rss, sample.heap, sample.external].map(megabytes),
      ...[sample.descriptors, sample.upstream, sample.inFlight].map(String),
      sample.lag.toFixed(0),
    ]),
  );
const counts = (found: ReadonlyMap<string | number, number>): string =>
  [...found].map(([name, times]) => `${name} ${times}`).join(', ');

console.log(
  `node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}): ${minutes} min, ` +
    `${streams} streams, faults in ${faults * 100} % of the calls; clients, gateway and upstreams on this machine`,
);
const columns = [
  'minutes',
  'exchanges',
  'RSS MB',
  'heap MB',
  'external MB',
  'descriptors',
  'upstream',
  'in flight',
  'lag p99 ms',
];
console.log(`\n${row(columns)}`);
const report = await soak({
  seconds: minutes * 60,
  streams,
  faults,
  pace: { pieces: 16, every: 500 },
  sampleEvery: Math.min(10, minutes * 6),
  onSample,
});
const { samples, tally, log } = report;

const slope = (read: (sample: Sample) => number): string =>
  megabytes(slopeOf(samples.slice(samples.length / 2).map((sample) => [sample.at / 60, read(sample)] as const)));
console.log(
  `\nSlope over the second half: RSS ${slope(({ rss }) => rss)} MB/min, heap ${slope(({ heap }) => heap)} MB/min`,
);
console.log(
  `Clients: ${tally.sent.length} requests; whole responses ${counts(countStatuses(tally))}; ` +
    `aborted ${tally.aborted}, broken off ${tally.broken}, without response ${tally.lost.length}`,
);
console.log(`Upstreams: ${log.attempts} calls; ${counts(report.faultCounts)}`);
console.log(`Access log: ${counts(log.outcomes)} (shed for overload: ${log.shed}); streams: ${counts(log.endings)}\n`);
const findings = judge(report);
for (const { name, good, detail } of findings) console.log(`${good ? 'good' : 'BAD '}  ${name}: ${detail}`);
process.exitCode = findings.every(({ good }) => good) ? 0 : 1;
