import { expect } from 'chai';
import OpenAI, { BadRequestError, type InternalServerError } from 'openai';
import { KEY } from '../../../support/gateway.ts';
import { send } from '../../../support/http.ts';
import { answerJson } from '../../../support/upstream.ts';
import { CLAUDE, GEMINI, GPT, LOCAL, SIMULATOR, startOperations, type Operations } from '../operations.ts';

const compaction = {
  id: 'resp_1',
  object: 'response.compaction',
  created_at: 1,
  output: [
    { type: 'message', id: 'msg_1', role: 'user', status: 'completed', content: [{ type: 'input_text', text: 'Hi' }] },
    { type: 'compaction', id: 'cmp_1', encrypted_content: 'ENCRYPTED' },
  ],
  usage: {
    input_tokens: 1_000,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 100,
    output_tokens_details: { reasoning_tokens: 20 },
    total_tokens: 1_100,
  },
};
const SUMMARY = 'The user said Hi; nothing is left to do.';
const input = [
  { role: 'user' as const, content: 'Hi' },
  { role: 'assistant' as const, content: 'Hello.' },
];

describe('compaction of a conversation', () => {
  let scene: Operations;
  let openai: OpenAI;
  before(async () => {
    scene = await startOperations();
    openai = new OpenAI({ apiKey: KEY, baseURL: `${scene.gateway.url}/v1`, maxRetries: 0 });
  });
  beforeEach(() => {
    scene.upstream.calls.length = 0;
    scene.upstream.answer = (response, { path }) =>
      path === '/v1/responses/compact' ? answerJson(response, compaction) : answerJson(response, {}, 404);
  });
  after(() => scene.stop());

  it("the SDK gets the vendor's own compaction, requested with the client's bytes", async () => {
    const body = { model: GPT, input, instructions: 'Be brief.', image: { context_compression: 'auto' as const } };
    const { data, response } = await openai.responses.compact(body).withResponse();
    expect(data.output).to.deep.equal(compaction.output);
    expect(data.usage).to.deep.equal(compaction.usage);
    const [call] = scene.upstream.calls;
    expect(call?.path).to.equal('/v1/responses/compact');
    expect(call?.body).to.deep.equal({ ...body, model: 'gpt-4.1-mini' });
    expect(response.headers.get('x-koine-lane')).to.equal('native');
  });

  it('a compaction is charged like a response', async () => {
    const before = scene.gateway.exchanges().length;
    await openai.responses.compact({ model: GPT, input });
    await scene.gateway.settled(before + 1);
    const line = scene.gateway.exchanges().at(-1);
    expect(line).to.include({ operation: 'compact', status: 200, tokens_in: 1_000, tokens_out: 100 });
    // 1,000 and 100 tokens at the prices of gpt-4.1-mini.
    expect(line).to.include({ cost_micro: 560 });
  });

  /** What each vendor answers: the wires of their codecs, with the same text and usage. */
  const written: Readonly<Record<string, () => object>> = {
    [CLAUDE]: () => ({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude',
      content: [{ type: 'text', text: SUMMARY }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 40, output_tokens: 6 },
    }),
    [GEMINI]: () => ({
      candidates: [{ content: { role: 'model', parts: [{ text: SUMMARY }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 40, candidatesTokenCount: 6, totalTokenCount: 46 },
    }),
    [LOCAL]: () => ({
      id: 'c',
      object: 'chat.completion',
      model: 'e5',
      choices: [{ index: 0, message: { role: 'assistant', content: SUMMARY }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 40, completion_tokens: 6, total_tokens: 46 },
    }),
  };
  for (const [model, answer] of Object.entries(written))
    it(`the model writes a summary where the target cannot compact, and every target can read it: ${model}`, async () => {
      scene.upstream.answer = (response) => answerJson(response, answer());
      const before = scene.gateway.exchanges().length;
      const compacted = await openai.responses.compact({ model, input, instructions: 'Be brief.' });
      expect(compacted).to.include({ object: 'response.compaction' });
      const [kept, item] = compacted.output as unknown as readonly Record<string, unknown>[];
      expect(kept).to.deep.include({ role: 'user', content: [{ type: 'input_text', text: 'Hi' }] });
      expect(item).to.include({ type: 'compaction' });
      expect(compacted.output).to.have.length(2);
      expect(compacted.usage).to.include({ input_tokens: 40, output_tokens: 6, total_tokens: 46 });
      const asked = JSON.stringify(scene.upstream.calls[0]?.body);
      expect(asked).to.include('Be brief.').and.include('Hello.').and.include('Write a summary');
      await scene.gateway.settled(before + 1);
      expect(scene.gateway.exchanges().at(-1)).to.include({ operation: 'compact', tokens_in: 40, tokens_out: 6 });

      for (const next of [CLAUDE, GEMINI, LOCAL, GPT]) {
        scene.upstream.calls.length = 0;
        scene.upstream.answer = (response) => answerJson(response, written[next]?.() ?? {}, next === GPT ? 500 : 200);
        const rest = [...compacted.output, { role: 'user', content: 'Go on.' }] as OpenAI.Responses.ResponseInput;
        await openai.responses.create({ model: next, input: rest }).catch(() => {});
        const sent = JSON.stringify(scene.upstream.calls[0]?.body);
        expect(sent, next).to.include(SUMMARY).and.include('Go on.').and.not.include('encrypted_content');
      }
    });

  it('the simulator compacts', async () => {
    const compacted = await openai.responses.compact({ model: SIMULATOR, input });
    expect(compacted.output.at(-1)).to.include({ type: 'compaction' });
  });

  it('calls and their results are part of what is summarised, and no tool is called', async () => {
    scene.upstream.answer = (response) => answerJson(response, written[CLAUDE]?.() ?? {});
    const tools = [{ type: 'function', name: 'f', parameters: { type: 'object', properties: {} } }];
    const call = { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' };
    const result = { type: 'function_call_output', call_id: 'c1', output: 'forty-two' };
    const reply = await send(scene.gateway.url, {
      path: '/v1/responses/compact',
      body: JSON.stringify({
        model: CLAUDE,
        input: [...input, { role: 'user', content: 'Call f.' }, call, result],
        tools,
      }),
    });
    expect(reply.status).to.equal(200);
    expect(scene.upstream.calls[0]?.body).to.deep.include({ tool_choice: { type: 'none' } });
    expect(JSON.stringify(scene.upstream.calls[0]?.body)).to.include('forty-two');
  });

  it('a model that writes no summary is an error of the provider', async () => {
    scene.upstream.answer = (response) =>
      answerJson(response, { ...written[CLAUDE]?.(), content: [{ type: 'text', text: ' ' }] });
    const thrown: unknown = await openai.responses.compact({ model: CLAUDE, input }).catch((error: unknown) => error);
    expect((thrown as InternalServerError).status).to.equal(502);
    expect((thrown as InternalServerError).message).to.include('no summary');
  });

  it('an error of the vendor reaches the client', async () => {
    scene.upstream.answer = (response) =>
      answerJson(
        response,
        { error: { message: 'Too short.', type: 'invalid_request_error', param: 'input', code: null } },
        400,
      );
    const thrown: unknown = await openai.responses.compact({ model: GPT, input }).catch((error: unknown) => error);
    expect(thrown).to.be.instanceOf(BadRequestError);
    expect((thrown as BadRequestError).message).to.include('Too short.');
  });

  it('a compaction without input is refused by the gateway', async () => {
    const reply = await send(scene.gateway.url, {
      path: '/v1/responses/compact',
      body: JSON.stringify({ model: GPT }),
    });
    expect(reply.status).to.equal(400);
    expect(JSON.parse(reply.text)).to.have.nested.property('error.param', 'input');
  });
});
