import { expect } from 'chai';
import OpenAI from 'openai';
import { createGoogleClient } from '../../../matrix/clients/client-google.ts';
import { createMessagesClient } from '../../../matrix/clients/client-messages.ts';
import { goodDay } from '../../../matrix/sample-bodies.ts';
import { textOf } from '../../../matrix/vendors/vendors.ts';
import { pluginsWith } from '../../../support/failover-scene.ts';
import { KEY } from '../../../support/gateway.ts';
import { everyWire, startScene, type Scene } from '../../../support/scene.ts';
import { answerJson, startUpstream, type TestUpstream } from '../../../support/upstream.ts';
import { privatePem, serviceAccount, startTokenServer, type TokenServer } from './token-server.ts';
import { answerAsVertex } from './vertex-server.ts';

const CLAUDE = 'claude-sonnet-4-5@20250929';
const GEMINI = 'gemini-2.5-flash';
const question = [{ role: 'user' as const, content: 'Hello' }];

describe('vertex behind the gateway', () => {
  let scene: Scene;
  let upstream: TestUpstream;
  let tokens: TokenServer;
  let openai: OpenAI;

  beforeEach(async () => {
    upstream = await startUpstream();
    upstream.answer = answerAsVertex;
    tokens = await startTokenServer();
    const config = {
      project: 'made-up',
      location: 'europe-west1',
      credentials: JSON.stringify(serviceAccount(tokens)),
      baseUrl: upstream.url,
    };
    const target = (model: string) => ({
      wires: [...everyWire, 'interactions'],
      targets: [{ provider: 'vertex', model }],
    });
    scene = await startScene({
      providers: {
        vertex: { use: 'vertex', config },
        anthropic: { use: 'anthropic', config: { apiKey: 'upstream-secret', baseUrl: upstream.url } },
      },
      models: {
        'vertex/claude': target(CLAUDE),
        'vertex/gemini': target(GEMINI),
        'vertex/omni': target('gemini-omni-flash-preview'),
        'vertex/first': {
          wires: [...everyWire, 'interactions'],
          targets: [
            { provider: 'vertex', model: GEMINI },
            { provider: 'anthropic', model: 'claude-sonnet-4-5' },
          ],
        },
        'vertex/vectors': {
          wires: ['embeddings', 'embed-content'],
          targets: [{ provider: 'vertex', model: 'text-embedding-005' }],
        },
        'vertex/newer': { wires: ['embeddings'], targets: [{ provider: 'vertex', model: 'gemini-embedding-2' }] },
        'vertex/either': {
          wires: everyWire,
          targets: [
            { provider: 'vertex', model: CLAUDE },
            { provider: 'anthropic', model: 'claude-sonnet-4-5' },
          ],
        },
      },
      plugins: pluginsWith({}),
    });
    openai = new OpenAI({ apiKey: KEY, baseURL: `${scene.gateway.url}/v1`, maxRetries: 0 });
  });
  afterEach(async () => {
    await scene.stop(/credential|access token/);
    await upstream.stop();
    await tokens.stop();
    expect(tokens.refusals).to.deep.equal([]);
    const lines = JSON.stringify(scene.gateway.lines);
    expect(lines).not.to.contain('ya29.made-up');
    expect(lines).not.to.contain(privatePem.slice(60, 100));
  });

  it('the Anthropic SDK gets a message of Claude natively, plain and streamed', async () => {
    const client = createMessagesClient(scene.gateway.url);
    const request = { model: 'vertex/claude', max_tokens: 100, messages: question };
    const { data, response } = await client.messages.create(request).withResponse();
    expect(data.content).to.deep.equal([{ type: 'text', text: 'Good day.' }]);
    expect(response.headers.get('x-koine-lane')).to.equal('native');
    const streamed = await client.messages.stream(request).finalMessage();
    expect(streamed.content).to.deep.equal([{ type: 'text', text: 'Good day.' }]);
    expect(upstream.calls.map(({ path }) => path.split(':').at(-1))).to.deep.equal(['rawPredict', 'streamRawPredict']);
    expect(tokens.grants).to.have.length(1);
  });

  it('betas that Vertex AI refuses are not sent, and are losses', async () => {
    const betas = ['interleaved-thinking-2025-05-14', 'files-api-2025-04-14', 'advanced-tool-use-2025-11-20'];
    const client = createMessagesClient(scene.gateway.url);
    const headers = { 'anthropic-beta': betas.join(',') };
    const request = { model: 'vertex/claude', max_tokens: 100, messages: question };
    const { response } = await client.messages.create(request, { headers }).withResponse();
    expect(upstream.calls[0]?.headers['anthropic-beta']).to.equal(
      'interleaved-thinking-2025-05-14,tool-search-tool-2025-10-19',
    );
    expect(response.headers.get('x-koine-losses')).to.include('anthropic-beta;dropped');
  });

  it('the Anthropic SDK counts the tokens of a prompt', async () => {
    const client = createMessagesClient(scene.gateway.url);
    const { input_tokens: count } = await client.messages.countTokens({ model: 'vertex/claude', messages: question });
    expect(count).to.equal(21);
    expect(upstream.calls[0]?.body['model']).to.equal(CLAUDE);
  });

  it('the Google SDK gets a response of Gemini natively, plain and streamed, and counts tokens', async () => {
    const { models } = createGoogleClient(scene.gateway.url);
    const request = { model: 'vertex/gemini', contents: 'Hello' };
    expect((await models.generateContent(request)).text).to.equal('Good day.');
    let text = '';
    for await (const chunk of await models.generateContentStream(request)) text += chunk.text ?? '';
    expect(text).to.equal('Good day.');
    expect((await models.countTokens(request)).totalTokens).to.equal(21);
    expect(upstream.calls.map(({ path }) => path.split(':').at(-1))).to.deep.equal([
      'generateContent',
      'streamGenerateContent?alt=sse',
      'countTokens',
    ]);
  });

  it('the Google SDK gets an interaction of Gemini natively, plain and streamed, and reads and deletes it', async () => {
    const { interactions } = createGoogleClient(scene.gateway.url);
    const request = { model: 'vertex/gemini', input: 'Hello' };
    const { id, output_text: said } = await interactions.create(request);
    expect(said).to.equal('Good day.');
    expect((await interactions.get(id)).output_text).to.equal('Good day.');
    await interactions.delete(id);
    let text = '';
    for await (const event of await interactions.create({ ...request, stream: true }))
      if (event.event_type === 'step.delta' && event.delta.type === 'text') text += event.delta.text;
    expect(text).to.equal('Good day.');
    const base = '/v1beta1/projects/made-up/locations/europe-west1/interactions';
    expect(upstream.calls.map(({ method, path }) => `${method} ${path.split('?')[0]}`)).to.deep.equal([
      `POST ${base}`,
      `GET ${base}/${id}`,
      `DELETE ${base}/${id}`,
      `POST ${base}`,
    ]);
    expect(upstream.calls[0]?.body).to.deep.equal({ model: GEMINI, input: 'Hello' });
  });

  it('clients of every wire reach a model that has only interactions, and what it refuses is said', async () => {
    const { choices, usage } = await openai.chat.completions.create({ model: 'vertex/omni', messages: question });
    expect(choices[0]?.message.content).to.equal('Good day.');
    expect(usage?.total_tokens).to.be.above(0);
    const { models } = createGoogleClient(scene.gateway.url);
    expect((await models.generateContent({ model: 'vertex/omni', contents: 'Hello' })).text).to.equal('Good day.');
    expect(upstream.calls.map(({ path }) => path.split('/').at(-1))).to.deep.equal(['interactions', 'interactions']);
    const refused = await openai.chat.completions
      .create({ model: 'vertex/omni', messages: question, stream: true })
      .catch((thrown: unknown) => thrown);
    expect(refused).to.include({ status: 400 });
    expect((refused as Error).message).to.contain('Omni does not support streaming.');
  });

  it('a webhook is refused by name', async () => {
    const { interactions } = createGoogleClient(scene.gateway.url);
    const webhook_config = { uris: ['https://example.com/hook'] };
    const refused = await interactions
      .create({ model: 'vertex/gemini', input: 'Hello', webhook_config })
      .catch((thrown: unknown) => thrown);
    expect(String(refused)).to.contain("'webhook_config'");
    expect(upstream.calls).to.deep.equal([]);
  });

  it('a client of the Gemini API whose contents have no role is served', async () => {
    const reply = await fetch(`${scene.gateway.url}/v1beta/models/vertex/gemini:generateContent`, {
      method: 'POST',
      headers: { 'x-goog-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'models/vertex/gemini', contents: [{ parts: [{ text: 'Hello' }] }] }),
    });
    expect(reply.status, await reply.text()).to.equal(200);
  });

  it('the OpenAI SDK gets both models in translation, with their usage', async () => {
    for (const model of ['vertex/claude', 'vertex/gemini']) {
      const plain = await openai.chat.completions.create({ model, messages: question });
      expect(plain.choices[0]?.message.content).to.equal('Good day.');
      expect(plain.choices[0]?.finish_reason).to.equal('stop');
      expect(plain.usage?.total_tokens, model).to.be.above(0);
      let text = '';
      for await (const chunk of await openai.chat.completions.create({ model, messages: question, stream: true }))
        text += chunk.choices[0]?.delta.content ?? '';
      expect(text).to.equal('Good day.');
    }
  });

  it('the SDKs of OpenAI and Google get vectors of :predict, with the tokens', async () => {
    const { data, usage } = await openai.embeddings.create({
      model: 'vertex/vectors',
      input: ['a', 'b'],
      dimensions: 2,
      encoding_format: 'float',
    });
    expect(data.map(({ embedding }) => embedding)).to.deep.equal([
      [0.5, 0],
      [0.5, 1],
    ]);
    expect(usage.prompt_tokens).to.equal(6);
    expect(upstream.calls[0]?.body).to.deep.equal({
      instances: [{ content: 'a' }, { content: 'b' }],
      parameters: { outputDimensionality: 2 },
    });
    const { models } = createGoogleClient(scene.gateway.url);
    const config = { taskType: 'RETRIEVAL_DOCUMENT', title: 'Letters' };
    const { embeddings } = await models.embedContent({ model: 'vertex/vectors', contents: ['a'], config });
    expect(embeddings?.map(({ values }) => values)).to.deep.equal([[0.5, 0]]);
    expect(upstream.calls[1]?.body).to.deep.equal({
      instances: [{ content: 'a', task_type: 'RETRIEVAL_DOCUMENT', title: 'Letters' }],
    });
  });

  it('a newer model embeds one text in each call, and a list becomes several calls', async () => {
    upstream.answer = (response) =>
      answerJson(response, {
        embedding: { values: [1, 2] },
        usageMetadata: { promptTokenCount: 4, totalTokenCount: 4 },
      });
    const request = { model: 'vertex/newer', dimensions: 2, encoding_format: 'float' as const };
    const { data, usage } = await openai.embeddings.create({ ...request, input: ['a', 'b'] });
    expect(data.map(({ embedding }) => embedding)).to.deep.equal([
      [1, 2],
      [1, 2],
    ]);
    expect(usage.prompt_tokens).to.equal(8);
    expect(upstream.calls.map(({ body }) => body)).to.have.deep.members(
      ['a', 'b'].map((text) => ({
        content: { parts: [{ text }] },
        embedContentConfig: { outputDimensionality: 2 },
      })),
    );
  });

  const missing =
    'Publisher Model `projects/made-up/locations/europe-west1/publishers/anthropic/models/claude-sonnet-4-5@20250929` ' +
    'was not found or your project does not have access to it. Please ensure you are using a valid model version.';
  const denied =
    "Permission 'aiplatform.endpoints.predict' denied on resource " +
    "'//aiplatform.googleapis.com/projects/made-up/locations/europe-west1' (or it may not exist).";
  const outages: readonly (readonly [number, string, string?])[] = [
    [401, 'UNAUTHENTICATED'],
    [403, 'PERMISSION_DENIED', denied],
    [404, 'NOT_FOUND', missing],
    [429, 'RESOURCE_EXHAUSTED'],
    [503, 'UNAVAILABLE'],
  ];
  for (const [code, status, message = 'No.'] of outages)
    it(`another vendor serves Claude when Vertex AI responds with ${code}`, async () => {
      const client = createMessagesClient(scene.gateway.url);
      upstream.answer = (response, call) =>
        call.path === '/v1/messages'
          ? void response
              .writeHead(200, { 'content-type': 'application/json' })
              .end(textOf('messages', 'plain', goodDay))
          : answerJson(response, { error: { code, message, status } }, code);
      const { content } = await client.messages.create({ model: 'vertex/either', max_tokens: 100, messages: question });
      expect(content).to.deep.equal([{ type: 'text', text: 'Good day.' }]);
      expect(upstream.calls[0]?.path).to.match(/:rawPredict$/);
      expect(upstream.calls.at(-1)?.path).to.equal('/v1/messages');
    });

  const refusedInteractions: readonly (readonly [number, object])[] = [
    [401, { code: 'authentication', message: 'Request had invalid authentication credentials.' }],
    [403, { status: 'PERMISSION_DENIED', message: denied.replace('endpoints.predict', 'interactions.create') }],
    [404, { code: 'model_not_found', message: "Model 'gemini-2.5-flash' not found." }],
    [429, { code: 'rate_limit_exceeded', message: 'Resource exhausted.' }],
    [503, { code: 'service_unavailable', message: 'The service is overloaded.' }],
  ];
  for (const [status, error] of refusedInteractions)
    it(`another vendor serves an interaction when Vertex AI responds with ${status}`, async () => {
      upstream.answer = (response, call) =>
        call.path === '/v1/messages'
          ? void response
              .writeHead(200, { 'content-type': 'application/json' })
              .end(textOf('messages', 'plain', goodDay))
          : answerJson(response, { error }, status);
      const { interactions } = createGoogleClient(scene.gateway.url);
      const { output_text: said } = await interactions.create({ model: 'vertex/first', input: 'Hello', store: false });
      expect(said).to.equal('Good day.');
      expect(upstream.calls[0]?.path).to.match(/\/interactions$/);
      expect(upstream.calls.at(-1)?.path).to.equal('/v1/messages');
    });

  it('a failure of Vertex AI reaches a client of Claude as an error of its wire', async () => {
    const client = createMessagesClient(scene.gateway.url);
    const failures = [
      {
        code: 429,
        message: 'Quota exceeded for made_up_quota.',
        status: 'RESOURCE_EXHAUSTED',
        type: 'rate_limit_error',
      },
      { code: 400, message: 'Request is too odd.', status: 'INVALID_ARGUMENT', type: 'invalid_request_error' },
    ];
    for (const { type, ...error } of failures) {
      upstream.answer = (response) => answerJson(response, { error }, error.code);
      const failed = await client.messages
        .create({ model: 'vertex/claude', max_tokens: 100, messages: question })
        .catch((thrown: unknown) => thrown);
      expect(failed).to.include({ status: error.code });
      const { error: body } = failed as { error?: object };
      expect(body).to.nested.include({ 'type': 'error', 'error.type': type, 'error.message': error.message });
    }
  });
});
