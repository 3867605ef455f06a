import { expect } from 'chai';
import { once } from 'node:events';
import OpenAI from 'openai';
import { ResponsesWS } from 'openai/resources/responses/ws';
import type { ResponsesClientEvent, ResponsesServerEvent } from 'openai/resources/responses/responses';
import { goodDay, textAnswer } from '../../matrix/sample-bodies.ts';
import { textOf } from '../../matrix/vendors/vendors.ts';
import { WebSocket } from 'ws';
import { greet } from '../../support/calls.ts';
import { refuse } from '../../support/failover-scene.ts';
import { KEY } from '../../support/gateway.ts';
import { sendRaw } from '../../support/raw.ts';
import { modelIds, startScene, type Scene } from '../../support/scene.ts';
import { until } from '../../support/until.ts';

type Create = Omit<Extract<ResponsesClientEvent, { type: 'response.create' }>, 'type'>;
type Event = ResponsesServerEvent & { readonly stream_id?: string };

/** A socket of the SDK, whose messages are read in order. */
class TestSocket {
  readonly #socket: ResponsesWS;
  readonly #received: Event[] = [];
  readonly closed: Promise<number>;
  #wake: () => void = () => {};

  constructor(url: string, apiKey = KEY) {
    this.#socket = new ResponsesWS(new OpenAI({ baseURL: `${url}/v1`, apiKey }));
    this.#socket.on('event', (event) => {
      this.#received.push(event);
      this.#wake();
    });
    // Errors of the gateway are messages too.
    this.#socket.on('error', () => {});
    this.closed = new Promise((resolve) => this.#socket.on('close', (code) => resolve(code)));
  }

  send(create: Create): void {
    this.#socket.send({ type: 'response.create', ...create });
  }

  /** All messages up to the end of the next response. */
  async turn(create?: Create): Promise<readonly Event[]> {
    if (create !== undefined) this.send(create);
    const events: Event[] = [];
    for (;;) {
      const event = this.#received.shift();
      if (event === undefined) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
        continue;
      }
      events.push(event);
      if (/^(?:error|response\.(?:completed|failed|incomplete))$/.test(event.type)) return events;
    }
  }

  close(): void {
    this.#socket.close();
  }
}

const wordsOf = (events: readonly Event[]): string =>
  events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : '')).join('');
const responseOf = (
  events: readonly Event[],
): { readonly id: string; readonly previous_response_id?: string | null } => {
  const last = events.at(-1);
  if (last?.type !== 'response.completed') throw new Error(JSON.stringify(last));
  return last.response;
};
const codeOf = (events: readonly Event[]): unknown =>
  (events.at(-1) as { readonly error?: { readonly code?: unknown } }).error?.code;

const toolCall = {
  ...goodDay,
  messages: { content: [{ type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: {} }], finish: 'tool_use' },
};

