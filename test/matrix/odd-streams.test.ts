import { expect } from 'chai';
import { isUtf8 } from 'node:buffer';
import { answerSse } from '../e2e/upstream.ts';
import type { Answer } from './answer.ts';
import { idOf } from './catalog.ts';
import { senders } from './clients.ts';
import { goldenRequest, readGolden } from './golden.ts';
import { overPairs, startMatrix, type MatrixScene } from './matrix-scene.ts';
import { fetchStream } from './raw-stream.ts';
import { readStream } from './read-stream.ts';
import { answer as say, goodDay } from './said.ts';
import { framesOf } from './vendors.ts';
import { pairOf, someTokens, wires, type Wire } from './wires.ts';
import { finishWords, usageWords } from './words.ts';

const chunk = (delta: object, finish: string | null = null, more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`;
const begin = chunk({ role: 'assistant', content: 'Good day.' });
const DONE = 'data: [DONE]\n\n';
const usage = { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 };

/** The one frame that ends a stream. Google has no such frame: there it is the one that says why. */
const ends: Readonly<Record<Wire, RegExp>> = {
  chat: /\[DONE\]/g,
  messages: /event: message_stop/g,
  responses: /event: response\.completed/g,
  google: /"finishReason"/g,
};

describe('matrix: streams that are odd but good', () => {
  let scene: MatrixScene;
  before(async () => {
    scene = await startMatrix();
  });
  after(() => scene.stop());

  const answer = (text: string): void => {
    scene.upstream.answer = (response) => answerSse(response, text);
  };
  const bytesFor = async (client: Wire, wire: Wire): Promise<Buffer> =>
    Buffer.from(await (await fetchStream(client, scene.gateway.url, idOf(wire))).arrayBuffer());
  const read = (client: Wire, wire: Wire) => readStream(client, scene.gateway.url, idOf(wire));
  const send = (client: Wire, wire: Wire): Promise<Answer> =>
    senders[client](scene.gateway.url, { ...goldenRequest[client], model: idOf(wire) }, 'streamed');

  overPairs((client, wire, pair) => [
    {
      title: `nothing goes out behind the end of a stream: ${pair}`,
      run: async () => {
        answer([...framesOf(wire, goodDay), ...framesOf(wire, say('Much too late.'))].join(''));
        const text = (await bytesFor(client, wire)).toString();
        // Nothing ends a stream of Google's but its close: some of its models give a reason with every chunk.
        if (wire === 'google') return;
        expect(text.match(ends[client]), text).to.have.length(1);
        expect(text).to.not.include('too late');
      },
    },
    {
      title: `a stream that comes byte by byte reads the same (E39): ${pair}`,
      run: async () => {
        const golden = readGolden(wire);
        scene.upstream.answer = async (response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          for (let at = 0; at < golden.length; at += 1) {
            response.write(golden.subarray(at, at + 1));
            await new Promise((resolve) => setImmediate(resolve));
          }
          response.end();
        };
        const { text, reasoning, calls, finish } = await send(client, wire);
        expect({ text, reasoning, finish }).to.deep.equal({
          text: 'Checking.',
          reasoning: 'Let me check.',
          finish: finishWords[client].tool_calls,
        });
        expect(calls.map(({ name, input }) => [name, input])).to.deep.equal([
          ['get_weather', { city: 'Paris' }],
          ['get_time', {}],
        ]);
      },
    },
    {
      title: `bytes that are no UTF-8 do not reach the client: ${pair}`,
      run: async () => {
        const bytes = Buffer.from(framesOf(wire, goodDay).join(''));
        for (let at = bytes.indexOf('Good'); at >= 0; at = bytes.indexOf('Good', at)) bytes[at + 3] = 0xff;
        scene.upstream.answer = (response) =>
          void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(bytes);
        const received = await bytesFor(client, wire);
        expect(isUtf8(received)).to.equal(true);
        expect(received.toString()).to.include('Goo\ufffd');
      },
    },
  ]);

  for (const client of wires) {
    it(`nothing but the end counts behind the end: ${pairOf(client, 'chat')}`, async () => {
      answer(begin + chunk({}, 'stop') + DONE + DONE + chunk({ content: 'late' }) + DONE);
      const text = (await bytesFor(client, 'chat')).toString();
      expect(text.match(ends[client])).to.have.length(1);
      expect(text).to.not.include('late');
    });

    it(`a stream that lacks [DONE] but has a finish is whole: ${pairOf(client, 'chat')}`, async () => {
      answer(begin + chunk({}, 'stop'));
      expect(await read(client, 'chat')).to.deep.equal({
        text: 'Good day.',
        finish: finishWords[client].stop,
        error: undefined,
      });
    });

    it(`[DONE] does not leak (E28): ${pairOf(client, 'chat')}`, async () => {
      answer(begin + chunk({}, 'stop') + DONE);
      expect((await bytesFor(client, 'chat')).includes('[DONE]')).to.equal(client === 'chat');
    });

    it(`half a pair of surrogates goes out as valid UTF-8: ${pairOf(client, 'chat')}`, async () => {
      answer(chunk({ role: 'assistant', content: 'a\ud83d' }) + chunk({ content: 'b' }, 'stop') + DONE);
      expect(isUtf8(await bytesFor(client, 'chat'))).to.equal(true);
      expect((await read(client, 'chat')).text).to.match(/^a[\ud83d\ufffd]b$/);
    });

    it(`usage may stand on every chunk, or beside the finish: ${pairOf(client, 'chat')}`, async () => {
      const early = { usage: { ...usage, completion_tokens: 1, total_tokens: 13 } };
      answer(chunk({ role: 'assistant', content: 'Good day.' }, null, early) + chunk({}, 'stop', { usage }) + DONE);
      const line = await scene.logged(async () => {
        const { text, usage: seen } = await send(client, 'chat');
        expect(text).to.equal('Good day.');
        // On the native lane chat shows what the vendor wrote: no details.
        expect(seen).to.include(
          client === 'chat' ? { prompt: 12, completion: 7, total: 19 } : usageWords[client](someTokens),
        );
      });
      expect(line).to.include({ tokens_in: 12, tokens_out: 7 });
    });

    it(`an answer that the vendor itself calls failed ends in an error: ${pairOf(client, 'chat')}`, async () => {
      answer(begin + chunk({}, 'error') + DONE);
      const { text, error } = await read(client, 'chat');
      expect(text).to.equal('Good day.');
      expect(error?.message).to.include("ended the answer with 'error'");
    });

    it(`an answer with nothing in it is a failure, not an answer: ${pairOf(client, 'chat')}`, async () => {
      answer(DONE);
      const { error } = await read(client, 'chat');
      expect(error?.status).to.equal({ chat: 502, messages: 500, responses: 502, google: 500 }[client]);
    });
  }
});
