import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { cpuTime, type ProcessRole } from './gateways/machine.ts';
import { startKoine, startUpstream, type Running } from './gateways/processes.ts';
import { settingsOf } from './gateways/settings.ts';
import { chatRequest } from './load/requests.ts';
import { load } from './load/throughput.ts';
import { median } from './measure/statistics.ts';

// `npm run bench:workers -- [requests a second]`: two workers beside one process. The bench itself holds a gateway on
// one core, where two workers take it from each other.
// 1. Processor time of a governed request at a bounded rate, on all cores, which are idle between requests.
// 2. Requests a second at full load: one process on the first core, two workers on all. Load and upstream are held on
//    the others, so on a machine of two cores the workers have what those leave of the second one.
// The gateways take turns.

const RATE = Number(process.argv[2] ?? 500);
const SECONDS = 4;
const TURNS = 12;
const WARM_UP = 6;
const CONNECTIONS = 16;
const FULL_CONNECTIONS = 32;

const provider = await startUpstream();

const request = chatRequest('openai/bench');
const ask = async (pool: Pool): Promise<void> => {
  const reply = await pool.request({ ...request, method: 'POST' });
  await reply.body.dump();
  if (reply.statusCode !== 200) throw new Error(`a gateway answered ${reply.statusCode}`);
};

interface Side {
  readonly gateway: Running;
  readonly pool: Pool;
  readonly costs: number[];
}
const open = async (server: object, role: ProcessRole): Promise<Side> => {
  const settings = settingsOf('governed', provider.url, { server: { port: 0, ...server } });
  const gateway = await startKoine(settings, undefined, role);
  return { gateway, pool: new Pool(gateway.url, { connections: CONNECTIONS }), costs: [] };
};

/** Microseconds of processor time for each request. */
const play = async ({ gateway, pool }: Side): Promise<number> => {
  const [before, began] = [cpuTime(gateway.pids()), performance.now()];
  const sent: Promise<void>[] = [];
  for (let passed = 0; passed < SECONDS; passed = (performance.now() - began) / 1_000) {
    while (sent.length < passed * RATE) sent.push(ask(pool));
    await delay(2);
  }
  await Promise.all(sent);
  // Rows and lines are written after the responses.
  await delay(150);
  return (cpuTime(gateway.pids()) - before) / sent.length;
};

const close = async ({ gateway, pool }: Side): Promise<void> => {
  await pool.close();
  await gateway.stop();
};

/** A list of figures of one side, and of the other one divided by it. */
const print = (what: string, unit: string, one: readonly number[], two: readonly number[]): void => {
  const ratios = two.map((figure, turn) => figure / (one[turn] ?? Number.NaN));
  console.log(`${what}: one process ${median(one).toFixed(0)} ${unit}, two workers ${median(two).toFixed(0)} ${unit}`);
  console.log(`  ratio ${median(ratios).toFixed(2)} (${ratios.map((each) => each.toFixed(2)).join(', ')})`);
};

const runPaced = async (): Promise<void> => {
  const [one, two] = [await open({}, 'any'), await open({ workers: 2 }, 'any')];
  for (let turn = 0; turn < WARM_UP; turn += 1) for (const side of [one, two]) await play(side);
  for (let turn = 0; turn < TURNS; turn += 1)
    for (const side of turn % 2 === 0 ? [one, two] : [two, one]) side.costs.push(await play(side));
  print(`processor time of a request, ${RATE} a second`, 'us', one.costs, two.costs);
  for (const side of [one, two]) await close(side);
};

/** Requests a second at full load, and the processors that the gateway took. */
interface Saturated {
  readonly rate: number;
  readonly processors: number;
}
const saturate = async ({ gateway }: Side): Promise<Saturated> => {
  const [before, began] = [cpuTime(gateway.pids()), performance.now()];
  const { requests, errors } = await load(gateway.url, request, FULL_CONNECTIONS, SECONDS);
  const passed = performance.now() - began;
  if (errors > 0) throw new Error(`${errors} requests failed`);
  return { rate: (requests * 1_000) / passed, processors: (cpuTime(gateway.pids()) - before) / (passed * 1_000) };
};

const runFull = async (): Promise<void> => {
  const sides = [await open({}, 'gateway'), await open({ workers: 2 }, 'any')] as const;
  for (let turn = 0; turn < WARM_UP; turn += 1) for (const side of sides) await saturate(side);
  const results: (readonly [Saturated, Saturated])[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) results.push([await saturate(sides[0]), await saturate(sides[1])]);
  const of = (side: 0 | 1, figure: (result: Saturated) => number): readonly number[] =>
    results.map((result) => figure(result[side]));
  const rate = ({ rate: each }: Saturated): number => each;
  const perProcessor = ({ rate: each, processors }: Saturated): number => each / processors;
  const taken = ([0, 1] as const).map((side) => median(of(side, ({ processors }) => processors)).toFixed(2));
  console.log(`at full load one process takes ${taken[0]} processors, two workers ${taken[1]}`);
  print('requests a second', '', of(0, rate), of(1, rate));
  print('requests a second for each processor that the gateway took', '', of(0, perProcessor), of(1, perProcessor));
  for (const side of sides) await close(side);
};

await runPaced();
await runFull();
await provider.stop();
