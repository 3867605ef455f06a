import { expect } from 'chai';
import { type OpenAI, BadRequestError, NotFoundError } from 'openai';
import { createChatClient } from '../../matrix/clients/client-chat.ts';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { answerJson, startUpstream, type TestUpstream, type UpstreamCall } from '../../support/upstream.ts';

const PNG = 'iVBORw0KGgo=';
const usage = {
  input_tokens: 60,
  input_tokens_details: { image_tokens: 40, text_tokens: 20 },
  output_tokens: 300,
  output_tokens_details: { image_tokens: 200, text_tokens: 100 },
  total_tokens: 360,
};
const answer = { created: 7, data: [{ b64_json: PNG }], output_format: 'png', house: { a: 1.0 }, usage };
const gemini = {
  candidates: [
    { content: { parts: [{ inlineData: { mimeType: 'image/jpeg', data: '/9j/' } }] }, finishReason: 'STOP' },
  ],
  usageMetadata: {
    promptTokenCount: 4,
    candidatesTokenCount: 1_120,
    totalTokenCount: 1_124,
    candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1_120 }],
  },
  modelVersion: 'gemini-3.1-flash-image',
};
const imagen = { predictions: [1, 2].map(() => ({ mimeType: 'image/png', bytesBase64Encoded: PNG })) };
const price = { input: 5, inputImage: 8, output: 10, outputImage: 30 };
const frame = (type: string, members: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;

describe('images', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  let openai: OpenAI;
  before(async () => {
    upstream = await startUpstream();
    const config = { apiKey: 'upstream-secret', baseUrl: `${upstream.url}/v1` };
    const googleConfig = { apiKey: 'upstream-secret', baseUrl: upstream.url };
    const targets = (provider: string, model: string, own?: object) => ({ targets: [{ provider, model, price: own }] });
    gateway = await startTestGateway({
      providers: {
        openai: { use: 'openai', config: { ...config } },
        google: { use: 'google', config: googleConfig },
        local: { use: 'openai-compatible', config: { baseUrl: config.baseUrl, wires: ['image-generations'] } },
        plain: { use: 'openai-compatible', config: { baseUrl: config.baseUrl } },
        simulator: { use: 'simulator' },
      },
      models: {
        'openai/image': targets('openai', 'gpt-image-2', price),
        'google/image': targets('google', 'gemini-3.1-flash-image', { input: 0.5, output: 3, outputImage: 60 }),
        'google/imagen': targets('google', 'imagen-4.0-generate-001', { input: 0, output: 0, units: { images: 0.04 } }),
        'local/sd': targets('local', 'sd', { input: 0, output: 0, units: { images: 0.01 } }),
        'local/unpriced': targets('local', 'sd', { input: 0, output: 0 }),
        'plain/chat': { wires: ['chat-completions', 'image-generations'], ...targets('plain', 'chat') },
        'simulator/chat': targets('simulator', 'chat'),
        'mixed/image': {
          targets: [
            { provider: 'google', model: 'gemini-3.1-flash-image' },
            { provider: 'openai', model: 'gpt-image-2' },
          ],
        },
      },
      plugins: [{ use: 'auth' }, { use: 'rate-limit' }, { use: 'failover' }],
      organizations: {
        acme: {
          projects: {
            web: {
              keys: {
                alice: { key: KEY },
                few: { key: `${KEY}-few`, limits: [{ images: 3, per: '1h' }] },
                poor: { key: `${KEY}-poor`, limits: [{ cost: 0.05, per: 'hour' }] },
                strict: { key: `${KEY}-strict`, losses: 'reject' },
              },
            },
          },
        },
      },
    });
    openai = createChatClient(gateway.url);
  });
  beforeEach(() => {
    upstream.calls.length = 0;
    upstream.answer = (response, { path }) =>
      answerJson(response, path.includes(':predict') ? imagen : path.includes(':generateContent') ? gemini : answer);
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });
  const lastCall = (): UpstreamCall => {
    const call = upstream.calls.at(-1);
    if (call === undefined) throw new Error('the provider was not called');
    return call;
  };
  const post = (path: string, body: string | object, key = KEY): Promise<Response> =>
    fetch(gateway.url + path, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${key}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const generate = (members: object, key?: string) =>
    post('/v1/images/generations', { prompt: 'A cat', ...members }, key);
  const refusal = (request: Promise<unknown>): Promise<unknown> => request.catch((error: unknown) => error);
  const lastExchange = async () => {
    await gateway.settled(gateway.exchanges().length);
    return gateway.exchanges().at(-1) ?? {};
  };

  it('reach OpenAI as they were sent, come back byte for byte, and cost text and images at their own rates', async () => {
    const body = `{ "prompt":"A cat", "model":"openai/image","seed":12345678901234567890,"n":1}`;
    const reply = await post('/v1/images/generations', body);
    expect(await reply.text()).to.equal(JSON.stringify(answer));
    expect(reply.headers.get('x-koine-lane')).to.equal('native');
    expect(lastCall()).to.deep.include({ path: '/v1/images/generations' });
    expect(lastCall().raw.toString()).to.equal(body.replace('openai/image', 'gpt-image-2'));
    // 20 * 5 + 40 * 8 + 100 * 10 + 200 * 30 per million
    expect(await lastExchange()).to.deep.include({
      operation: 'image',
      wire_in: 'image-generations',
      cost_micro: 7_420,
    });
  });

  it('are edited by the JSON form of edits', async () => {
    const image_url = `data:image/png;base64,${PNG}`;
    const members = { model: 'openai/image', prompt: 'Green', images: [{ image_url }] };
    expect(await (await post('/v1/images/edits', members)).json()).to.deep.equal(answer);
    expect(lastCall()).to.deep.include({ path: '/v1/images/edits', body: { ...members, model: 'gpt-image-2' } });
    const form = new FormData();
    form.append('model', 'openai/image');
    const headers = { authorization: `Bearer ${KEY}` };
    const generated = await fetch(`${gateway.url}/v1/images/generations`, { method: 'POST', headers, body: form });
    expect(generated.status).to.equal(415);
    const foreign = await post('/v1/images/edits', { ...members, images: [{ file_id: 'file-1' }] });
    expect([foreign.status, lastCall().body['images']]).to.deep.equal([404, members.images]);
    const without = await post('/v1/images/edits', { model: 'openai/image', prompt: 'Green' });
    expect(without.status).to.equal(400);
    expect(await without.json()).to.have.nested.property('error.param', 'images');
  });

  it('are streamed to the SDK frame by frame, with the usage of the last event', async () => {
    const frames =
      frame('image_generation.partial_image', { b64_json: PNG.repeat(200_000), partial_image_index: 0 }) +
      frame('image_generation.completed', { b64_json: PNG, usage });
    upstream.answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(frames);
    };
    const events: string[] = [];
    const stream = await openai.images.generate({
      model: 'openai/image',
      prompt: 'A cat',
      stream: true,
      partial_images: 1,
    });
    for await (const event of stream) events.push(event.type);
    expect(events).to.deep.equal(['image_generation.partial_image', 'image_generation.completed']);
    expect(await (await generate({ model: 'openai/image', stream: true })).text()).to.equal(frames);
    expect(await lastExchange()).to.deep.include({ cost_micro: 7_420 });
  });

  it('have an error for a stream that ends before its image, and fail over for one that never began', async () => {
    const events = (text: string) => {
      upstream.answer = (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(text);
      };
    };
    const partial = frame('image_generation.partial_image', { b64_json: PNG });
    events(partial);
    const text = await (await generate({ model: 'openai/image', stream: true })).text();
    expect(text)
      .to.include(partial)
      .and.match(/event: error\ndata: \{"type":"error","error":\{/);
    events('');
    expect((await generate({ model: 'openai/image', stream: true })).status).to.equal(502);
  });

  it('come from Gemini as parts of a response, with its ratio and named losses', async () => {
    const reply = await generate({ model: 'google/image', size: '1536x1024', quality: 'high', response_format: 'url' });
    expect(reply.headers.get('x-koine-losses')).to.match(/size.*quality.*response_format/);
    const body = (await reply.json()) as { readonly data: unknown; readonly usage: object };
    expect(body).to.deep.include({ data: [{ b64_json: '/9j/' }], output_format: 'jpeg' });
    expect(body.usage).to.deep.include({ output_tokens_details: { image_tokens: 1_120, text_tokens: 0 } });
    expect(lastCall()).to.deep.include({
      path: '/v1beta/models/gemini-3.1-flash-image:generateContent',
      body: {
        contents: [{ role: 'user', parts: [{ text: 'A cat' }] }],
        generationConfig: { responseModalities: ['TEXT', 'IMAGE'], imageConfig: { aspectRatio: '3:2' } },
      },
    });
    expect(await lastExchange()).to.deep.include({ cost_micro: 67_202 });
    const rejected = await generate({ model: 'google/image', quality: 'high' }, `${KEY}-strict`);
    expect(rejected.status).to.equal(400);
  });

  it('are edited by Gemini, which gets the bytes', async () => {
    const images = [{ image_url: `data:image/png;base64,${PNG}` }];
    expect((await post('/v1/images/edits', { model: 'google/image', prompt: 'Green', images })).status).to.equal(200);
    expect(lastCall().body).to.have.deep.nested.property('contents[0].parts', [
      { text: 'Green' },
      { inlineData: { mimeType: 'image/png', data: PNG } },
    ]);
  });

  it('are refused by name where Gemini cannot make them, and tried at the next target', async () => {
    const several = await refusal(openai.images.generate({ model: 'google/image', prompt: 'A cat', n: 2 }));
    expect(several).to.be.instanceOf(BadRequestError).and.include({ param: 'n' });
    expect(upstream.calls).to.have.lengthOf(0);
    const { created } = await openai.images.generate({ model: 'mixed/image', prompt: 'A cat', n: 2 });
    expect(created).to.equal(7);
  });

  it('that a vendor filters are errors, and not empty responses', async () => {
    upstream.answer = (response) =>
      answerJson(response, { candidates: [{ finishReason: 'IMAGE_SAFETY' }], usageMetadata: { promptTokenCount: 4 } });
    expect(await refusal(openai.images.generate({ model: 'google/image', prompt: 'x' })))
      .to.be.instanceOf(BadRequestError)
      .and.include({ code: 'content_filter' });
  });

  it('come from Imagen, as many as were asked for, at the price of each', async () => {
    const { data } = await openai.images.generate({ model: 'google/imagen', prompt: 'A cat', n: 2, size: '1024x1024' });
    expect(data).to.deep.equal([{ b64_json: PNG }, { b64_json: PNG }]);
    expect(lastCall()).to.deep.include({
      path: '/v1beta/models/imagen-4.0-generate-001:predict',
      body: { instances: [{ prompt: 'A cat' }], parameters: { sampleCount: 2, aspectRatio: '1:1' } },
    });
    expect(await lastExchange()).to.deep.include({ cost_micro: 80_000 });
  });

  it('without usage cost what an image costs, and nothing is free where that is unknown', async () => {
    upstream.answer = (response) => answerJson(response, { created: 1, data: [{ url: 'https://example.com/a.png' }] });
    await generate({ model: 'local/sd' });
    expect(await lastExchange()).to.deep.include({ cost_micro: 10_000 });
    await generate({ model: 'local/unpriced' });
    expect(await lastExchange()).to.not.have.property('cost_micro');
    const refused = await generate({ model: 'local/unpriced' }, `${KEY}-poor`);
    expect(refused.status).to.equal(403);
    expect(await refused.text()).to.include('units.images');
  });

  it('are counted by limits of images, which reserve n', async () => {
    upstream.answer = (response) => answerJson(response, { created: 1, data: [{ b64_json: PNG }, { b64_json: PNG }] });
    const ask = async (n: number) => (await generate({ model: 'local/sd', n }, `${KEY}-few`)).status;
    expect(await ask(4)).to.equal(400);
    expect(upstream.calls).to.have.lengthOf(0);
    expect(await ask(2)).to.equal(200);
    expect(await ask(2)).to.equal(429);
    expect(upstream.calls).to.have.lengthOf(1);
  });

  it('reserve their cost: a limit refuses what it cannot pay', async () => {
    const ask = async (n: number) => (await generate({ model: 'google/imagen', n }, `${KEY}-poor`)).status;
    expect(await ask(2)).to.equal(400);
    expect(upstream.calls).to.have.lengthOf(0);
    expect(await ask(1)).to.equal(200);
  });

  it('are refused for a server without them, and for a model that does not exist', async () => {
    expect(await refusal(openai.images.generate({ model: 'plain/chat', prompt: 'x' })))
      .to.be.instanceOf(BadRequestError)
      .and.match(/does not serve the operation 'image'/);
    expect(await refusal(openai.images.generate({ model: 'gone', prompt: 'x' }))).to.be.instanceOf(NotFoundError);
    for (const members of [{ prompt: 7 }, { n: 0 }, { n: 1.5 }, { response_format: 'svg' }, { stream: 'yes' }]) {
      const reply = await generate({ model: 'openai/image', ...members });
      expect(reply.status).to.equal(400);
      expect(await reply.json()).to.have.nested.property('error.param', Object.keys(members)[0]);
    }
  });

  it('are made by the simulator, plain and streamed', async () => {
    const { data } = await openai.images.generate({ model: 'simulator/chat', prompt: 'A cat', n: 2 });
    expect(data).to.have.lengthOf(2);
    const events: string[] = [];
    const stream = await openai.images.generate({ model: 'simulator/chat', prompt: 'A cat', stream: true });
    for await (const event of stream) events.push(event.type);
    expect(events).to.deep.equal(['image_generation.partial_image', 'image_generation.completed']);
  });
});