describe('the responses wire over WebSocket', () => {
  let scene: Scene;
  const sockets: TestSocket[] = [];
  const open = (apiKey?: string): TestSocket => {
    const socket = new TestSocket(scene.gateway.url, apiKey);
    sockets.push(socket);
    return socket;
  };
  before(async () => {
    scene = await startScene({ server: { websocket: true } });
  });
  beforeEach(() => {
    scene.upstream.answer = greet;
    scene.upstream.calls.length = 0;
  });
  afterEach(() => sockets.splice(0).forEach((socket) => socket.close()));
  after(() => scene.stop());

  for (const [wire, model] of Object.entries(modelIds))
    it(`each request is one exchange, and each event one message: ${wire}`, async () => {
      const socket = open();
      const before = scene.gateway.exchanges().length;
      for (const input of ['first', 'second']) {
        const events = await socket.turn({ model, input, store: false });
        expect(wordsOf(events)).to.include('Good');
        expect(events[0]?.type).to.equal('response.created');
        expect(events.map((event) => 'sequence_number' in event && event.sequence_number)).to.deep.equal(
          events.map((_, index) => index),
        );
      }
      await scene.gateway.settled(before + 2);
      expect(scene.gateway.exchanges().slice(before)).to.have.length(2);
    });

  for (const [wire, model] of Object.entries(modelIds))
    it(`a response that was not stored is continued from the memory of the socket: ${wire}`, async () => {
      const socket = open();
      const { id } = responseOf(await socket.turn({ model, input: 'The word is cobalt.', store: false }));
      const second = await socket.turn({ model, input: 'Which word?', store: false, previous_response_id: id });
      // The member is written where the vendor has it.
      expect(responseOf(second).previous_response_id).to.equal(wire === 'responses' ? undefined : id);
      const [first, continued] = scene.upstream.calls.map(({ raw }) => raw.toString());
      expect(first).to.include('cobalt').and.not.include('Which word?');
      expect(continued).to.include('cobalt').and.include('Good').and.include('Which word?');
      expect(continued).to.not.include('previous_response_id');
    });

  it('a response of another socket is not found', async () => {
    const model = modelIds.messages;
    const { id } = responseOf(await open().turn({ model, input: 'One.', store: false }));
    const other = open();
    const missing = await other.turn({ model, input: 'Two.', store: false, previous_response_id: id });
    expect(codeOf(missing)).to.equal('previous_response_not_found');
    expect(missing.at(-1)).to.include({ type: 'error', status: 400 });
    expect(scene.upstream.calls).to.have.length(1);
    expect(wordsOf(await other.turn({ model, input: 'Two.', store: false }))).to.include('Good');
  });

  it('a conversation whose continuation failed is not continued again', async () => {
    const socket = open();
    const model = modelIds.google;
    const { id } = responseOf(await socket.turn({ model, input: 'One.', store: false }));
    const output = { type: 'function_call_output', call_id: 'call_unknown', output: 'rain' } as const;
    const failed = await socket.turn({ model, input: [output], store: false, previous_response_id: id });
    expect(failed.at(-1)).to.include({ type: 'error', status: 400 });
    const stale = await socket.turn({ model, input: 'Three.', store: false, previous_response_id: id });
    expect(codeOf(stale)).to.equal('previous_response_not_found');
    const { id: next } = responseOf(await socket.turn({ model, input: 'One.', store: false }));
    scene.upstream.answer = refuse(400);
    expect(
      (await socket.turn({ model, input: 'Two.', store: false, previous_response_id: next })).at(-1)?.type,
    ).to.equal('error');
    expect(codeOf(await socket.turn({ model, input: 'Two.', store: false, previous_response_id: next }))).to.equal(
      'previous_response_not_found',
    );
  });

  it('a tool is called and its output sent with the id of the response alone', async () => {
    const socket = open();
    const model = modelIds.messages;
    const tools = [{ type: 'function' as const, name: 'get_weather', parameters: { type: 'object' }, strict: false }];
    scene.upstream.answer = (response) =>
      void response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(textOf('messages', 'streamed', toolCall));
    const called = await socket.turn({ model, tools, input: 'Weather?', store: false });
    const item = called.flatMap((event) =>
      event.type === 'response.output_item.done' && event.item.type === 'function_call' ? event.item : [],
    )[0];
    scene.upstream.answer = greet;
    const output = { type: 'function_call_output' as const, call_id: item?.call_id ?? '', output: 'rain' };
    const { id } = responseOf(called);
    const second = await socket.turn({ model, tools, input: [output], store: false, previous_response_id: id });
    expect(wordsOf(second)).to.include('Good');
    const { messages } = scene.upstream.calls.at(-1)!.body as { readonly messages: readonly unknown[] };
    expect(JSON.stringify(messages)).to.include('Weather?').and.include('tool_use').and.include('rain');
  });

  it('generate: false keeps the input, and calls no model', async () => {
    const socket = open();
    const model = modelIds.chat;
    const warmed = await socket.turn({ model, input: 'The word is ember.', store: false, generate: false });
    expect(warmed.map(({ type }) => type)).to.deep.equal([
      'response.created',
      'response.in_progress',
      'response.completed',
    ]);
    expect(scene.upstream.calls).to.have.length(0);
    const { id } = responseOf(warmed);
    await socket.turn({ model, input: 'Which word?', store: false, previous_response_id: id });
    expect(scene.upstream.calls[0]?.raw.toString()).to.include('ember').and.include('Which word?');
  });

  it('generate: false with a value that is not JSON is refused, and the socket goes on', async () => {
    const socket = new WebSocket(`${scene.gateway.url}/v1/responses`, { headers: { authorization: `Bearer ${KEY}` } });
    await once(socket, 'open');
    const model = modelIds.chat;
    socket.send(`{"type":"response.create","model":"${model}","generate":false,"input":[1,s]}`);
    const [refusal] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(refusal.toString())).to.deep.include({ type: 'error', status: 400 });
    expect(refusal.toString()).to.include('The message is not valid JSON.');
    socket.send(JSON.stringify({ type: 'response.create', model, generate: false, input: 'Hi.' }));
    const [next] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(next.toString())).to.include({ type: 'response.created' });
    socket.close();
  });

  it('requests of one stream run one after the other, those of two at the same time', async () => {
    const socket = open();
    const model = modelIds.chat;
    const gates = new Map<string, PromiseWithResolvers<void>>();
    scene.upstream.answer = async (response, call) => {
      const [name] = /slow-\w+/.exec(call.raw.toString()) ?? [''];
      const gate = Promise.withResolvers<void>();
      gates.set(name, gate);
      await gate.promise;
      await greet(response, call);
    };
    for (const name of ['ax', 'ay', 'bz'])
      socket.send({ model, input: `slow-${name}`, store: false, stream_id: name.slice(0, 1) });
    await until('two requests are open', () => gates.size === 2);
    expect([...gates.keys()].toSorted()).to.deep.equal(['slow-ax', 'slow-bz']);
    gates.get('slow-bz')?.resolve();
    expect(new Set((await socket.turn()).map((event) => event.stream_id))).to.deep.equal(new Set(['b']));
    gates.get('slow-ax')?.resolve();
    expect(new Set((await socket.turn()).map((event) => event.stream_id))).to.deep.equal(new Set(['a']));
    await until('the second request of the stream', () => gates.has('slow-ay'));
    gates.get('slow-ay')?.resolve();
    await socket.turn();
  });

  it('an error of the gateway or the vendor is a message with its status', async () => {
    const socket = open();
    const unknown = await socket.turn({ model: 'no/such-model', input: 'Hi.' });
    expect(unknown.at(-1)).to.include({ type: 'error', status: 400 });
    expect(codeOf(unknown)).to.equal('model_not_found');
    scene.upstream.answer = refuse(500);
    const failed = await socket.turn({ model: modelIds.messages, input: 'Hi.', stream_id: 'a' });
    expect(failed.at(-1)).to.include({ type: 'error', stream_id: 'a' });
    for (const wrong of [{ background: true }, { stream_id: 'x'.repeat(129) }])
      expect((await socket.turn({ model: modelIds.chat, input: 'Hi.', ...wrong })).at(-1)).to.include({
        type: 'error',
        status: 400,
      });
  });
});

