import { expect } from 'chai';
import { readStream } from '../../matrix/clients/read-stream.ts';
import { pairOf, wires, type Wire } from '../../matrix/wires.ts';
import { callOf, greet, isStreamed, streamEnds, wireAt } from '../../support/calls.ts';
import { refuse } from '../../support/failover-scene.ts';
import { KEY } from '../../support/gateway.ts';
import { send, type HttpReply } from '../../support/http.ts';
import { rawRequest, sendRaw } from '../../support/raw.ts';
import { CHAT, GOOGLE, modelIds } from '../../support/scene.ts';
import type { TestUpstream } from '../../support/upstream.ts';
import { headersOf, OFF_KEY, PLAIN_KEY, startCostScene, TWICE, UNPRICED, type CostScene } from './cost-scene.ts';

const nanoOf = (dollars: string | string[] | undefined): bigint => {
  const [whole = '', fraction = ''] = String(dollars).split('.');
  return BigInt(whole + fraction.padEnd(9, '0'));
};
/** The comments at the end of a stream, as headers. */
const commentsOf = (text: string): NodeJS.Dict<string> =>
  Object.fromEntries([...text.matchAll(/^: (x-koine-[a-z]+) (.*)\n\n/gm)].map(([, name = '', value]) => [name, value]));
const withoutComments = (text: string): string => text.replace(/(?:: x-koine-.*\n\n)+$/, '');

/** The provider of the wire begins a response and breaks off, so that the attempt costs its input. */
const breakAt =
  (broken: Wire): TestUpstream['answer'] =>
  (response, call) =>
    wireAt(call.path) === broken
      ? void response
          .writeHead(200, { 'content-type': isStreamed(call) ? 'text/event-stream' : 'application/json' })
          .end('')
      : greet(response, call);

