import { cpus } from 'node:os';
import { describeLatency, measureLatency, measureStreams } from './latency.ts';
import { startBare, startGateway, startUpstream, type Running } from './processes.ts';
import { chatRequest, messagesRequest, type BenchRequest } from './requests.ts';
import { measureThroughput, warmUp, type Throughput } from './throughput.ts';

// `npm run bench`: everything in one run on loopback, so that only the ratios are read. Governed but for two rows: keys, limits in three scopes,
// metrics, the access log and the ledger; one row without the ledger. BENCH_SECONDS sets the length of a load.
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10);
/**
 * In each, every lane has its turn, in a process that was started for it. A machine that is slow for a while is so for all of them, and one
 * process may be half as fast as its twin: what is told is the median of the rounds, of ratios too.
 */
const ROUNDS = 5;
const CONNECTIONS = 32;
const STREAMS = 100;
const SINGLE = 1_000;

const upstream = await startUpstream();

interface Lane {
  readonly name: string;
  readonly start: () => Promise<Running>;
  readonly plain: BenchRequest;
  readonly stream: BenchRequest;
}
const native = { plain: chatRequest('openai/bench'), stream: chatRequest('openai/bench', true) };
const lanes: readonly Lane[] = [
  { name: 'direct', start: async () => ({ url: upstream.url, stop: async () => {} }), plain: chatRequest('bench'), stream: chatRequest('bench', true) },
  { name: 'bare proxy', start: () => startBare(upstream.url), plain: chatRequest('bench'), stream: chatRequest('bench', true) },
  { name: 'koine ungoverned', start: () => startGateway(upstream.url, 'ungoverned'), ...native },
  { name: 'koine, no ledger', start: () => startGateway(upstream.url, 'limited'), ...native },
  { name: 'koine native', start: () => startGateway(upstream.url, 'governed'), ...native },
  { name: 'koine translated', start: () => startGateway(upstream.url, 'governed'), plain: messagesRequest('openai/bench'), stream: messagesRequest('openai/bench', true) },
];
/** Runs it on a lane, in a process that has been used a while. */
const inTurn = async <T>({ start, plain }: Lane, run: (url: string) => Promise<T>): Promise<T> => {
  const { url, stop } = await start();
  await warmUp(url, plain, CONNECTIONS);
  try {
    return await run(url);
  } finally {
    await stop();
  }
};

const row = (cells: readonly string[]): string => cells.map((cell, index) => (index === 0 ? cell.padEnd(20) : cell.padStart(14))).join('');

console.log(`node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), load, gateway and upstream on the same machine`);
console.log(`\nPlain requests, ${CONNECTIONS} connections, ${SECONDS} s each in ${ROUNDS} processes: medians`);
console.log(row(['', 'requests/s', 'of bare', 'p50 ms', 'p99 ms', 'errors']));
const rounds = new Map<string, Throughput[]>(lanes.map(({ name }) => [name, []]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const lane of lanes) rounds.get(lane.name)?.push(await inTurn(lane, (url) => measureThroughput(url, lane.plain, CONNECTIONS, SECONDS / ROUNDS)));
}
const median = (figures: readonly number[]): number => describeLatency(figures).p50;
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
for (const lane of lanes) {
  const { p50, p99 } = lane.name === 'direct' ? base : await inTurn(lane, (url) => measureLatency(url, lane.plain, SINGLE));
  console.log(row([lane.name, p50.toFixed(3), p99.toFixed(3), (p50 - base.p50).toFixed(3), (p99 - base.p99).toFixed(3)]));
}

console.log(`\n${STREAMS} streams at once, a token every 20 ms: from the upstream's write to the client's read`);
console.log(row(['', 'p50 ms', 'p99 ms', 'tokens']));
for (const lane of lanes) {
  const { p50, p99, tokens } = await inTurn(lane, (url) => measureStreams(url, lane.stream, STREAMS));
  console.log(row([lane.name, p50.toFixed(2), p99.toFixed(2), String(tokens)]));
}

await upstream.stop();