const statusOf = (text: string): string | undefined => /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];

/** What a raw upgrade is answered with. */
const upgrade = (url: string, path: string, key: string): Promise<string> =>
  sendRaw(
    url,
    [
      `GET ${path} HTTP/1.1`,
      'host: gateway',
      `authorization: Bearer ${key}`,
      'connection: Upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
      '',
      '',
    ].join('\r\n'),
    (received) => received.includes('\r\n\r\n'),
  );

describe('an upgrade to WebSocket', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene({ server: { websocket: true } });
  });
  after(() => scene.stop());

  it('is accepted on the path of responses, with a valid key', async () => {
    expect(statusOf(await upgrade(scene.gateway.url, '/v1/responses', KEY))).to.equal('101');
  });

  it('is a 401 with a wrong key, in the access log too', async () => {
    const before = scene.gateway.exchanges().length;
    const text = await upgrade(scene.gateway.url, '/v1/responses', 'wrong');
    expect(statusOf(text)).to.equal('401');
    expect(text).to.include('"code":"invalid_api_key"');
    await scene.gateway.settled(before + 1);
    expect(scene.gateway.exchanges()[before]).to.include({ status: 401 });
  });

  it('is a 426 on every other path', async () => {
    for (const path of ['/v1/chat/completions', '/v1/messages', '/v1/models', '/'])
      expect(statusOf(await upgrade(scene.gateway.url, path, KEY)), path).to.equal('426');
  });
});

