import { expect } from 'chai';
import OpenAI, { BadRequestError, InternalServerError } from 'openai';
import Anthropic from '@anthropic-ai/sdk';
import { fakeToken, startIdentityServer, type IdentityServer } from '../../support/identity-server.ts';
import { KEY } from '../../support/gateway.ts';
import { everyWire, startScene, type Scene } from '../../support/scene.ts';
import { answerJson, answerSse, startUpstream, type TestUpstream } from '../../support/upstream.ts';

const AZURE_KEY = 'azure-upstream-secret';
const CLIENT_SECRET = 'entra-upstream-secret';
const safe = { hate: { filtered: false, severity: 'safe' } };
const promptFilter = [{ prompt_index: 0, content_filter_results: { ...safe, jailbreak: { detected: false } } }];
const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
const head = { id: 'chatcmpl-1', created: 1_800_000_000, model: 'gpt-4.1-2025-04-14' };
const completion = {
  ...head,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      logprobs: null,
      message: { role: 'assistant', content: 'Hello.', refusal: null },
      content_filter_results: safe,
    },
  ],
  prompt_filter_results: promptFilter,
  usage,
};
const chunk = (choices: readonly object[], more: object = {}): string =>
  `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more })}\n\n`;
/** The first chunk has no id and no choices, as recorded at Azure. */
const stream = [
  chunk([], { id: '', model: '', created: 0, prompt_filter_results: promptFilter }),
  chunk([{ index: 0, delta: { role: 'assistant', content: 'Hel' }, finish_reason: null, content_filter_results: {} }]),
  chunk([{ index: 0, delta: { content: 'lo.' }, finish_reason: null, content_filter_results: safe }]),
  chunk([{ index: 0, delta: {}, finish_reason: 'stop', content_filter_results: {} }]),
  chunk([], { usage }),
  'data: [DONE]\n\n',
].join('');
const refusal = {
  error: {
    code: 'content_filter',
    message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
    param: 'prompt',
    type: null,
    status: 400,
    innererror: { code: 'ResponsibleAIPolicyViolation', content_filter_result: { hate: { filtered: true } } },
  },
};

