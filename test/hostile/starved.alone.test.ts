import { expect } from 'chai';
import { connect, type Socket } from 'node:net';
import { callOf, greet } from '../support/calls.ts';
import { send, type HttpReply } from '../support/http.ts';
import { modelIds } from '../support/scene.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';
import { until } from '../support/until.ts';
import { startGatewayProcess, type GatewayProcess } from './support/gateway-process.ts';

/**
 * Members that the target does not have. Each is named as a loss in the log line of the request, which becomes longer
 * than this.
 */
const LINE_BYTES = 8_000;
const foreign = Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`member_${index}_${'x'.repeat(110)}`, 1]));
/** More than a pipe and the gateway's own buffer hold. */
const HELD_BYTES = 8 * 1_048_576;

describe('a process that runs out of a resource', () => {
  let upstream: TestUpstream;
  let gateway: GatewayProcess;
  before(async () => {
    upstream = await startUpstream();
    upstream.answer = greet;
  });
  after(() => upstream.stop());
  afterEach(() => gateway.end());

  const post = (): Promise<HttpReply> => send(gateway.url, callOf('chat', modelIds.messages, { more: foreign }));

  it('keeps serving while its log is not read, keeps the lines that fit, and counts the rest', async () => {
    gateway = await startGatewayProcess({ upstream: upstream.url, deaf: true });
    let sent = 0;
    const deadline = performance.now() + 40_000;
    while ((await gateway.figure('koine_log_dropped_total')) === 0) {
      expect(performance.now(), `dropped nothing after ${sent} lines`).to.be.below(deadline);
      const replies = await Promise.all(Array.from({ length: 50 }, () => post()));
      expect(replies.every(({ status }) => status === 200)).to.equal(true);
      sent += replies.length;
    }
    expect(sent * LINE_BYTES, 'it holds no more than it may').to.be.below(2 * HELD_BYTES);
    expect((await post()).status).to.equal(200);

    const dropped = await gateway.figure('koine_log_dropped_total');
    gateway.listen();
    await until('it says so', () =>
      gateway.lines().some(({ message }) => String(message).startsWith('lines of this log were dropped')),
    );
    await until('every line that was kept is whole', () => gateway.exchanges().length >= sent - dropped - 1);
    const reported = gateway
      .lines()
      .filter(({ message }) => String(message).startsWith('lines of this log were dropped'))
      .reduce((sum, { lines }) => sum + Number(lines), 0);
    expect(reported).to.be.at.least(dropped);
    gateway.signal('SIGTERM');
    expect(await gateway.exit).to.equal(0);
  });

  it('ends at a signal although its log is not read', async () => {
    gateway = await startGatewayProcess({ upstream: upstream.url, deaf: true });
    for (let round = 0; round < 10; round += 1) await Promise.all(Array.from({ length: 20 }, () => post()));
    gateway.signal('SIGTERM');
    expect(await gateway.exit).to.equal(0);
  });

  it('refuses connections without free file descriptors, survives, and serves again', async () => {
    gateway = await startGatewayProcess({ upstream: upstream.url, descriptors: 256 });
    expect((await post()).status).to.equal(200);
    const { hostname, port } = new URL(gateway.url);
    const held: Socket[] = [];
    let closed = 0;
    for (let index = 0; index < 400; index += 1) {
      held.push(
        connect(Number(port), hostname)
          .on('error', () => {})
          .on('close', () => (closed += 1)),
      );
    }
    await until('it has no more', () => gateway.descriptors() >= 250 || closed > 0);
    // Late connections are closed or wait: none gets a response, and the process survives.
    const late = await Promise.race([
      post().then(
        ({ status }) => status,
        () => 'refused',
      ),
      new Promise((resolve) => setTimeout(resolve, 1_500, 'waiting')),
    ]);
    expect(late).to.be.oneOf(['refused', 'waiting', 502, 503]);
    for (const socket of held) socket.destroy();
    const deadline = performance.now() + 30_000;
    let status = 0;
    while (status !== 200 && performance.now() < deadline)
      status = await post().then(
        (reply) => reply.status,
        () => 0,
      );
    expect(status).to.equal(200);
    await until('its descriptors are free again', () => gateway.descriptors() < 100);
    expect(gateway.said()).to.not.match(/warning|error/i);
    gateway.signal('SIGTERM');
    expect(await gateway.exit).to.equal(0);
  });
});
