import { expect } from 'chai';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { flood } from '../support/flood.ts';
import { callOf, wireAt } from '../support/calls.ts';
import { goodHeaders } from '../support/http.ts';
import { modelIds } from '../support/scene.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';
import type { Wire } from '../matrix/wires.ts';
import { until } from '../support/until.ts';
import { startGatewayProcess, type GatewayProcess } from './support/gateway-process.ts';

/** Collects garbage on SIGUSR2. */
const probe = new URL('../../tools/fuzz/probe.js', import.meta.url).href;
const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const pairs: readonly (readonly [client: Wire, wire: Wire])[] = [
  ['chat', 'chat'],
  ['messages', 'messages'],
  ['responses', 'responses'],
  ['google', 'google'],
  ['messages', 'chat'],
  ['responses', 'google'],
];

/** So many that what the process itself gains or frees meanwhile is small for each of them. */
const CLIENTS = 40;

describe('clients that do not read', function suite() {
  this.timeout(240_000);
  let upstream: TestUpstream;
  let gateway: GatewayProcess;
  let count = 0;
  const written = { bytes: 0 };
  before(async () => {
    upstream = await startUpstream();
    upstream.answer = (response, { path }) => flood(response, wireAt(path), written);
  });
  after(() => upstream.stop());
  afterEach(async () => {
    try {
      await gateway.check(count);
    } finally {
      await gateway.end();
    }
  });
  const start = async (writeStall: string, variables = {}): Promise<void> => {
    gateway = await startGatewayProcess({ upstream: upstream.url, settings: { server: { writeStall } }, variables });
    count = 0;
  };

  /** A response that is not read. */
  const open = (client: Wire, wire: Wire): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      count += 1;
      const { path, body } = callOf(client, modelIds[wire], { stream: true });
      const request = requestHttp(
        gateway.url + path,
        { method: 'POST', headers: goodHeaders, agent: false },
        (response) => {
          response.on('error', () => {}).pause();
          resolve(response);
        },
      );
      request.once('error', reject).end(body);
    });

  it('cuts clients that do not read after server.writeStall, on every wire, and their upstreams too', async () => {
    await start('400ms');
    const cut = upstream.cut.count;
    const opened: IncomingMessage[] = [];
    for (const [client, wire] of pairs) opened.push(await open(client, wire));
    await until('all are cut', () => gateway.exchanges().length === pairs.length);
    for (const line of gateway.exchanges()) {
      expect(line, String(line['route'])).to.deep.include({
        outcome: 'client_closed',
        ending: 'client_closed',
        status: 200,
        code: 'client_closed',
        tokens_estimated: true,
      });
      expect(line['error_message']).to.include('server.writeStall');
      expect(line['tokens_out']).to.be.above(0);
    }
    await until('the upstreams are cut', () => upstream.cut.count === cut + pairs.length);
    // A client that does not read does not see the end either, and would keep this process alive.
    for (const response of opened) response.destroy();
  });

  it('does not cut clients that read slowly', async () => {
    await start('4s');
    const response = await open('chat', 'chat');
    let ended = false;
    response.once('close', () => (ended = true));
    let read = 0;
    // At most 2 MB a second: the kernel holds several, and takes more only when a third of that is gone.
    const begin = performance.now();
    const isEarly = (): boolean => read > ((performance.now() - begin) / 1_000) * 2_000_000;
    response.on('data', (chunk: Buffer) => {
      read += chunk.length;
      if (isEarly()) response.pause();
    });
    for (; performance.now() - begin < 9_000; await wait(20)) if (!isEarly()) response.resume();
    expect(read).to.be.above(5_000_000);
    expect(ended).to.equal(false);
    expect(gateway.exchanges()).to.have.length(0);
    response.destroy();
  });

  it('holds less than 1 MB for each client that does not read', async () => {
    await start('60s', { NODE_OPTIONS: `--expose-gc --import ${probe}` });
    const held: IncomingMessage[] = [];
    // Objects and buffers in use. The resident set has also what V8 and the allocator keep for later.
    const measure = async (): Promise<number> => {
      const { length } = gateway.said();
      gateway.signal('SIGUSR2');
      const sizes = (): RegExpExecArray | null =>
        /"heapUsed":(\d+),.*"external":(\d+)/.exec(gateway.said().slice(length));
      await until('garbage is collected', () => sizes() !== null);
      const [, heapUsed, external] = sizes()!;
      return Number(heapUsed) + Number(external);
    };
    const hold = async (more: number): Promise<number> => {
      for (let index = 0; index < more; index += 1)
        held.push(await open(index % 2 === 0 ? 'chat' : 'messages', 'chat'));
      let seen = -1;
      await until('the upstreams are held up', () => seen === (seen = written.bytes), 2_000);
      return measure();
    };
    // What the process loads and keeps for the first clients does not count.
    const before = await hold(20);
    let each = ((await hold(CLIENTS)) - before) / CLIENTS;
    for (let tries = 0; each >= 1_048_576 && tries < 10; tries += 1) {
      await wait(500);
      each = ((await measure()) - before) / CLIENTS;
    }
    for (const response of held) response.destroy();
    expect(each).to.be.below(1_048_576);
  });
});