describe('the cost that a response shows', () => {
  let scene: CostScene;
  before(async () => {
    scene = await startCostScene();
  });
  beforeEach(() => {
    scene.upstream.answer = greet;
  });
  after(() => scene.stop());

  const ask = (client: Wire, model: string, stream = false, key = KEY): Promise<HttpReply> =>
    send(scene.gateway.url, { ...callOf(client, model, { stream }), headers: headersOf(key) });

  for (const client of wires)
    for (const vendor of wires) {
      it(`equals the charge of the ledger for ${pairOf(client, vendor)}`, async () => {
        const { status, headers, text, trailers } = await ask(client, modelIds[vendor]);
        expect(status, text).to.equal(200);
        expect(headers['x-koine-cost']).to.match(/^0\.\d{1,9}$/);
        expect(nanoOf(headers['x-koine-cost'])).to.equal(await scene.chargeOf(String(headers['x-request-id'])));
        expect(JSON.parse(String(headers['x-koine-usage']))).to.include.keys('input', 'output');
        expect(Number(headers['content-length'])).to.equal(Buffer.byteLength(text));
        expect([headers['trailer'], trailers]).to.deep.equal([undefined, {}]);
      });

      it(`equals the charge of the ledger at the end of a stream of ${pairOf(client, vendor)}`, async () => {
        const { headers, text, trailers } = await ask(client, modelIds[vendor], true);
        expect(headers).to.include({ trailer: 'x-koine-cost, x-koine-usage' }).and.not.have.property('x-koine-cost');
        expect(nanoOf(trailers['x-koine-cost'])).to.equal(await scene.chargeOf(String(headers['x-request-id'])));
        expect(commentsOf(text)).to.deep.equal(trailers);
        expect(withoutComments(text)).to.match(streamEnds[client]).and.not.include('x-koine');
      });
    }

  for (const client of wires)
    it(`leaves streams readable for the official SDK of ${client}`, async () => {
      const native = await readStream(client, scene.gateway.url, modelIds[client]);
      const translated = await readStream(client, scene.gateway.url, modelIds[client === 'chat' ? 'messages' : 'chat']);
      for (const { text, finish, error } of [native, translated]) {
        expect([text, error]).to.deep.equal(['Good day.', undefined]);
        expect(finish).to.be.a('string');
      }
    });

  it('is in the trailers alone where the framing of a stream has no comments', async () => {
    const { path, body } = callOf('google', GOOGLE, { stream: true });
    const { text, trailers } = await send(scene.gateway.url, { path: path.replace('?alt=sse', ''), body });
    expect(JSON.parse(text)).to.be.an('array').with.length.greaterThan(0);
    expect(nanoOf(trailers['x-koine-cost']) > 0n).to.equal(true);
  });

  it('is in the comments alone for a client of HTTP/1.0, which has no trailers', async () => {
    const { path, body } = callOf('chat', CHAT, { stream: true });
    const received = await sendRaw(scene.gateway.url, rawRequest(path, body, [], '1.0'));
    const [head = ''] = received.split('\r\n\r\n');
    expect(head)
      .to.match(/^HTTP\/1\.1 200/)
      .and.not.match(/^trailer|^transfer-encoding/im);
    expect(received).to.match(/data: \[DONE\]\n\n: x-koine-cost 0\.\d+\n\n: x-koine-usage \{.*\}\n\n$/);
  });

  for (const stream of [false, true])
    it(`includes a failed attempt that cost, ${stream ? 'streamed' : 'plain'}`, async () => {
      scene.upstream.answer = greet;
      const single = await ask('messages', TWICE, stream);
      scene.upstream.answer = breakAt('chat');
      const { headers, trailers } = await ask('messages', TWICE, stream);
      const [shown, alone] = stream ? [trailers, single.trailers] : [headers, single.headers];
      expect(headers).to.include({ 'x-koine-attempts': '2', 'x-koine-provider': 'anthropic' });
      expect(nanoOf(shown['x-koine-cost'])).to.equal(await scene.chargeOf(String(headers['x-request-id'])));
      const usage = JSON.parse(String(shown['x-koine-usage'])) as { input: number; estimated: boolean };
      expect(usage.estimated).to.equal(true);
      expect(usage.input).to.be.greaterThan((JSON.parse(String(alone['x-koine-usage'])) as { input: number }).input);
    });

  it('is in the headers of an error, if a failed attempt cost', async () => {
    scene.upstream.answer = breakAt('chat');
    const { status, headers } = await ask('chat', CHAT);
    expect(status).to.equal(502);
    expect(nanoOf(headers['x-koine-cost']) > 0n).to.equal(true);
    expect(nanoOf(headers['x-koine-cost'])).to.equal(await scene.chargeOf(String(headers['x-request-id'])));
  });

  it('is 0 without usage if nothing was used', async () => {
    scene.upstream.answer = refuse(503);
    const { headers } = await ask('chat', CHAT);
    expect(headers).to.include({ 'x-koine-cost': '0' }).and.not.have.property('x-koine-usage');
    expect(await scene.chargeOf(String(headers['x-request-id']))).to.equal(0n);
  });

  it('is missing for a model without a price, and the usage is marked as unpriced', async () => {
    const { headers } = await ask('chat', UNPRICED);
    expect(headers).to.not.have.property('x-koine-cost');
    expect(JSON.parse(String(headers['x-koine-usage']))).to.include({ unpriced: true });
  });

  for (const stream of [false, true])
    it(`is not in ${stream ? 'streams' : 'responses'} of a key without costHeaders`, async () => {
      const { status, headers, text, trailers } = await ask('chat', CHAT, stream, PLAIN_KEY);
      expect(status).to.equal(200);
      expect(JSON.stringify([headers, trailers, text])).to.not.match(/x-koine-cost|x-koine-usage|trailer/);
    });
});

describe('the cost that responses of a route show', () => {
  let scene: CostScene;
  before(async () => {
    scene = await startCostScene({
      routes: [
        { path: '/v1/chat/completions', wire: 'chat-completions', costHeaders: 'on' },
        { path: '/v1/messages', wire: 'messages' },
      ],
      stream: { openAfter: '10ms' },
    });
    scene.upstream.answer = greet;
  });
  after(() => scene.stop());

  const ask = (client: Wire, key: string, stream = false): Promise<HttpReply> =>
    send(scene.gateway.url, { ...callOf(client, modelIds[client], { stream }), headers: headersOf(key) });

  it('is in responses to keys that do not turn it off', async () => {
    expect((await ask('chat', PLAIN_KEY)).headers).to.have.property('x-koine-cost');
    expect((await ask('chat', OFF_KEY)).headers).to.not.have.property('x-koine-cost');
    expect((await ask('messages', PLAIN_KEY)).headers).to.not.have.property('x-koine-cost');
  });

  it('follows the error of a stream that was open before it failed', async () => {
    scene.upstream.answer = (response, call) => void setTimeout(() => breakAt('chat')(response, call), 300);
    const { headers, text, trailers } = await ask('chat', PLAIN_KEY, true);
    expect(text).to.match(/^: keep-alive\n\n[^]*"error"[^]*: x-koine-cost 0\.\d+\n\n/);
    expect(nanoOf(trailers['x-koine-cost'])).to.equal(await scene.chargeOf(String(headers['x-request-id'])));
  });
});
