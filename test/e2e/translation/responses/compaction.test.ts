import { expect } from 'chai';
import OpenAI, { BadRequestError } from 'openai';
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

  for (const model of [CLAUDE, GEMINI, LOCAL, SIMULATOR]) {
    it(`a compaction is refused for a model whose target has none, before anything is sent: ${model}`, async () => {
      const thrown: unknown = await openai.responses.compact({ model, input }).catch((error: unknown) => error);
      expect(thrown).to.be.instanceOf(BadRequestError);
      expect((thrown as BadRequestError).message).to.include("'compact'");
      expect((thrown as BadRequestError).code).to.equal('unsupported_parameter');
      expect(scene.upstream.calls).to.have.length(0);
    });
  }

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
