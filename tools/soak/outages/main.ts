import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { countStatuses } from '../clients.ts';
import { compareBooks } from './compare.ts';
import { outages } from './plan.ts';
import { soakOutages } from './run.ts';

// `npm run soak:outages -- --minutes 20 --streams 30 --plain 10`: two gateways on one Postgres and one Redis, which
// fail in turn. The exit code is 1 if ledger, API, budgets, metrics and access log do not agree.
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    streams: { type: 'string', default: '30' },
    plain: { type: 'string', default: '10' },
    scale: { type: 'string', default: '1' },
    settle: { type: 'string', default: '120' },
    lease: { type: 'string', default: '15s' },
  },
});
const [minutes, streams, plain, scale] = [values.minutes, values.streams, values.plain, values.scale].map(Number);
const log = (text: string): void => console.log(text);
log(
  `node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}): ${minutes} min, ` +
    `${streams} clients that stream, ${plain} that do not; all processes on this machine`,
);
// Each gateway of a run is removed when this process ends.
process.setMaxListeners(0);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
const outcome = await soakOutages({
  outages,
  isRoundChecked: (round) => round % 2 === 1,
  seconds: (minutes ?? 20) * 60,
  scale: scale ?? 1,
  streams: streams ?? 30,
  plain: plain ?? 10,
  pace: { pieces: 6, every: 150 },
  lease: values.lease,
  settleSeconds: Number(values.settle),
  log,
});
const { tally, books } = outcome;
const states = Map.groupBy(books.rows, ({ state }) => state);
const statuses = [...countStatuses(tally)].map(([status, times]) => `${status} ${times}`).join(', ');
log(
  `\nClients: ${tally.sent.length} requests; whole responses ${statuses}; ` +
    `aborted ${tally.aborted}, broken off ${tally.broken}, without response ${tally.lost.length}`,
);
log(
  `Rows: ${[...states].map(([state, rows]) => `${state} ${rows.length}`).join(', ')}; gateways ${books.lives.length}\n`,
);
const findings = compareBooks(outcome);
for (const { name, good, detail } of findings) log(`${good ? 'good' : 'BAD '}  ${name}: ${detail}`);
process.exitCode = findings.every(({ good }) => good) ? 0 : 1;