describe('the bounds of a WebSocket', () => {
  let scene: Scene;
  const settings = { server: { websocket: true, bodyLimit: '1mb', drain: { delay: '0s', timeout: '20s' } } };
  beforeEach(async () => {
    scene = await startScene(settings);
    scene.upstream.answer = greet;
  });

  it('a message is at most as long as a body', async () => {
    const socket = new WebSocket(`${scene.gateway.url}/v1/responses`, { headers: { authorization: `Bearer ${KEY}` } });
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'response.create', model: modelIds.chat, input: 'x'.repeat(1_048_576) }));
    expect((await once(socket, 'close'))[0]).to.equal(1009);
    await scene.stop();
  });

  it('a key has at most 64 sockets', async () => {
    const sockets = Array.from({ length: 64 }, () => new TestSocket(scene.gateway.url));
    for (const socket of sockets) await socket.turn({ model: modelIds.chat, input: 'Hi.' });
    expect(statusOf(await upgrade(scene.gateway.url, '/v1/responses', KEY))).to.equal('429');
    sockets[0]?.close();
    await until(
      'a socket is free',
      async () => statusOf(await upgrade(scene.gateway.url, '/v1/responses', KEY)) === '101',
    );
    sockets.forEach((socket) => socket.close());
    await scene.stop();
  });

  it('a socket can have 64 open requests, in 16 streams', async () => {
    const gate = Promise.withResolvers<void>();
    scene.upstream.answer = async (...call) => {
      await gate.promise;
      await greet(...call);
    };
    const socket = new TestSocket(scene.gateway.url);
    for (let index = 0; index < 17; index += 1)
      socket.send({ model: modelIds.chat, input: 'Hi.', stream_id: `s${index}` });
    expect(codeOf(await socket.turn())).to.equal('rate_limit_exceeded');
    for (let index = 16; index < 65; index += 1) socket.send({ model: modelIds.chat, input: 'Hi.', stream_id: 's0' });
    expect(codeOf(await socket.turn())).to.equal('rate_limit_exceeded');
    gate.resolve();
    for (let index = 0; index < 64; index += 1) expect(wordsOf(await socket.turn())).to.include('Good');
    socket.close();
    await scene.stop();
  });

  it('a response that the client does not read is not read from the vendor', async () => {
    const frames = textOf('responses', 'streamed', textAnswer('x'.repeat(200_000))).split('\n\n');
    const [created = '', delta = ''] = frames.filter((frame) => /response\.created|text\.delta/.test(frame));
    let written = 0;
    scene.upstream.answer = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`${created}\n\n`);
      for (; written < 400 && !response.destroyed; written += 1)
        if (!response.write(`${delta}\n\n`))
          await until('the gateway reads on', () => !response.writableNeedDrain || response.destroyed);
    };
    const reader = new WebSocket(`${scene.gateway.url}/v1/responses`, { headers: { authorization: `Bearer ${KEY}` } });
    await once(reader, 'open');
    reader.pause();
    reader.send(JSON.stringify({ type: 'response.create', model: modelIds.responses, input: 'Hi.' }));
    let before = -1;
    const waits = (): boolean => {
      const isSame = written > 0 && written === before;
      before = written;
      return isSame;
    };
    await until('the vendor waits', waits, 300);
    expect(written).to.be.below(400);
    reader.terminate();
    await until('the call to the vendor is cut', () => scene.upstream.cut.count === 1);
    await scene.stop();
  });

  it('a drain lets the current response end, and closes idle sockets', async () => {
    const gate = Promise.withResolvers<void>();
    const [idle, busy] = [new TestSocket(scene.gateway.url), new TestSocket(scene.gateway.url)];
    await idle.turn({ model: modelIds.chat, input: 'Hi.' });
    scene.upstream.answer = async (...call) => {
      await gate.promise;
      await greet(...call);
    };
    busy.send({ model: modelIds.chat, input: 'Hi.' });
    await until('the vendor is called', () => scene.upstream.calls.length === 2);
    const drained = scene.gateway.gateway.drain(false);
    expect(await idle.closed).to.equal(1001);
    busy.send({ model: modelIds.chat, input: 'Too late.' });
    expect((await busy.turn()).at(-1)).to.include({ type: 'error', status: 503 });
    gate.resolve();
    expect(wordsOf(await busy.turn())).to.include('Good');
    expect(await busy.closed).to.equal(1001);
    await drained;
    await scene.stop();
  });
});
