import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { KoineProcess } from '../processes/koine-process.ts';
import { requirePostgres } from '../support/servers/postgres.ts';
import { requireRedis } from '../support/servers/redis.ts';
import { until } from '../support/until.ts';
import { requestOf } from './calls.ts';
import { exchange } from './outputs.ts';
import { loseDatabase, makeKeys, readAdmin, readStores, reloadBroken, runCommands } from './operations.ts';
import { startCanary, type CanaryScene } from './scene.ts';
import { callAsOthers, callBadly, callCrashing, callVendors } from './traffic.ts';

/** What a vendor is allowed to receive: its own credential and the content of callers. */
const belongsUpstream = (behaviour: string): readonly string[] => {
  if (behaviour === 'otel') return ['otel-token'];
  if (behaviour === '404') return ['key-service-token'];
  return [
    'prompt *',
    ...['openai', 'anthropic', 'google'].map((vendor) => `credential ${vendor}-${behaviour}`),
    ...(behaviour === '403' ? ['webhook-query'] : []),
  ];
};

/** The output of a process, and its command. */
const addProcess = ({ outputs }: CanaryScene, title: string, koine: KoineProcess): void => {
  outputs.add(`${title}, standard error`, koine.stderr());
  for (const line of koine.lines())
    outputs.add(
      `${title}, log: ${String(line['message'])}`,
      JSON.stringify(line),
      ...(line['message'] === 'exchange' ? ['name'] : []),
    );
};

describe('a run in which every secret is marked', function suite() {
  this.timeout(600_000);
  let scene: CanaryScene;
  let koine: KoineProcess;

  before(async function start() {
    requirePostgres(this);
    requireRedis(this);
    scene = await startCanary();
    koine = await scene.start(2);
  });
  after(() => scene?.stop());

  it('the run reaches every vendor over every wire, and every kind of failure', async () => {
    expect(await callVendors(scene, koine)).to.be.at.least(24);
    await callAsOthers(scene, koine);
    await callBadly(scene, koine);
    // Traces are exported a few seconds later.
    await until(
      'every vendor was called',
      () => new Set(scene.vendor.calls.map(({ behaviour }) => behaviour)).size >= 12,
    );
  });

  it('the run creates keys, reads every admin page, and reloads broken configurations', async () => {
    await makeKeys(scene, koine);
    expect((await readAdmin(scene, koine)).filter((status) => status === 200).length).to.be.at.least(11);
    await reloadBroken(scene, koine);
    expect(koine.lines().filter(({ message }) => String(message).includes('was not reloaded')).length).to.be.at.least(
      7,
    );
    expect(await runCommands(scene, koine)).to.deep.equal([0, 0, 0, 0, 1, 1, 2, 0]);
  });

  it('the run loses workers, its database and its process', async () => {
    await callCrashing(scene, koine);
    await loseDatabase(scene, koine);
    const { path, headers, body } = requestOf(
      'chat',
      'openai-held/m',
      true,
      scene.mark('key alice'),
      scene.mark('prompt open'),
    );
    const open = exchange(koine.url, 'POST', path, headers, JSON.stringify(body));
    await until('its row is open', async () => (await readStores(scene)).pending > 0, 100);
    scene.outputs.add('the command line', readCommandLine(koine.pid));
    koine.signal('SIGKILL');
    await koine.exit;
    scene.outputs.add('an answer that was cut', (await open).body, 'prompt open', 'answer');
    addProcess(scene, 'the first gateway', koine);
  });

  it('the gateway starts again as one process, and ends with an uncaught error', async () => {
    koine = await scene.start(1);
    await until('what the first left open is abandoned', async () => (await readStores(scene)).abandoned > 0, 500);
    const { path, headers, body } = requestOf(
      'chat',
      'openai-good/m',
      false,
      scene.mark('key alice'),
      scene.mark('prompt chat'),
    );
    await exchange(koine.url, 'POST', path, { ...headers, 'x-canary': 'throw later' }, JSON.stringify(body));
    expect(await koine.exit).to.equal(1);
    addProcess(scene, 'the second gateway', koine);
  });

  it('no secret is left where it does not belong, and one that was planted in an output is found', () => {
    for (const { behaviour, text } of scene.vendor.calls)
      scene.outputs.add(`sent to ${behaviour}`, text, ...belongsUpstream(behaviour));
    scene.outputs.add('planted', `a line with ${encodeURIComponent(scene.mark('credential google-401'))}`);
    expect(scene.outputs.count).to.be.greaterThan(1_000);
    expect([...new Set(scene.outputs.leaks(scene.marks))]).to.deep.equal(['planted: credential google-401']);
  });
});

function readCommandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
