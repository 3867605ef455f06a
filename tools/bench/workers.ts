import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { cpuTime } from './gateways/machine.ts';
import { startKoine, type Running } from './gateways/processes.ts';
import { KEY, settingsOf } from './gateways/settings.ts';
import { median } from './measure/statistics.ts';

// `npm run bench:workers -- [requests a second]`: processor time of a governed request with two workers beside one
// process, on all cores. The bench itself holds a gateway on one core, where two workers take it from each other. The
// rate is bounded, so that cores are idle between requests; the gateways take turns.

const RATE = Number(process.argv[2] ?? 500);
const SECONDS = 4;
const TURNS = 12;
const WARM_UP = 6;
const CONNECTIONS = 16;

const completion = JSON.stringify({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'bench',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 200, completion_tokens: 10, total_tokens: 210 },
});
const provider = createServer((request, response) => {
  request.resume().once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(completion));
});
provider.listen(0, '127.0.0.1');
await once(provider, 'listening');
const upstream = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;

const headers = { 'authorization': `Bearer ${KEY}`, 'content-type': 'application/json' };
const body = JSON.stringify({ model: 'openai/bench', messages: [{ role: 'user', content: 'x'.repeat(900) }] });
const ask = async (pool: Pool): Promise<void> => {
  const reply = await pool.request({ path: '/v1/chat/completions', method: 'POST', headers, body });
  await reply.body.dump();
  if (reply.statusCode !== 200) throw new Error(`a gateway answered ${reply.statusCode}`);
};

interface Side {
  readonly gateway: Running;
  readonly pool: Pool;
  readonly costs: number[];
}
const open = async (server: object): Promise<Side> => {
  const settings = settingsOf('governed', upstream, { server: { port: 0, ...server } });
  const gateway = await startKoine(settings, undefined, 'any');
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

const [one, two] = [await open({}), await open({ workers: 2 })];
for (let turn = 0; turn < WARM_UP; turn += 1) for (const side of [one, two]) await play(side);
for (let turn = 0; turn < TURNS; turn += 1)
  for (const side of turn % 2 === 0 ? [one, two] : [two, one]) side.costs.push(await play(side));
const ratios = two.costs.map((cost, turn) => cost / (one.costs[turn] ?? Number.NaN));
console.log(`one process: ${median(one.costs).toFixed(0)} us; two workers: ${median(two.costs).toFixed(0)} us`);
console.log(
  `two workers / one process: ${median(ratios).toFixed(2)} (${ratios.map((each) => each.toFixed(2)).join(', ')})`,
);
for (const { gateway, pool } of [one, two]) {
  await pool.close();
  await gateway.stop();
}
provider.close();
