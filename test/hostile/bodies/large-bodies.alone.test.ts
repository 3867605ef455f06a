import { expect } from 'chai';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { greet, helloFor, pathOf } from '../../support/calls.ts';
import { goodHeaders, send, type HttpReply } from '../../support/http.ts';
import { KEY } from '../../support/gateway.ts';
import { modelIds } from '../../support/scene.ts';
import { until } from '../../support/until.ts';
import { pairOf, wires, type Wire } from '../../matrix/wires.ts';
import { startGatewayProcess, type GatewayProcess } from '../support/gateway-process.ts';
import { largeBodies, longMessages, tinyMessages, type LargeBody } from '../support/large-bodies.ts';

const BOB = 'bob-0123456789abcdef0123456';
const HEAP_MB = 512;
/** More than are let in. */
const AT_ONCE = 20;
const refused =
  /^(?:This body takes at least|The bodies of the open requests of this key leave no memory|This gateway is overloaded|The body holds more than 100000 objects and lists)/;

/** An upstream that keeps nothing of a request, and responds to large ones when it is released. */
class HoldingUpstream {
  readonly held: (() => void)[] = [];
  isHolding = false;
  readonly #server: Server = createServer((request, response) => {
    let bytes = 0;
    request
      .on('data', (chunk: Buffer) => (bytes += chunk.byteLength))
      .once('end', () => {
        const answer = (): void => this.#answer(request.url ?? '', response);
        if (this.isHolding && bytes > 100_000) this.held.push(answer);
        else answer();
      });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  release(): void {
    this.isHolding = false;
    for (const answer of this.held.splice(0)) answer();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(path: string, response: ServerResponse): void {
    void greet(response, { method: 'POST', path, headers: {}, raw: Buffer.of(), body: {} });
  }
}

describe('bodies that become large in memory, at a gateway with a heap of 512 MB', () => {
  const upstream = new HoldingUpstream();
  let gateway: GatewayProcess;
  let isOver = false;
  before(async () => {
    const keys = { alice: { key: KEY }, bob: { key: BOB } };
    gateway = await startGatewayProcess({
      upstream: await upstream.start(),
      settings: {
        // The machine that runs this test may be slow.
        server: { overload: { lag: '1m' } },
        organizations: { acme: { projects: { web: { keys } } } },
      },
      variables: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` },
    });
    void gateway.exit.then(() => (isOver = true));
  });
  after(async () => {
    await gateway?.end();
    await upstream.stop();
  });

  const post = (client: Wire, target: Wire, body: string | Uint8Array, key = KEY): Promise<HttpReply> =>
    send(gateway.url, {
      path: pathOf(client, modelIds[target]),
      headers: { ...goodHeaders, authorization: `Bearer ${key}` },
      body,
    });
  const greetAsBob = async (): Promise<void> => {
    const reply = await post('chat', 'chat', JSON.stringify(helloFor('chat', modelIds.chat)), BOB);
    expect(reply.status, reply.text).to.equal(200);
  };
  const messageOf = ({ text }: HttpReply): string =>
    (JSON.parse(text) as { readonly error: { readonly message: string } }).error.message;

  /** Sends a body many times at once, and small requests of another key until all of them are refused or held. */
  const flood = async (client: Wire, target: Wire, body: Buffer, times: number): Promise<readonly HttpReply[]> => {
    upstream.isHolding = true;
    const early: HttpReply[] = [];
    const lost: unknown[] = [];
    const sent = Array.from({ length: times }, async () => {
      const reply = await post(client, target, body);
      early.push(reply);
      return reply;
    });
    const all = Promise.all(sent).catch((thrown: unknown) => {
      lost.push(thrown);
      return [];
    });
    do {
      await greetAsBob();
      await delay(20);
    } while (lost.length === 0 && early.length + upstream.held.length < times);
    expect([isOver, lost], 'the process is alive').to.deep.equal([false, []]);
    for (const reply of early) {
      expect(reply.status).to.be.oneOf(client === 'google' ? [400, 429, 503] : [413, 429, 503, 529]);
      expect(messageOf(reply)).to.match(refused);
    }
    const held = upstream.held.length;
    if (held > 0) expect(await gateway.figure('koine_body_memory_bytes')).to.be.above(0);
    upstream.release();
    const replies = await all;
    expect(replies.filter(({ status }) => status === 200)).to.have.length(held);
    return replies;
  };

  it('refuses 17 bodies of 240,000 tiny messages at once, before they are parsed, and serves another key', async () => {
    const body = Buffer.from(tinyMessages('chat', modelIds.messages, 240_000));
    const replies = await flood('chat', 'messages', body, 17);
    expect(replies.filter(({ status }) => status === 200)).to.deep.equal([]);
  });

  const floods: readonly (readonly [LargeBody, Wire, Wire])[] = [
    ['messages', 'chat', 'messages'],
    ['messages', 'google', 'responses'],
    ['parts', 'messages', 'google'],
    ['tools', 'responses', 'messages'],
    ['tools', 'google', 'chat'],
  ];
  for (const [name, client, target] of floods) {
    it(`survives as many bodies of many ${name} at once as it lets in, ${pairOf(client, target)}`, async () => {
      const replies = await flood(client, target, Buffer.from(largeBodies[name](client, modelIds[target])), AT_ONCE);
      const served = replies.filter(({ status }) => status === 200).length;
      expect(served, 'some are served').to.be.above(2);
      expect(served, 'not all of them').to.be.below(AT_ONCE);
    });
  }

  for (const client of wires) {
    it(`converts a body of many messages, parts or tools from ${client} to every wire`, async () => {
      for (const [index, target] of wires.entries()) {
        const name = (['messages', 'parts', 'tools'] as const)[(index + wires.indexOf(client)) % 3]!;
        const reply = await post(client, target, largeBodies[name](client, modelIds[target]));
        expect([name, target, reply.status], reply.text.slice(0, 300)).to.deep.equal([name, target, 200]);
      }
    });
  }

  it('serves bodies of 19 MB with some thousand messages on every wire', async () => {
    for (const [index, client] of wires.entries()) {
      const target = wires[(index + 1) % wires.length]!;
      const body = Buffer.from(longMessages(client, modelIds[target]));
      expect(body.byteLength).to.be.within(19_000_000, 20_971_520);
      const reply = await post(client, target, body);
      expect([client, reply.status], reply.text.slice(0, 300)).to.deep.equal([client, 200]);
    }
  });

  it('holds no memory for requests that have ended', async () => {
    await until('the gauge is at zero', async () => (await gateway.figure('koine_body_memory_bytes')) === 0);
    expect(await gateway.figure('koine_body_memory_limit_bytes')).to.be.within(150_000_000, 300_000_000);
    expect(await gateway.figure('koine_shed_total', { reason: 'key_memory' })).to.be.above(0);
    expect(isOver).to.equal(false);
  });
});
