import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, interceptors } from 'undici';
import { writeWav } from '../../test/e2e/operations/audio.ts';
import { cpuTime, pinThisProcess, residentMemory } from './gateways/machine.ts';
import { startBare, startKoine, type Running } from './gateways/processes.ts';
import { KEY } from './gateways/settings.ts';
import { median } from './measure/statistics.ts';

// `npm run bench:uploads`: what a recording of 25 MB costs on its way through Koine and through bare, in processor time
// for each MB, and how much memory ten at once take. The gateways take turns.

const MB = 1_048_576;
const FILE_MB = 25;
const TURNS = 8;
const UPLOADS = 4;
const AT_ONCE = 10;
const PATH = '/v1/audio/transcriptions';

const part = (name: string, rest: string): string =>
  `--b\r\ncontent-disposition: form-data; name="${name}"${rest}\r\n\r\n`;
const body = Buffer.concat([
  Buffer.from(`${part('model', '')}openai/whisper\r\n${part('file', '; filename="a.wav"\r\ncontent-type: audio/wav')}`),
  writeWav((FILE_MB * MB) / 32_000),
  Buffer.from('\r\n--b--\r\n'),
]);
const headers = { 'authorization': `Bearer ${KEY}`, 'content-type': 'multipart/form-data; boundary=b' };

/** The provider reads nothing of what it gets, so that it takes no time from the gateways. */
const provider = createServer((request, response) => {
  request.resume().once('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"text":"Hello."}');
  });
});
provider.listen(0, '127.0.0.1');
await once(provider, 'listening');
const upstream = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
pinThisProcess();

const agent = new Agent().compose(interceptors.responseError());
const upload = async (gateway: Running): Promise<void> => {
  const reply = await agent.request({ origin: gateway.url, path: PATH, method: 'POST', headers, body });
  await reply.body.dump();
};

const settings = {
  server: { port: 0 },
  providers: { openai: { use: 'openai', config: { apiKey: 'key', baseUrl: `${upstream}/v1` } } },
  models: { 'openai/whisper': { targets: [{ provider: 'openai', model: 'whisper-1' }] } },
  plugins: [{ use: 'metrics' }, { use: 'auth' }, { use: 'rate-limit' }, { use: 'ledger' }],
  organizations: {
    bench: {
      limits: [{ cost: 1e6, per: 'month' }],
      projects: { bench: { limits: [{ seconds: 1e12, per: '1h' }], keys: { bench: { key: KEY } } } },
    },
  },
};
const gateways = { bare: await startBare(upstream), governed: await startKoine(settings) };
type Name = keyof typeof gateways;
const names: readonly Name[] = ['bare', 'governed'];

/** Microseconds of processor time for each MB. */
const play = async (gateway: Running): Promise<number> => {
  const pids = gateway.pids();
  const before = cpuTime(pids);
  for (let index = 0; index < UPLOADS; index += 1) await upload(gateway);
  await delay(100);
  return (cpuTime(pids) - before) / (UPLOADS * FILE_MB);
};
/** MB that ten uploads at once add to the memory of the process, at most. */
const fill = async (gateway: Running): Promise<number> => {
  const pids = gateway.pids();
  const before = residentMemory(pids);
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, residentMemory(pids))), 20);
  await Promise.all(Array.from({ length: AT_ONCE }, () => upload(gateway)));
  clearInterval(watch);
  return (most - before) / MB;
};

const memory: Record<Name, number> = { bare: 0, governed: 0 };
for (const name of names) {
  await play(gateways[name]);
  memory[name] = await fill(gateways[name]);
}
const costs: Record<Name, number[]> = { bare: [], governed: [] };
for (let turn = 0; turn < TURNS; turn += 1)
  for (const name of turn % 2 === 0 ? names : names.toReversed()) costs[name].push(await play(gateways[name]));
const ratios = costs.governed.map((cost, turn) => cost / (costs.bare[turn] ?? Number.NaN));
for (const name of names) {
  const cost = median(costs[name]).toFixed(0);
  console.log(`${name}: ${cost} us for each MB, ${memory[name].toFixed(0)} MB more for ${AT_ONCE} uploads at once`);
}
console.log(`governed / bare: ${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`);
for (const name of names) await gateways[name].stop();
await agent.close();
provider.close();
