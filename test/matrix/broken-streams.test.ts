import { expect } from 'chai';
import { KEY, startTestGateway, type TestGateway } from '../e2e/gateway.ts';
import { goodHeaders } from '../e2e/http.ts';
import { startScene, type Scene } from '../e2e/scene.ts';
import { startUpstream, type TestUpstream } from '../e2e/upstream.ts';
import { breaks, breakStream, firstHalf, type Break } from './breaks.ts';
import { defaultModels, hello } from './matrix-case.ts';
import { readStream, type Sight } from './read-stream.ts';
import { chatFrames } from './vendor-chat.ts';
import { messagesFrames } from './vendor-messages.ts';
import { catalogOf, pairOf, providerOf, providersAt, someTokens, wires, type Wire } from './wires.ts';

const paths: Readonly<Record<Wire, string>> = { chat: '/v1/chat/completions', messages: '/v1/messages' };
/** What ends a good stream, or makes a client run a call that was cut off. */
const goodEnds: Readonly<Record<Wire, RegExp>> = { chat: /\[DONE\]|"finish_reason":"/, messages: /message_stop|message_delta|content_block_stop/ };
const errors: Readonly<Record<Wire, RegExp>> = { chat: /data: \{"error":/g, messages: /event: error\ndata: \{"type":"error"/g };

describe('matrix: streams that break', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  before(async () => {
    upstream = await startUpstream();
    gateway = await startTestGateway({ providers: providersAt(upstream.url), models: catalogOf([defaultModels]) });
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  const modelOf = (wire: Wire): string => `${providerOf[wire]}/${defaultModels[wire]}`;
  const read = (client: Wire, wire: Wire): Promise<Sight> => readStream(client, gateway.url, modelOf(wire));
  /** The one line that an exchange leaves in the access log. */
  const logged = async (exchange: () => Promise<void>): Promise<Readonly<Record<string, unknown>>> => {
    const before = gateway.exchanges().length;
    await exchange();
    await gateway.settled(before + 1);
    expect(gateway.exchanges()).to.have.length(before + 1);
    return gateway.exchanges()[before] ?? {};
  };

  const checkBefore = async (broken: Break, client: Wire, wire: Wire): Promise<void> => {
    upstream.answer = breakStream(broken, wire, 'before content');
    const line = await logged(async () => {
      const { error, text } = await read(client, wire);
      expect(text).to.equal('');
      expect(error?.status, String(error)).to.equal(broken.status[client]);
    });
    expect(line).to.include({ outcome: 'upstream_error', status: broken.status[client] });
  };

  const checkAfter = async (broken: Break, client: Wire, wire: Wire): Promise<void> => {
    upstream.answer = breakStream(broken, wire, 'after content');
    const line = await logged(async () => {
      const { error, text, finish } = await read(client, wire);
      expect(text).to.equal(firstHalf);
      expect(finish).to.equal(undefined);
      expect(error, 'the SDK ended well').to.not.equal(undefined);
      expect(error?.message).to.match(broken.message);
    });
    expect(line).to.include({ outcome: 'upstream_error', status: 200, ending: broken.ending });
  };

  /** What goes over the wire: exactly one error, and nothing that ends a good answer. */
  const checkBytes = async (broken: Break, client: Wire, wire: Wire): Promise<void> => {
    upstream.answer = breakStream(broken, wire, 'after content');
    const body = JSON.stringify({ ...hello[client], model: modelOf(wire), stream: true });
    const reply = await fetch(gateway.url + paths[client], { method: 'POST', headers: { authorization: `Bearer ${KEY}`, 'anthropic-version': '2023-06-01' }, body });
    const text = await reply.text();
    expect(text.match(errors[client]) ?? [], text).to.have.length(1);
    expect(text).to.not.match(goodEnds[client]);
    expect(text.endsWith('\n\n')).to.equal(true);
  };

  for (const broken of breaks) {
    for (const client of wires) {
      for (const wire of wires) {
        const pair = pairOf(client, wire);
        it(`${broken.name} before content is an HTTP status over ${pair}`, () => checkBefore(broken, client, wire));
        it(`${broken.name} after content is an error of the SDK over ${pair}`, () => checkAfter(broken, client, wire));
        it(`${broken.name} after content is one error frame over ${pair}`, () => checkBytes(broken, client, wire));
      }
    }
  }
});

/** A call whose arguments were cut off must not look like one that can be run. */
describe('matrix: a stream that is cut off inside the arguments of a call', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
  });
  after(() => scene.stop());

  const call = { city: 'Paris' };
  const frames: Readonly<Record<Wire, readonly string[]>> = {
    chat: chatFrames({ message: { tool_calls: [{ id: 'call_1', name: 'get_weather', arguments: JSON.stringify(call) }] }, finish: 'tool_calls' }, someTokens).slice(0, 3),
    messages: messagesFrames({ content: [{ type: 'tool_use', id: 'call_1', name: 'get_weather', input: call }], finish: 'tool_use' }, someTokens).slice(0, 5),
  };
  for (const client of wires) {
    for (const wire of wires) {
      it(`ends in an error and closes nothing over ${pairOf(client, wire)}`, async () => {
        scene.upstream.answer = (response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(frames[wire].join(''));
        const body = JSON.stringify({ ...hello[client], model: `${providerOf[wire]}/${defaultModels[wire]}`, stream: true });
        const text = await (await fetch(scene.gateway.url + paths[client], { method: 'POST', headers: goodHeaders, body })).text();
        expect(text).to.include('get_weather').and.include('{\\"city');
        expect(text).to.not.match(goodEnds[client]);
        expect(text.match(errors[client]) ?? [], text).to.have.length(1);
      });
    }
  }
});
