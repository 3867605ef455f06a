import { expect } from 'chai';
import OpenAI, { AuthenticationError } from 'openai';
import { verify } from '../../providers/identity/aws/verify-signature.ts';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { answerJson, answerSse, startUpstream, type TestUpstream, type UpstreamCall } from '../../support/upstream.ts';

const SECRET = 'wJalrXUtnFEMI0K7MDENG0bPxRfiCYEXAMPLEKEY';
const GPT = 'us.openai.gpt-6-sol';
const OSS = 'openai.gpt-oss-120b-1:0';

const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: GPT,
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop', vendor_member: 1 }],
  usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
};
const chunkOf = (delta: object, finish: string | null) =>
  `data: ${JSON.stringify({ ...completion, object: 'chat.completion.chunk', usage: undefined, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const usage = { input_tokens: 5, output_tokens: 2, total_tokens: 7 };
const answer = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: GPT,
  output: [
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
    },
  ],
  usage,
};
const converse = {
  output: { message: { role: 'assistant', content: [{ text: 'Hello' }] } },
  stopReason: 'end_turn',
  usage: { inputTokens: 5, outputTokens: 2, totalTokens: 7 },
};
const tool = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } } as const;

const serve: TestUpstream['answer'] = (response, { path, headers, raw, body }) => {
  if (headers.authorization !== 'Bearer bedrock-api-key-1' && !verify({ path, headers, body: raw }, SECRET))
    return answerJson(response, { message: 'The request signature we calculated does not match.' }, 403);
  if (path.endsWith('/converse')) return answerJson(response, converse);
  if (path.endsWith('/responses')) return answerJson(response, answer);
  return body['stream'] === true
    ? answerSse(
        response,
        `${chunkOf({ role: 'assistant', content: 'Hello' }, null)}${chunkOf({}, 'stop')}data: [DONE]\n\n`,
      )
    : answerJson(response, completion);
};

describe('the wires of OpenAI at Bedrock', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  let openai: OpenAI;

  before(async () => {
    upstream = await startUpstream();
    const signed = { region: 'eu-west-1', baseUrl: upstream.url, accessKeyId: 'AKIDEXAMPLE', secretAccessKey: SECRET };
    const keyed = { region: 'eu-west-1', baseUrl: `${upstream.url}/vpc/`, apiKey: 'bedrock-api-key-1' };
    const entryOf = (provider: string, model: string, wire?: string) => ({
      wires: ['chat-completions', 'responses', 'messages'],
      targets: [{ provider, model, ...(wire === undefined ? {} : { wire }) }],
    });
    gateway = await startTestGateway({
      providers: {
        bedrock: { use: 'bedrock', config: { ...signed, serviceTier: 'flex' } },
        keyed: { use: 'bedrock', config: keyed },
        guarded: { use: 'bedrock', config: { ...signed, guardrail: { id: 'g1', version: '3', trace: 'enabled' } } },
      },
      models: {
        'a/gpt': entryOf('bedrock', GPT),
        'a/keyed': entryOf('keyed', GPT),
        'a/guarded': entryOf('guarded', GPT),
        'a/oss': entryOf('bedrock', OSS),
        'a/oss-chat': entryOf('bedrock', OSS, 'chat-completions'),
      },
    });
    openai = new OpenAI({ apiKey: KEY, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
  });
  beforeEach(() => {
    upstream.calls.length = 0;
    upstream.answer = serve;
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  const chat = (model: string, more: object = {}) =>
    openai.chat.completions.create({ model, messages: [{ role: 'user', content: 'Hi' }], ...more });
  const last = (): UpstreamCall | undefined => upstream.calls.at(-1);

  it('serve clients of chat completions natively, signed, with members that the gateway does not know', async () => {
    const { data, response } = await chat('a/gpt', { seed: 7, made_up: [1] }).withResponse();
    expect(data).to.deep.equal({ ...completion, model: data.model });
    expect(response.headers.get('x-koine-lane')).to.equal('native');
    expect(last()?.path).to.equal('/openai/v1/chat/completions');
    expect(last()?.body).to.deep.equal({
      model: GPT,
      messages: [{ role: 'user', content: 'Hi' }],
      seed: 7,
      made_up: [1],
      service_tier: 'flex',
    });
    await chat('a/gpt', { service_tier: 'priority' });
    expect(last()?.body).to.include({ service_tier: 'priority' });
  });

  it('stream natively, with a key as a bearer token, below the path of an own address', async () => {
    const stream = await openai.chat.completions.create({
      model: 'a/keyed',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
    });
    let text = '';
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
    expect(text).to.equal('Hello');
    expect(last()?.path).to.equal('/vpc/openai/v1/chat/completions');
    expect(last()?.headers).to.include({ authorization: 'Bearer bedrock-api-key-1', accept: 'text/event-stream' });
    expect(last()?.headers).to.not.have.property('x-amz-date');
  });

  it('serve clients of responses natively, and clients of other wires and tools over responses', async () => {
    const { output_text: text } = await openai.responses.create({ model: 'a/gpt', input: 'Hi' });
    expect([text, last()?.path]).to.deep.equal(['Hello', '/openai/v1/responses']);
    const { choices } = await chat('a/gpt', { tools: [tool] });
    expect([choices[0]?.message.content, last()?.path]).to.deep.equal(['Hello', '/openai/v1/responses']);
    const reply = await fetch(`${gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'a/gpt', max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] }),
    });
    expect([reply.status, last()?.path], await reply.text()).to.deep.equal([200, '/openai/v1/responses']);
  });

  it('carry a guardrail in headers of chat completions, and are left for Converse where it has none', async () => {
    await chat('a/guarded');
    expect(last()?.headers).to.include({
      'x-amzn-bedrock-guardrailidentifier': 'g1',
      'x-amzn-bedrock-guardrailversion': '3',
      'x-amzn-bedrock-trace': 'ENABLED',
    });
    await openai.responses.create({ model: 'a/guarded', input: 'Hi' });
    expect(last()?.path).to.equal(`/model/${encodeURIComponent(GPT)}/converse`);
    expect(last()?.body['guardrailConfig']).to.deep.equal({
      guardrailIdentifier: 'g1',
      guardrailVersion: '3',
      trace: 'enabled',
    });
  });

  it('serve an open model where its target names the wire: else Converse, which separates the reasoning', async () => {
    await chat('a/oss');
    expect(last()?.path).to.equal(`/model/${encodeURIComponent(OSS)}/converse`);
    const { response } = await chat('a/oss-chat').withResponse();
    expect(response.headers.get('x-koine-lane')).to.equal('native');
    expect([last()?.path, last()?.body['model']]).to.deep.equal(['/openai/v1/chat/completions', OSS]);
  });

  it('report a refusal of the vendor by its exception', async () => {
    upstream.answer = (response) => {
      response.setHeader('x-amzn-errortype', 'UnrecognizedClientException');
      answerJson(response, { message: 'The security token included in the request is invalid.' }, 403);
    };
    const error: unknown = await chat('a/gpt').catch((thrown: unknown) => thrown);
    expect(error).to.not.be.instanceOf(AuthenticationError);
    expect(error).to.have.property('code', 'upstream_auth');
  });
});
