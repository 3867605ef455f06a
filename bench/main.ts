import { cpus } from 'node:os';
import { measureLatency, measureStreams } from './latency.ts';
import { startBare, startGateway, startUpstream } from './processes.ts';
import { chatRequest, messagesRequest, type BenchRequest } from './requests.ts';
import { measureThroughput, warmUp, type Throughput } from './throughput.ts';

// `npm run bench`: everything in one run on loopback, so that only the ratios are read. Governed but for two rows: keys, limits in three scopes,
// metrics, the access log and the ledger; one row without the ledger. BENCH_SECONDS sets the length of a load.
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10);
/** Every lane has its turn in each: a machine that is slow for a while is so for all, and a ratio is the median of those of the rounds. */
const ROUNDS = 5;
const CONNECTIONS = 32;
const STREAMS = 100;
const SINGLE = 1_000;

const upstream = await startUpstream();
const bare = await startBare(upstream.url);
const ungoverned = await startGateway(upstream.url, 'ungoverned');
const limited = await startGateway(upstream.url, 'limited');
const gateway = await startGateway(upstream.url, 'governed');

interface Lane {
  readonly name: string;
  readonly url: string;
  readonly plain: BenchRequest;
  readonly stream: BenchRequest;
}
const lanes: readonly Lane[] = [
  { name: 'direct', url: upstream.url, plain: chatRequest('bench'), stream: chatRequest('bench', true) },
  { name: 'bare proxy', url: bare.url, plain: chatRequest('bench'), stream: chatRequest('bench', true) },
  { name: 'koine ungoverned', url: ungoverned.url, plain: chatRequest('openai/bench'), stream: chatRequest('openai/bench', true) },
  { name: 'koine, no ledger', url: limited.url, plain: chatRequest('openai/bench'), stream: chatRequest('openai/bench', true) },
  { name: 'koine native', url: gateway.url, plain: chatRequest('openai/bench'), stream: chatRequest('openai/bench', true) },
  { name: 'koine translated', url: gateway.url, plain: messagesRequest('openai/bench'), stream: messagesRequest('openai/bench', true) },
];

const row = (cells: readonly string[]): string => cells.map((cell, index) => (index === 0 ? cell.padEnd(20) : cell.padStart(14))).join('');

console.log(`node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), load, gateway and upstream on the same machine`);
console.log(`\nPlain requests, ${CONNECTIONS} connections, ${SECONDS} s each in ${ROUNDS} turns: medians`);
console.log(row(['', 'requests/s', 'of bare', 'p50 ms', 'p99 ms', 'errors']));
const rounds = new Map<string, Throughput[]>(lanes.map(({ name }) => [name, []]));
for (const { url, plain } of lanes) await warmUp(url, plain, CONNECTIONS);
for (let round = 0; round < ROUNDS; round += 1) {
  for (const { name, url, plain } of lanes) rounds.get(name)?.push(await measureThroughput(url, plain, CONNECTIONS, SECONDS / ROUNDS));
}
const median = (figures: readonly number[]): number => figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)] ?? Number.NaN;
const turnsOf = (name: string): readonly Throughput[] => rounds.get(name) ?? [];
const ratio = (name: string, other: string): string => {
  const others = turnsOf(other);
  return median(turnsOf(name).map(({ perSecond }, round) => perSecond / (others[round]?.perSecond ?? Number.NaN))).toFixed(2);
};
for (const { name } of lanes) {
  const figures = (read: (turn: Throughput) => number): number => median(turnsOf(name).map(read));
  const errors = turnsOf(name).reduce((sum, turn) => sum + turn.errors, 0);
  console.log(row([name, figures(({ perSecond }) => perSecond).toFixed(0), name === 'direct' ? '' : ratio(name, 'bare proxy'), String(figures(({ p50 }) => p50)), String(figures(({ p99 }) => p99)), String(errors)]));
}
console.log(`governed / ungoverned: ${ratio('koine native', 'koine ungoverned')}`);
console.log(`with / without ledger: ${ratio('koine native', 'koine, no ledger')}`);
console.log(`translated / native: ${ratio('koine translated', 'koine native')}`);

console.log(`\nOne connection, ${SINGLE} requests one after the other`);
console.log(row(['', 'p50 ms', 'p99 ms', 'added p50', 'added p99']));
const base = await measureLatency(upstream.url, chatRequest('bench'), SINGLE);
for (const { name, url, plain } of lanes) {
  const { p50, p99 } = name === 'direct' ? base : await measureLatency(url, plain, SINGLE);
  console.log(row([name, p50.toFixed(3), p99.toFixed(3), (p50 - base.p50).toFixed(3), (p99 - base.p99).toFixed(3)]));
}

console.log(`\n${STREAMS} streams at once, a token every 20 ms: from the upstream's write to the client's read`);
console.log(row(['', 'p50 ms', 'p99 ms', 'tokens']));
for (const { name, url, stream } of lanes) {
  const { p50, p99, tokens } = await measureStreams(url, stream, STREAMS);
  console.log(row([name, p50.toFixed(2), p99.toFixed(2), String(tokens)]));
}

await gateway.stop();
await limited.stop();
await ungoverned.stop();
await bare.stop();
await upstream.stop();
