import { expect } from 'chai';
import { send, type HttpReply } from '../support/http.ts';
import { CHAT, entryOf, MESSAGES, modelIds, sceneModels, startScene, type Scene } from '../support/scene.ts';
import { answerJson, answerSse } from '../support/upstream.ts';
import { errorFrames, fetchStream } from './clients/raw-stream.ts';
import { goodDay, hello } from './sample-bodies.ts';
import { untilText } from './vendors/breaks.ts';
import { framesOf } from './vendors/vendors.ts';
import { wires, type Json } from './wires.ts';

const COHERE = 'cohere/command-a';
const OLLAMA = 'ollama/qwen3';
const cohereAnswer = (more: Json, finish: string): Json => ({
  id: 'a',
  message: { role: 'assistant', ...more },
  finish_reason: finish,
  usage: { tokens: { input_tokens: 1, output_tokens: 1 } },
});
const call = { id: 'c', type: 'function', function: { name: 'now', arguments: 'null' } };
const events = (list: readonly Json[]): string =>
  list.map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`).join('');
const cohereStream = events([
  { type: 'message-start', id: 'a', delta: { message: { role: 'assistant' } } },
  {
    type: 'tool-call-start',
    index: 0,
    delta: { message: { tool_calls: { ...call, function: { name: 'now', arguments: '' } } } },
  },
  { type: 'tool-call-delta', index: 0, delta: { message: { tool_calls: { function: { arguments: 'nu' } } } } },
  { type: 'tool-call-delta', index: 0, delta: { message: { tool_calls: { function: { arguments: 'll' } } } } },
  { type: 'tool-call-end', index: 0 },
  { type: 'message-end', delta: { finish_reason: 'TOOL_CALL', usage: {} } },
]);

/** Events that no client of the wire fails on, by the wire of the vendor. */
const brokenEvents: readonly string[] = [
  'data: {"type":"text\n\n',
  'data: {"error":"boom"}\n\n',
  'data: {"error":{}}\n\n',
  'data: {"type":"error","error":"boom"}\n\n',
  'event: error\ndata: {}\n\n',
  'event: error\ndata: {"type":"error"}\n\n',
  'event: error\ndata: boom\n\n',
];

/** A response with a finish reason that no other wire has. */
const unknownEnds: Readonly<Record<string, Json>> = {
  'choices[0].finish_reason': {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'time_limit' }],
  },
  finish_reason: cohereAnswer({ content: [{ type: 'text', text: 'Hi' }] }, 'TOXIC'),
  done_reason: { model: 'm', message: { role: 'assistant', content: 'Hi' }, done: true, done_reason: 'unload' },
  'incomplete_details.reason': {
    id: 'r',
    object: 'response',
    status: 'incomplete',
    incomplete_details: { reason: 'steered' },
    output: [{ type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] }],
  },
};
const modelOfEnd: Readonly<Record<string, string>> = {
  'choices[0].finish_reason': CHAT,
  finish_reason: COHERE,
  done_reason: OLLAMA,
  'incomplete_details.reason': modelIds.responses,
};

describe('faults of vendors, right or named', () => {
  let scene: Scene;
  before(async () => {
    const models = { ...sceneModels, [COHERE]: entryOf(COHERE), [OLLAMA]: entryOf(OLLAMA) };
    scene = await startScene({ models }, undefined, (url) => ({
      cohere: { use: 'cohere', config: { apiKey: 'upstream-secret', baseUrl: url } },
      ollama: { use: 'ollama', config: { baseUrl: url } },
    }));
  });
  after(() => scene.stop());

  const ask = (client: 'chat' | 'messages', model: string, more: Json = {}): Promise<HttpReply> =>
    send(scene.gateway.url, {
      path: client === 'chat' ? '/v1/chat/completions' : '/v1/messages',
      body: JSON.stringify({ ...hello[client], model, ...more }),
    });

  for (const stream of [false, true])
    it(`arguments that are null are none, ${stream ? 'streamed' : 'plain'}`, async () => {
      scene.upstream.answer = (response) =>
        stream
          ? answerSse(response, cohereStream)
          : answerJson(response, cohereAnswer({ tool_calls: [call] }, 'TOOL_CALL'));
      const { text } = await ask('chat', COHERE, { stream });
      expect(text).to.include('"arguments":"{}"');
      expect(text).to.not.match(/"arguments":"(?:nu|ll)/);
    });

  it('arguments that are null in the history are none', async () => {
    scene.upstream.answer = (response) => answerSse(response, framesOf('messages', goodDay).join(''));
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: 'Noon' },
    ];
    await ask('chat', MESSAGES, { messages, stream: true });
    expect(JSON.stringify(scene.upstream.calls.at(-1)?.body['messages'])).to.include('"name":"now","input":{}');
  });

  it('safeguards at another vendor are refused by name, and native ones are sent', async () => {
    const safeguards = [{ type: 'a' }];
    scene.upstream.answer = (response) => answerSse(response, framesOf('messages', goodDay).join(''));
    expect((await ask('messages', MESSAGES, { safeguards, stream: true })).status).to.equal(200);
    expect(scene.upstream.calls.at(-1)?.body['safeguards']).to.deep.equal(safeguards);
    const { status, text } = await ask('messages', CHAT, { safeguards });
    expect(status, text).to.equal(400);
    expect(text).to.include("'safeguards'");
  });

  it('fast mode that a vendor does not have is named as the client wrote it', async () => {
    scene.upstream.answer = (response) => answerJson(response, unknownEnds['finish_reason']);
    const { headers, text } = await ask('messages', COHERE, { speed: 'fast' });
    expect(headers['x-koine-losses'], text).to.include('speed;dropped').and.not.include('service_tier');
  });

  it('a deferred tool that nothing has found is named', async () => {
    scene.upstream.answer = (response) => answerSse(response, framesOf('chat', goodDay).join(''));
    const tool = (name: string): Json => ({ name, input_schema: { type: 'object' } });
    const { headers } = await ask('messages', CHAT, {
      tools: [tool('search'), { ...tool('rare'), defer_loading: true }],
      stream: true,
    });
    expect(headers['x-koine-losses']).to.include('tools;approximated');
    expect(JSON.stringify(scene.upstream.calls.at(-1)?.body['tools'])).to.not.include('rare');
  });

  for (const [field, answer] of Object.entries(unknownEnds))
    it(`an end that only the vendor has is named: ${field}`, async () => {
      scene.upstream.answer = (response) => answerJson(response, answer);
      const { headers, text } = await ask('messages', modelOfEnd[field] ?? '');
      expect(text).to.include('"stop_reason":"end_turn"');
      expect(headers['x-koine-losses']).to.include(`${field};approximated`);
    });

  it('a second start of a message does not reach the client', async () => {
    const [first = '', ...frames] = framesOf('messages', goodDay);
    scene.upstream.answer = (response) => answerSse(response, first + first + frames.join(''));
    for (const client of wires) {
      const text = await (await fetchStream(client, scene.gateway.url, MESSAGES)).text();
      expect(text, client).to.include('Good');
      if (client === 'messages') expect(text.match(/event: message_start/g)).to.have.length(1);
    }
  });

  for (const wire of wires)
    for (const event of brokenEvents)
      it(`${JSON.stringify(event)} in a native ${wire} stream is replaced by an error of the wire`, async () => {
        const good = framesOf(wire, goodDay).slice(0, untilText[wire]).join('');
        scene.upstream.answer = (response) => answerSse(response, good + event);
        const text = await (await fetchStream(wire, scene.gateway.url, modelIds[wire])).text();
        expect(text.match(errorFrames[wire]), text).to.have.length(1);
        // Members that no wire defines are passed on, and end nothing.
        if (!event.startsWith('event: error') && wire !== 'messages') expect(text).to.not.include(event);
      });
});
