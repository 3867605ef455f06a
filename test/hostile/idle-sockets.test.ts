import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { callOf } from '../support/calls.ts';
import { send } from '../support/http.ts';
import { parseMetrics, sumOf } from '../support/parse-metrics.ts';
import { startKoine, type KoineProcess } from '../processes/koine-process.ts';
import { until } from '../support/until.ts';

/** Descriptors of each process: these clients, and the gateway's side of them. */
const descriptors = Number(execFileSync('/bin/sh', ['-c', 'ulimit -n']).toString()) || Infinity;
const IDLE = Math.min(10_000, Math.floor((descriptors - 3_000) / 1_000) * 1_000);
/** Descriptors for other connections beside them. */
const ROOM = 100;
const MORE = 200;
/** Bytes that an idle connection is allowed to cost, with temporary garbage. */
const BYTES_EACH = 32_768;

describe('row 27: idle connections', () => {
  let koine: KoineProcess;
  const sockets: Socket[] = [];
  before(async function () {
    if (IDLE < 1_000 && process.env['CI'] !== 'true') this.skip();
    koine = await startKoine({
      server: { workers: 1, maxConnections: IDLE + ROOM, headersTimeout: '5m' },
      plugins: [{ use: 'metrics' }, { use: 'auth' }],
    });
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await koine?.end();
  });

  it(`serves others beside ${IDLE} idle connections, which cost little memory, and closes those beyond the cap`, async () => {
    const { hostname, port } = new URL(koine.url);
    let closed = 0;
    const open = (): Promise<unknown> =>
      new Promise((resolve) => {
        const socket = connect(Number(port), hostname, () => resolve(undefined));
        sockets.push(socket.on('error', resolve).on('close', () => (closed += 1)));
      });
    const figure = async (): Promise<number> =>
      sumOf(
        parseMetrics((await send(koine.adminUrl, { method: 'GET', path: '/metrics', headers: {} })).text),
        'koine_shed_total',
        { reason: 'connections' },
      );
    const ask = async (): Promise<number> => (await send(koine.url, callOf('chat', 'simulator/chat'))).status;
    expect(await Promise.all(Array.from({ length: 20 }, ask)), 'warm').to.not.include(503);
    const before = koine.memory();
    while (sockets.length < IDLE) {
      await Promise.all(Array.from({ length: 250 }, open));
      expect(await ask(), `beside ${sockets.length} others`).to.equal(200);
    }
    expect(closed).to.equal(0);
    expect((koine.memory() - before) / IDLE).to.be.below(BYTES_EACH);

    await Promise.all(Array.from({ length: ROOM + MORE }, open));
    await until('those beyond the cap are closed', () => closed >= MORE);
    let shed = 0;
    while (shed < closed) shed = await figure();
    expect(shed).to.equal(closed);
    for (const socket of sockets.splice(0)) socket.destroy();
    let served = 0;
    const deadline = performance.now() + 30_000;
    while (served !== 200 && performance.now() < deadline) served = await ask().catch(() => 0);
    expect(served, 'when they are gone').to.equal(200);
    expect(koine.stderr()).to.not.match(/warning|error/i);
  });
});
