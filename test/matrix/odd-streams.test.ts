import { expect } from 'chai';
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { goodHeaders } from '../e2e/http.ts';
import { CHAT, MESSAGES, startScene, type Scene } from '../e2e/scene.ts';
import { answerSse } from '../e2e/upstream.ts';
import { sendChat } from './client-chat.ts';
import { sendMessages } from './client-messages.ts';
import { hello } from './matrix-case.ts';
import { readStream } from './read-stream.ts';
import { pairOf, wires, type Wire } from './wires.ts';

const models: Readonly<Record<Wire, string>> = { chat: CHAT, messages: MESSAGES };
const paths: Readonly<Record<Wire, string>> = { chat: '/v1/chat/completions', messages: '/v1/messages' };
const stop: Readonly<Record<Wire, string>> = { chat: 'stop', messages: 'end_turn' };

const chunk = (delta: object, finish: string | null = null, more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`;
const begin = chunk({ role: 'assistant', content: 'Good day.' });
const DONE = 'data: [DONE]\n\n';
const usage = { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 };

describe('matrix: streams that are odd but good', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
  });
  after(() => scene.stop());

  const answer = (text: string): void => {
    scene.upstream.answer = (response) => answerSse(response, text);
  };
  const bytesFor = async (client: Wire, wire: Wire): Promise<Buffer> => {
    const body = JSON.stringify({ ...hello[client], model: models[wire], stream: true });
    return Buffer.from(await (await fetch(scene.gateway.url + paths[client], { method: 'POST', headers: goodHeaders, body })).arrayBuffer());
  };

  for (const client of wires) {
    it(`nothing goes out behind the end of a stream: ${pairOf(client, 'chat')}`, async () => {
      answer(begin + chunk({}, 'stop') + DONE + DONE + chunk({ content: 'late' }) + DONE);
      const text = (await bytesFor(client, 'chat')).toString();
      expect(text.match(client === 'chat' ? /\[DONE\]/g : /event: message_stop/g)).to.have.length(1);
      expect(text).to.not.include('late');
    });

    it(`a stream that lacks [DONE] but has a finish is whole: ${pairOf(client, 'chat')}`, async () => {
      answer(begin + chunk({}, 'stop'));
      expect(await readStream(client, scene.gateway.url, models.chat)).to.deep.equal({ text: 'Good day.', finish: stop[client], error: undefined });
    });

    it(`half a pair of surrogates goes out as valid UTF-8: ${pairOf(client, 'chat')}`, async () => {
      answer(chunk({ role: 'assistant', content: 'a\ud83d' }) + chunk({ content: 'b' }, 'stop') + DONE);
      const bytes = await bytesFor(client, 'chat');
      expect(isUtf8(bytes)).to.equal(true);
      expect((await readStream(client, scene.gateway.url, models.chat)).text).to.match(/^a[\ud83d\ufffd]b$/);
    });

    it(`bytes that are no UTF-8 do not reach the client: ${pairOf(client, 'chat')}`, async () => {
      const bytes = Buffer.from(begin + chunk({ content: 'x?' }) + chunk({}, 'stop') + DONE);
      bytes[bytes.indexOf('x?') + 1] = 0xff;
      scene.upstream.answer = (response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(bytes);
      const received = await bytesFor(client, 'chat');
      expect(isUtf8(received)).to.equal(true);
      expect(received.toString()).to.include('x\ufffd');
    });

    it(`usage may stand on every chunk, or beside the finish: ${pairOf(client, 'chat')}`, async () => {
      const early = { usage: { ...usage, completion_tokens: 1, total_tokens: 13 } };
      answer(chunk({ role: 'assistant', content: 'Good day.' }, null, early) + chunk({}, 'stop', { usage }) + DONE);
      const logged = scene.gateway.exchanges().length;
      const { text, usage: seen } = await (client === 'chat' ? sendChat(scene.gateway.url, { ...hello.chat, model: models.chat }, 'streamed') : sendMessages(scene.gateway.url, { ...hello.messages, model: models.chat }, 'streamed'));
      expect(text).to.equal('Good day.');
      expect(seen).to.include(client === 'chat' ? { prompt: 12, completion: 7, total: 19 } : { input: 12, output: 7 });
      await scene.gateway.settled(logged + 1);
      expect(scene.gateway.exchanges()[logged]).to.include({ tokensIn: 12, tokensOut: 7 });
    });

    it(`an answer that the vendor itself calls failed ends in an error: ${pairOf(client, 'chat')}`, async () => {
      answer(begin + chunk({}, 'error') + DONE);
      const { text, error } = await readStream(client, scene.gateway.url, models.chat);
      expect(text).to.equal('Good day.');
      expect(String(error)).to.include("ended the answer with 'error'");
    });

    it(`an answer with nothing in it is a failure, not an answer: ${pairOf(client, 'chat')}`, async () => {
      answer(DONE);
      const { error } = await readStream(client, scene.gateway.url, models.chat);
      expect(error?.status).to.equal(client === 'chat' ? 502 : 500);
    });

    for (const wire of wires) {
      it(`a stream that comes byte by byte reads the same: ${pairOf(client, wire)}`, async function () {
        this.timeout(30_000);
        const golden = readFileSync(new URL(`../fixtures/golden/${wire}.sse`, import.meta.url));
        scene.upstream.answer = async (response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          for (let at = 0; at < golden.length; at += 1) {
            response.write(golden.subarray(at, at + 1));
            await new Promise((resolve) => setImmediate(resolve));
          }
          response.end();
        };
        const send = client === 'chat' ? sendChat(scene.gateway.url, { ...hello.chat, model: models[wire] }, 'streamed') : sendMessages(scene.gateway.url, { ...hello.messages, model: models[wire] }, 'streamed');
        const { text, reasoning, calls, finish } = await send;
        expect({ text, reasoning, finish }).to.deep.equal({ text: 'Checking.', reasoning: 'Let me check.', finish: client === 'chat' ? 'tool_calls' : 'tool_use' });
        expect(calls.map(({ name, input }) => [name, input])).to.deep.equal([
          ['get_weather', { city: 'Paris' }],
          ['get_time', {}],
        ]);
      });
    }
  }
});
