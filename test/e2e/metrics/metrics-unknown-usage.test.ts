import { expect } from 'chai';
import { parseMetrics, sumOf } from '../../support/parse-metrics.ts';
import { callOf } from '../../support/calls.ts';
import { send } from '../../support/http.ts';
import { entryOf, MESSAGES, GOOGLE, startScene, type Scene } from '../../support/scene.ts';
import { answerJson, answerSse, type TestUpstream } from '../../support/upstream.ts';

/** A model of another generation than {@link GOOGLE}. */
const LATER = 'google/gemini-3-flash-preview';
const NAME = 'koine_usage_unknown_members_total';

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content: [{ type: 'text', text: 'Good day.' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
};
const start = { input_tokens: 400, output_tokens: 1, server_tool_use: { map_requests: 1 } };
const end = {
  input_tokens: 100,
  output_tokens: 20,
  iterations: [
    { type: 'compaction', input_tokens: 400, output_tokens: 30 },
    { type: 'message', input_tokens: 100, output_tokens: 20 },
  ],
};
const messageEvents = [
  { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage: start } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Good day.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: end },
  { type: 'message_stop' },
];
const content = {
  candidates: [
    {
      index: 0,
      content: { role: 'model', parts: [{ text: 'Good day.' }] },
      finishReason: 'STOP',
      groundingMetadata: { webSearchQueries: ['day', 'good'] },
    },
  ],
  modelVersion: 'gemini',
  responseId: 'r1',
  usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120, mapCount: 1 },
};

const answer: TestUpstream['answer'] = (response, { path, body }) => {
  if (path === '/v1/messages')
    return body['stream'] === true
      ? answerSse(
          response,
          messageEvents.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
        )
      : answerJson(response, { ...message, usage: { ...start, ...end } });
  return path.includes(':stream')
    ? answerSse(response, `data: ${JSON.stringify(content)}\r\n\r\n`)
    : answerJson(response, content);
};

describe('usage with members that the gateway does not know', () => {
  let scene: Scene;
  before(async () => {
    const price = { input: 1_000, output: 10_000 };
    scene = await startScene({
      plugins: [{ use: 'metrics' }, { use: 'auth' }],
      models: {
        [MESSAGES]: { ...entryOf(MESSAGES, 'messages'), price },
        [GOOGLE]: { ...entryOf(GOOGLE, 'google'), price },
        [LATER]: { ...entryOf(LATER, 'google'), price },
      },
    });
    scene.upstream.answer = answer;
    for (const model of [MESSAGES, GOOGLE, LATER])
      for (const client of ['messages', 'google', 'chat'] as const)
        for (const stream of [false, true]) {
          const { status, text } = await send(scene.gateway.url, callOf(client, model, { stream }));
          expect(status, text).to.equal(200);
        }
    await scene.gateway.settled(18);
  });
  after(() => scene.stop());

  it('each response with an unknown member is counted on both lanes, plain and streamed', async () => {
    const { text } = await send(scene.gateway.gateway.admin.url, { method: 'GET', path: '/metrics', headers: {} });
    const families = parseMetrics(text);
    expect(sumOf(families, NAME, { provider: 'anthropic', path: 'server_tool_use.map_requests' })).to.equal(6);
    expect(sumOf(families, NAME, { provider: 'google', path: 'mapCount' })).to.equal(12);
    expect(sumOf(families, NAME, {})).to.equal(18);
  });

  it('each unknown member is logged once', () => {
    const warnings = scene.gateway.lines.filter(
      ({ level, text }) => level === 'warn' && text.includes('does not know'),
    );
    expect(warnings.map(({ fields }) => fields)).to.deep.equal([
      { provider: 'anthropic', path: 'server_tool_use.map_requests' },
      { provider: 'google', path: 'mapCount' },
    ]);
  });

  it('searches are counted on both lanes: each of them, or one for each prompt before Gemini 3', async () => {
    const { text } = await send(scene.gateway.gateway.admin.url, { method: 'GET', path: '/metrics', headers: {} });
    const searches = (model: string): number =>
      sumOf(parseMetrics(text), 'koine_usage_units_total', { model, unit: 'web_searches' });
    expect([GOOGLE, LATER].map(searches)).to.deep.equal([6, 12]);
  });

  it('a compaction is charged in addition, on both lanes, plain and streamed', () => {
    const lines = scene.gateway.exchanges().filter(({ model }) => model === MESSAGES);
    expect(lines.map(({ tokens_in, tokens_out, cost_micro }) => [tokens_in, tokens_out, cost_micro])).to.deep.equal(
      Array.from({ length: 6 }, () => [500, 50, 1_000_000]),
    );
  });
});
