import { expect } from 'chai';
import { callOf, greet, isStreamed, pathOf } from '../support/calls.ts';
import { failAt, modelOver, startFailover, trailOf } from '../support/failover-scene.ts';
import { KEY } from '../support/gateway.ts';
import { goodHeaders, send, type HttpReply } from '../support/http.ts';
import { CHAT, modelIds, startScene, type Scene } from '../support/scene.ts';
import { answerJson, answerSse, startUpstream, type TestUpstream } from '../support/upstream.ts';
import { wires, type Json, type Wire } from '../matrix/wires.ts';

const data = (value: Json): string => `data: ${JSON.stringify(value)}\n\n`;
const event = (value: Json): string => `event: ${String(value['type'])}\n${data(value)}`;
const DONE = 'data: [DONE]\n\n';
const chunk = (delta: Json, finish: string | null = null): string =>
  data({ id: 'c1', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] });

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [],
  stop_reason: null,
  usage: { input_tokens: 3, output_tokens: 0 },
};

/** Responses with neither content nor a finish reason: plain ones, and streams that end correctly. */
const empty: Readonly<Record<Wire, { readonly plain: readonly Json[]; readonly streams: readonly string[] }>> = {
  chat: {
    plain: [
      { id: 'c1', object: 'chat.completion', choices: [] },
      {
        id: 'c1',
        object: 'chat.completion',
        choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: null }],
      },
    ],
    streams: [DONE, chunk({ role: 'assistant', content: '' }) + DONE, data({ id: 'c1', choices: [] }) + DONE],
  },
  messages: {
    plain: [message, { ...message, content: [{ type: 'text', text: '' }] }],
    streams: [
      event({ type: 'message_start', message }) + event({ type: 'message_stop' }),
      event({ type: 'message_start', message }) +
        event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }) +
        event({ type: 'content_block_stop', index: 0 }) +
        event({ type: 'message_stop' }),
    ],
  },
  responses: { plain: [{ id: 'resp_1', object: 'response', model: 'm', output: [] }], streams: [] },
  google: {
    plain: [
      { modelVersion: 'm', usageMetadata: { promptTokenCount: 3, totalTokenCount: 3 } },
      { modelVersion: 'm', candidates: [] },
      { modelVersion: 'm', candidates: [{ index: 0, content: { role: 'model', parts: [] } }] },
    ],
    streams: [data({ modelVersion: 'm', usageMetadata: { promptTokenCount: 3, totalTokenCount: 3 } })],
  },
};

/** Responses without content that have a reason: a client gets them. */
const silent: Readonly<Record<Wire, Json>> = {
  chat: {
    id: 'c1',
    object: 'chat.completion',
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: null }, finish_reason: 'stop' }],
  },
  messages: { ...message, stop_reason: 'end_turn' },
  responses: { id: 'resp_1', object: 'response', model: 'm', status: 'completed', output: [] },
  google: { modelVersion: 'm', promptFeedback: { blockReason: 'SAFETY' } },
};

const otherThan = (wire: Wire): Wire => (wire === 'messages' ? 'chat' : 'messages');

describe('a response with neither content nor a finish reason', () => {
  let scene: Scene;
  before(async () => {
    scene = await startFailover();
  });
  after(() => scene.stop());

  const ask = async (client: Wire, model: string, stream: boolean): Promise<HttpReply> => {
    const before = scene.gateway.exchanges().length;
    const reply = await send(scene.gateway.url, callOf(client, model, { stream }));
    await scene.gateway.settled(before + 1);
    return reply;
  };
  const failureOf = (): unknown => trailOf(scene.gateway.exchanges().at(-1))[0]?.split(' ').at(-1);

  for (const wire of wires) {
    const second = otherThan(wire);
    const answers = [
      ...empty[wire].plain.map((body) => [false, JSON.stringify(body)] as const),
      ...empty[wire].streams.map((text) => [true, text] as const),
    ];
    for (const [index, [stream, text]] of answers.entries()) {
      for (const client of [wire, second]) {
        it(`tries the next target after an empty response, ${client}>${wire}, ${stream ? 'streamed' : 'plain'} ${index + 1}`, async () => {
          scene.upstream.answer = failAt(wire, (response) =>
            stream ? answerSse(response, text) : answerJson(response, JSON.parse(text)),
          );
          const reply = await ask(client, modelOver(wire, second), stream);
          expect(reply.status, reply.text).to.equal(200);
          expect(reply.text).to.contain('Good');
          expect(failureOf()).to.equal('transient');
        });
      }
    }

    for (const client of [wire, second]) {
      it(`passes on an empty response that has a reason for being empty, ${client}>${wire}`, async () => {
        scene.upstream.answer = (response) => answerJson(response, silent[wire]);
        const reply = await ask(client, modelIds[wire], false);
        expect(reply.status, reply.text).to.equal(200);
      });
    }
  }
});

describe('a chat stream that ends with [DONE] but no finish reason', () => {
  const cut = chunk({ role: 'assistant', content: 'Good' }) + DONE;

  describe('at a vendor that sends finish reasons', () => {
    let scene: Scene;
    before(async () => {
      scene = await startScene();
    });
    after(() => scene.stop());

    for (const client of wires) {
      it(`a stream without a finish reason is truncated for a client of ${client}`, async () => {
        scene.upstream.answer = (response) => answerSse(response, cut);
        const before = scene.gateway.exchanges().length;
        const reply = await send(scene.gateway.url, callOf(client, CHAT, { stream: true }));
        await scene.gateway.settled(before + 1);
        expect(reply.text).to.contain('Good').and.to.contain('ended before it was complete');
        expect(reply.text)
          .to.not.contain('[DONE]')
          .and.to.not.contain('message_stop')
          .and.to.not.contain('response.completed');
        expect(scene.gateway.exchanges().at(-1)).to.include({ ending: 'truncated' });
      });
    }
  });

  describe('at a server that is known to omit it', () => {
    let scene: Scene;
    let upstream: TestUpstream;
    before(async () => {
      upstream = await startUpstream();
      const model = {
        wires: ['chat-completions', 'messages', 'responses', 'generate-content'],
        targets: [{ provider: 'local', model: 'm' }],
      };
      scene = await startScene({
        providers: {
          local: { use: 'openai-compatible', config: { baseUrl: `${upstream.url}/v1`, omitsFinishReason: true } },
        },
        models: { 'local/m': model },
      });
    });
    after(async () => {
      await scene.stop();
      await upstream.stop();
    });

    for (const client of wires) {
      it(`a stream of a server that omits finish reasons is complete for a client of ${client}`, async () => {
        upstream.answer = (response, call) => (isStreamed(call) ? answerSse(response, cut) : greet(response, call));
        const before = scene.gateway.exchanges().length;
        const headers = { ...goodHeaders, authorization: `Bearer ${KEY}` };
        const { body } = callOf(client, 'local/m', { stream: true });
        const reply = await send(scene.gateway.url, { path: pathOf(client, 'local/m', true), body, headers });
        await scene.gateway.settled(before + 1);
        expect(reply.status, reply.text).to.equal(200);
        expect(reply.text).to.contain('Good').and.to.not.contain('"error":{');
        expect(scene.gateway.exchanges().at(-1)).to.include({ ending: 'complete' });
      });
    }
  });
});
