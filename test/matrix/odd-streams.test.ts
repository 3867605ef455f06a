import { expect } from 'chai';
import { isUtf8 } from 'node:buffer';
import { answerSse } from '../support/upstream.ts';
import type { Answer } from './answer.ts';
import { idOf } from './catalog.ts';
import { senders } from './clients/clients.ts';
import { goldenRequest, readGolden } from './vendors/golden.ts';
import { overPairs, startMatrix, type MatrixScene } from './matrix-scene.ts';
import { fetchStream } from './clients/raw-stream.ts';
import { readStream } from './clients/read-stream.ts';
import { textAnswer as say, goodDay } from './sample-bodies.ts';
import { framesOf } from './vendors/vendors.ts';
import { pairOf, someTokens, wires, type Wire } from './wires.ts';
import { finishReasons, usageShapes } from './wire-terms.ts';

const chunk = (delta: object, finish: string | null = null, more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`;
const begin = chunk({ role: 'assistant', content: 'Good day.' });
const DONE = 'data: [DONE]\n\n';
const usage = { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 };

/** The frame that ends a stream. Google has none: there it is the one with the finish reason. */
const ends: Readonly<Record<Wire, RegExp>> = {
  chat: /\[DONE\]/g,
  messages: /event: message_stop/g,
  responses: /event: response\.completed/g,
  google: /"finishReason"/g,
};

describe('matrix: unusual but valid streams', () => {
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
      title: `sends nothing after the end of a stream: ${pair}`,
      run: async () => {
        answer([...framesOf(wire, goodDay), ...framesOf(wire, say('Much too late.'))].join(''));
        const text = (await bytesFor(client, wire)).toString();
        // A Google stream ends only with its connection: some models send a finish reason with every chunk.
        if (wire === 'google') return;
        expect(text.match(ends[client]), text).to.have.length(1);
        expect(text).to.not.include('too late');
      },
    },
    {
      title: `reads a stream that arrives byte by byte the same way (E39): ${pair}`,
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
          finish: finishReasons[client].tool_calls,
        });
        expect(calls.map(({ name, input }) => [name, input])).to.deep.equal([
          ['get_weather', { city: 'Paris' }],
          ['get_time', {}],
        ]);
      },
    },
    {
      title: `replaces bytes that are not UTF-8: ${pair}`,
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
    it(`ignores frames between two ends: ${pairOf(client, 'chat')}`, async () => {
      answer(begin + chunk({}, 'stop') + DONE + DONE + chunk({ content: 'late' }) + DONE);
      const text = (await bytesFor(client, 'chat')).toString();
      expect(text.match(ends[client])).to.have.length(1);
      expect(text).to.not.include('late');
    });

    it(`accepts a stream with a finish reason and no [DONE]: ${pairOf(client, 'chat')}`, async () => {
      answer(begin + chunk({}, 'stop'));
      expect(await read(client, 'chat')).to.deep.equal({
        text: 'Good day.',
        finish: finishReasons[client].stop,
        error: undefined,
      });
    });

    it(`sends [DONE] only on chat (E28): ${pairOf(client, 'chat')}`, async () => {
      answer(begin + chunk({}, 'stop') + DONE);
      expect((await bytesFor(client, 'chat')).includes('[DONE]')).to.equal(client === 'chat');
    });

    it(`sends half a surrogate pair as valid UTF-8: ${pairOf(client, 'chat')}`, async () => {
      answer(chunk({ role: 'assistant', content: 'a\ud83d' }) + chunk({ content: 'b' }, 'stop') + DONE);
      expect(isUtf8(await bytesFor(client, 'chat'))).to.equal(true);
      expect((await read(client, 'chat')).text).to.match(/^a[\ud83d\ufffd]b$/);
    });

    it(`accepts usage on every chunk, and beside the finish reason: ${pairOf(client, 'chat')}`, async () => {
      const early = { usage: { ...usage, completion_tokens: 1, total_tokens: 13 } };
      answer(chunk({ role: 'assistant', content: 'Good day.' }, null, early) + chunk({}, 'stop', { usage }) + DONE);
      const line = await scene.logged(async () => {
        const { text, usage: seen } = await send(client, 'chat');
        expect(text).to.equal('Good day.');
        // On the native lane, chat shows what the vendor sent: no details.
        expect(seen).to.include(
          client === 'chat' ? { prompt: 12, completion: 7, total: 19 } : usageShapes[client](someTokens),
        );
      });
      expect(line).to.include({ tokens_in: 12, tokens_out: 7 });
    });

    it(`ends a response that the vendor reports as failed in an error: ${pairOf(client, 'chat')}`, async () => {
      answer(begin + chunk({}, 'error') + DONE);
      const { text, error } = await read(client, 'chat');
      expect(text).to.equal('Good day.');
      expect(error?.message).to.include("ended the response with 'error'");
    });

    it(`fails on an empty response: ${pairOf(client, 'chat')}`, async () => {
      answer(DONE);
      const { error } = await read(client, 'chat');
      expect(error?.status).to.equal({ chat: 502, messages: 500, responses: 502, google: 500 }[client]);
    });
  }
});