describe('Azure OpenAI', () => {
  let scene: Scene;
  let azure: TestUpstream;
  let identity: IdentityServer;
  let openai: OpenAI;
  let anthropic: Anthropic;

  let validToken = 'token-1';
  /** Responds as Azure does to a request that it accepts, and with 401 or 404 to any other. */
  const serve = (): void => {
    azure.answer = (response, { path, headers, body }) => {
      const isKnown = headers['api-key'] === AZURE_KEY || headers.authorization === `Bearer ${fakeToken(validToken)}`;
      if (!isKnown) return answerJson(response, { error: { code: '401', message: 'Access denied.' } }, 401);
      const deployment = path === '/openai/v1/chat/completions' ? 'gpt-4.1' : 'team-4';
      const isDeployed =
        (deployment === 'gpt-4.1' || path === '/openai/deployments/team-4/chat/completions?api-version=2024-10-21') &&
        body['model'] === deployment;
      if (!isDeployed) return answerJson(response, { error: { code: 'DeploymentNotFound', message: 'No.' } }, 404);
      return body['stream'] === true ? answerSse(response, stream) : answerJson(response, completion);
    };
  };

  before(async () => {
    azure = await startUpstream();
    identity = await startIdentityServer();
    const entra = {
      identity: 'client-secret',
      tenantId: 'acme.example',
      clientId: 'app-1',
      clientSecret: CLIENT_SECRET,
      authority: identity.url,
    };
    const model = (provider: string): object => ({ wires: everyWire, targets: [{ provider, model: 'gpt-4.1' }] });
    scene = await startScene({
      providers: {
        'azure': { use: 'azure-openai', config: { endpoint: azure.url, apiKey: AZURE_KEY } },
        'azure-app': { use: 'azure-openai', config: { endpoint: azure.url, entra } },
        'azure-older': {
          use: 'azure-openai',
          config: {
            endpoint: azure.url,
            api: 'deployments',
            deployments: { 'gpt-4.1': 'team-4' },
            apiKey: AZURE_KEY,
          },
        },
      },
      models: { 'azure/v1': model('azure'), 'azure/app': model('azure-app'), 'azure/older': model('azure-older') },
    });
    openai = new OpenAI({ apiKey: KEY, baseURL: `${scene.gateway.url}/v1`, maxRetries: 0 });
    anthropic = new Anthropic({ apiKey: KEY, baseURL: scene.gateway.url, maxRetries: 0 });
  });
  beforeEach(() => {
    azure.calls.length = 0;
    serve();
  });
  after(async () => {
    await scene.stop(/credential/);
    await azure.stop();
    await identity.stop();
    const log = JSON.stringify(scene.gateway.lines);
    for (const secret of [AZURE_KEY, CLIENT_SECRET, fakeToken('token-1')]) expect(log).not.to.include(secret);
  });

  const messages = [{ role: 'user', content: 'Hi' }] as const;
  const ask = (model: string) => openai.chat.completions.create({ model, messages: [...messages] });

  for (const model of ['azure/v1', 'azure/older', 'azure/app'])
    it(`a chat client of ${model} gets the vendor's response with the results of the content filter`, async () => {
      const { data, response } = await openai.chat.completions
        .create({ model, messages: [...messages] })
        .withResponse();
      expect(response.headers.get('x-koine-lane')).to.equal('native');
      expect(data).to.deep.include({ prompt_filter_results: promptFilter, usage });
      expect(data.choices[0]).to.deep.include({ content_filter_results: safe, finish_reason: 'stop' });
    });

  it('a chat client that streams gets the filter results, and the usage for which the gateway asked', async () => {
    const chunks = await Array.fromAsync(
      await openai.chat.completions.create({ model: 'azure/older', messages: [...messages], stream: true }),
    );
    expect(azure.calls[0]?.body['stream_options']).to.deep.equal({ include_usage: true });
    expect(chunks[0]).to.deep.include({ prompt_filter_results: promptFilter, choices: [] });
    expect(chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta.content ?? '')).join('')).to.equal(
      'Hello.',
    );
  });

  it('a messages client gets the text, the finish reason and the usage, plain and streamed', async () => {
    const request = { model: 'azure/v1', max_tokens: 50, messages: [...messages] };
    const streamed = await anthropic.messages.stream(request).finalMessage();
    for (const message of [await anthropic.messages.create(request), streamed]) {
      expect(message.content).to.deep.equal([{ type: 'text', text: 'Hello.', citations: [] }]);
      expect(message.stop_reason).to.equal('end_turn');
      expect(message.usage).to.include({ input_tokens: 10, output_tokens: 2 });
    }
  });

  it('a prompt that the content filter refuses is an error of the client, with the details of the vendor', async () => {
    azure.answer = (response) => answerJson(response, refusal, 400);
    const thrown = await ask('azure/v1').catch((error: unknown) => error);
    expect(thrown).to.be.instanceOf(BadRequestError);
    const { status, code, error } = thrown as BadRequestError;
    expect([status, code]).to.deep.equal([400, 'content_filter']);
    expect(error).to.deep.equal(refusal.error);
  });

  it('the token of an identity is requested once and sent with each call', async () => {
    await ask('azure/app');
    await ask('azure/app');
    expect(identity.calls).to.have.length(1);
    const bearer = `Bearer ${fakeToken('token-1')}`;
    expect(azure.calls.map(({ headers }) => headers.authorization)).to.deep.equal([bearer, bearer]);
    expect(azure.calls.flatMap(({ headers }) => headers['api-key'] ?? [])).to.deep.equal([]);
  });

  it('a deployment that does not exist is named to the client as a missing model', async () => {
    azure.answer = (response) =>
      answerJson(response, { error: { code: 'DeploymentNotFound', message: 'The deployment does not exist.' } }, 404);
    const thrown = await ask('azure/v1').catch((error: unknown) => error);
    expect((thrown as { status?: number }).status).to.equal(404);
  });

  it('a firewall of the resource is an error of the gateway, whose message stays in the log', async () => {
    azure.answer = (response) =>
      answerJson(
        response,
        { error: { code: '403', message: 'Access denied due to Virtual Network/Firewall rules.' } },
        403,
      );
    const thrown = await ask('azure/v1').catch((error: unknown) => error);
    expect(thrown).to.be.instanceOf(InternalServerError);
    expect((thrown as InternalServerError).message).not.to.contain('Firewall');
  });

  it('a token that Azure refuses before its end is renewed, and the call is repeated once', async () => {
    await ask('azure/app');
    validToken = `token-${identity.calls.length + 1}`;
    azure.calls.length = 0;
    const { choices } = await ask('azure/app');
    expect(choices[0]?.message.content).to.equal('Hello.');
    expect(azure.calls.map(({ headers }) => headers.authorization)).to.deep.equal(
      [fakeToken('token-1'), fakeToken(validToken)].map((token) => `Bearer ${token}`),
    );
  });
});
