import { expect } from 'chai';
import { request as requestHttp } from 'node:http';
import { chatError, messagesError } from '../matrix/failures/failure-case.ts';
import { goodDay } from '../matrix/matrix-case.ts';
import { readStream } from '../matrix/read-stream.ts';
import { chatFrames } from '../matrix/vendor-chat.ts';
import { messagesFrames } from '../matrix/vendor-messages.ts';
import { pairOf, someTokens, wires, type Wire } from '../matrix/wires.ts';
import { eventually } from './eventually.ts';
import { goodHeaders } from './http.ts';
import { CHAT, MESSAGES, startScene, type Scene } from './scene.ts';
import type { TestUpstream } from './upstream.ts';

const models: Readonly<Record<Wire, string>> = { chat: CHAT, messages: MESSAGES };
const paths: Readonly<Record<Wire, string>> = { chat: '/v1/chat/completions', messages: '/v1/messages' };
const frames: Readonly<Record<Wire, readonly string[]>> = { chat: chatFrames(goodDay.chat, someTokens), messages: messagesFrames(goodDay.messages, someTokens) };
const errors: Readonly<Record<Wire, unknown>> = { chat: chatError('Overloaded.', 'server_error', 'overloaded'), messages: messagesError('overloaded_error', 'Overloaded.') };
/** Frames until there is content. */
const untilContent: Readonly<Record<Wire, number>> = { chat: 2, messages: 4 };
/** Silence, well above `openAfter`, for clients that cannot be asked what they have seen. */
const SILENCE = 400;

/** Ends the silence of the upstream. */
interface Silence {
  readonly over: Promise<void>;
  end(): void;
}
const createSilence = (): Silence => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { over: promise, end: resolve };
};
const silenceFor = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const speakAfter = (upstream: TestUpstream, wire: Wire, silence: Promise<void>): void => {
  upstream.answer = (response) => silence.then(() => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(frames[wire].join('')));
};
const failAfter = (upstream: TestUpstream, wire: Wire, silence: Promise<void>): void => {
  upstream.answer = (response) => silence.then(() => void response.writeHead(529, { 'content-type': 'application/json' }).end(JSON.stringify(errors[wire])));
};

const signs: Readonly<Record<Wire, string>> = { chat: ': keep-alive\n\n', messages: 'event: ping\ndata: {"type":"ping"}\n\n' };
const countSigns = (text: string, sign: string): number => text.split(sign).length - 1;

describe('a stream whose upstream is silent for longer than stream.openAfter', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene({ stream: { openAfter: '100ms', keepaliveEvery: '50ms' } });
  });
  after(() => scene.stop());

  /** The whole answer. Three life signs of this kind end the upstream's silence. */
  const watch = (client: Wire, wire: Wire, silence: Silence, sign = signs.chat): Promise<{ text: string; headers: Readonly<Record<string, unknown>> }> =>
    new Promise((resolve, reject) => {
      const request = requestHttp(scene.gateway.url + paths[client], { method: 'POST', headers: goodHeaders, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
          if (countSigns(text, sign) === 3) silence.end();
        });
        response.once('end', () => resolve({ text, headers: { ...response.headers, status: response.statusCode } })).once('error', reject);
      });
      request.once('error', reject).end(JSON.stringify({ model: models[wire], max_tokens: 100, stream: true, messages: [{ role: 'user', content: 'Hi' }] }));
    });

  for (const client of wires) {
    for (const wire of wires) {
      const pair = pairOf(client, wire);

      it(`gives status and life signs, then the content: ${pair}`, async () => {
        const silence = createSilence();
        speakAfter(scene.upstream, wire, silence.over);
        const { text, headers } = await watch(client, wire, silence);
        expect(headers).to.include({ status: 200, 'content-type': 'text/event-stream; charset=utf-8', 'x-koine-model': models[wire], 'x-koine-attempts': '1', 'x-koine-provider': wire === 'chat' ? 'openai' : 'anthropic' });
        expect(text).to.match(/^(?:: keep-alive\n\n){3,}(?:data|event): /);
      });

      it(`is read by the SDK as any other: ${pair}`, async () => {
        speakAfter(scene.upstream, wire, silenceFor(SILENCE));
        expect(await readStream(client, scene.gateway.url, models[wire])).to.deep.equal({ text: 'Good day.', finish: client === 'chat' ? 'stop' : 'end_turn', error: undefined });
      });

      it(`fails as this wire fails in streams: ${pair}`, async () => {
        const silence = createSilence();
        failAfter(scene.upstream, wire, silence.over);
        const logged = scene.gateway.exchanges().length;
        const { text, headers } = await watch(client, wire, silence);
        expect(headers).to.include({ status: 200 });
        const shapes: Readonly<Record<Wire, RegExp>> = {
          chat: /^(?:: [^\n]*\n\n)+data: \{"error":\{"message":"Overloaded\.","type":"server_error","param":null,"code":"overloaded"\}\}\n\n$/,
          messages: /^(?:: [^\n]*\n\n)+event: error\ndata: \{"type":"error","error":\{"type":"overloaded_error","message":"Overloaded\."\}(?:,"request_id":"req_\w+")?\}\n\n$/,
        };
        expect(text).to.match(shapes[client]);
        await scene.gateway.settled(logged + 1);
        expect(scene.gateway.exchanges()[logged]).to.include({ outcome: 'upstream_error', status: 200, code: 'upstream_overloaded' });
      });

      it(`fails with an error of the SDK: ${pair}`, async () => {
        failAfter(scene.upstream, wire, silenceFor(SILENCE));
        const { error, text } = await readStream(client, scene.gateway.url, models[wire]);
        expect(error?.message).to.include('Overloaded.');
        expect(text).to.equal('');
      });

      it(`is kept alive in the middle, between whole frames: ${pair}`, async () => {
        const silence = createSilence();
        scene.upstream.answer = (response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          const all = frames[wire].join('');
          const begun = frames[wire].slice(0, untilContent[wire]).join('').length + 20;
          response.write(all.slice(0, begun));
          void silence.over.then(() => response.end(all.slice(begun)));
        };
        const { text } = await watch(client, wire, silence, signs[client]);
        for (const block of text.split('\n\n').slice(0, -1)) expect(block).to.match(/^(?::.*|(?:event: \w+\n)?data: (?:\[DONE\]|\{.*\}))$/);
      });
    }
  }

  it('tells a client that leaves in this state from one that does not', async () => {
    scene.upstream.answer = () => {};
    const logged = scene.gateway.exchanges().length;
    const { count } = scene.upstream.cut;
    const request = requestHttp(`${scene.gateway.url}/v1/messages`, { method: 'POST', headers: goodHeaders, agent: false }, (response) => void response.once('data', () => request.destroy()).on('error', () => {}));
    request.on('error', () => {}).end(JSON.stringify({ model: MESSAGES, max_tokens: 100, stream: true, messages: [{ role: 'user', content: 'Hi' }] }));
    await scene.gateway.settled(logged + 1);
    expect(scene.gateway.exchanges()[logged]).to.include({ outcome: 'client_closed' });
    await eventually('the upstream is cut off', () => scene.upstream.cut.count === count + 1);
  });
});
