import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { callOf } from '../support/calls.ts';
import { goodHeaders, readError, send, type HttpReply } from '../support/http.ts';
import { rawRequest, sendRaw } from '../support/raw.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';
import { modelIds } from '../support/scene.ts';
import { wires, type Wire } from '../matrix/wires.ts';
import { until } from '../support/until.ts';
import { startGatewayProcess, type GatewayProcess } from './support/gateway-process.ts';

const burner = fileURLToPath(new URL('../fixtures/extensions/burner/index.ts', import.meta.url));
const CAPACITY = 8;

describe('an overloaded gateway', () => {
  let upstream: TestUpstream;
  let gateway: GatewayProcess;
  let count = 0;
  before(async () => {
    upstream = await startUpstream();
  });
  after(() => upstream.stop());
  afterEach(async () => {
    try {
      await gateway.check(count);
    } finally {
      await gateway.end();
    }
  });
  const start = async (overload: object): Promise<void> => {
    count = 0;
    gateway = await startGatewayProcess({
      upstream: upstream.url,
      settings: { server: { overload }, plugins: [{ use: 'metrics' }, { use: 'auth' }, { use: burner }] },
    });
  };
  const ask = (wire: Wire = 'chat', model = 'simulator/chat', headers: object = {}): Promise<HttpReply> => {
    count += 1;
    return send(gateway.url, { ...callOf(wire, model), headers: { ...goodHeaders, ...headers } });
  };
  const look = async (): Promise<readonly number[]> => {
    const paths = [
      [gateway.url, '/livez'],
      [gateway.url, '/readyz'],
      [gateway.adminUrl, '/readyz'],
      [gateway.adminUrl, '/metrics'],
      [gateway.adminUrl, '/admin/keys'],
    ] as const;
    return (await Promise.all(paths.map(([url, path]) => send(url, { method: 'GET', path, headers: {} })))).map(
      ({ status }) => status,
    );
  };

  it('refuses requests beyond server.overload.inFlight, serves those that have entered, and stays observable', async () => {
    await start({ inFlight: CAPACITY });
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    upstream.calls.length = 0;
    upstream.answer = async (response) => {
      await gate;
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"Enough."}}');
    };
    const inside = Array.from({ length: CAPACITY }, () => ask('chat', modelIds.chat));
    await until('all of them are at the upstream', () => upstream.calls.length === CAPACITY);

    const outside = await Promise.all(Array.from({ length: 3 * CAPACITY }, () => ask('chat', modelIds.chat)));
    for (const reply of outside) {
      expect(reply.status).to.equal(503);
      expect(reply.headers['retry-after']).to.equal('1');
      expect(readError(reply).error).to.deep.include({ code: 'overloaded', type: 'server_error' });
      expect(readError(reply).error.message).to.match(/^This gateway is overloaded/);
    }
    expect(await look()).to.deep.equal([200, 200, 200, 200, 200]);

    const statuses = { chat: 503, messages: 529, responses: 503, google: 503 };
    for (const wire of wires) {
      const reply = await ask(wire);
      expect([reply.status, reply.headers['retry-after']], wire).to.deep.equal([statuses[wire], '1']);
      expect(reply.text, wire).to.match(
        {
          chat: /"code":"overloaded"/,
          messages: /"type":"overloaded_error"/,
          responses: /"code":"overloaded"/,
          google: /"UNAVAILABLE".*"retryDelay":"1s"/,
        }[wire],
      );
    }
    count += 1;
    const bodiless = await sendRaw(gateway.url, rawRequest('/v1/messages', '', ['content-length: 1000']), (received) =>
      received.includes('}}'),
    );
    expect(bodiless, 'refused before the body is there').to.match(/^HTTP\/1\.1 529 /);

    release();
    expect((await Promise.all(inside)).map(({ status }) => status)).to.deep.equal(
      Array.from({ length: CAPACITY }, () => 400),
    );
    expect(upstream.calls).to.have.length(CAPACITY);
    expect((await ask()).status, 'there is room again').to.equal(200);
    expect(await gateway.figure('koine_shed_total', { reason: 'in_flight' })).to.equal(3 * CAPACITY + wires.length + 1);
    expect(gateway.exchanges().filter(({ code }) => code === 'overloaded')).to.have.length(
      3 * CAPACITY + wires.length + 1,
    );
  });

  it('refuses requests while the event loop is late, and soon accepts them again', async () => {
    await start({ lag: '100ms' });
    const replies: HttpReply[] = [];
    const begin = performance.now();
    // Four clients at once, each of which alone would keep the process busy.
    const client = async (): Promise<void> => {
      while (performance.now() - begin < 15_000 && !replies.some(({ status }) => status === 503))
        replies.push(await ask('chat', 'simulator/chat', { 'x-burn': '400' }));
    };
    const clients = Array.from({ length: 4 }, client);
    const seen = await look();
    await Promise.all(clients);
    expect(seen).to.deep.equal([200, 200, 200, 200, 200]);
    expect(new Set(replies.map(({ status }) => status))).to.deep.equal(new Set([200, 503]));
    const since = performance.now();
    let again = await ask();
    while (again.status !== 200 && performance.now() - since < 30_000) again = await ask();
    expect(again.status, 'within 30 s').to.equal(200);
    await until('every line is out', () => gateway.exchanges().length === count);
    const shed = gateway.exchanges().filter(({ code }) => code === 'overloaded');
    expect(shed.length)
      .to.be.above(0)
      .and.equal(await gateway.figure('koine_shed_total', { reason: 'lag' }));
    expect(gateway.lines().some(({ message }) => String(message).startsWith('the event loop was blocked'))).to.equal(
      true,
    );
  });
});
