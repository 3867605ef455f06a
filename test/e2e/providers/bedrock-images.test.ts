import { expect } from 'chai';
import { BadRequestError, toFile, type OpenAI } from 'openai';
import { createChatClient } from '../../matrix/clients/client-chat.ts';
import { verify } from '../../providers/identity/aws/verify-signature.ts';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { answerJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';

const SECRET = 'wJalrXUtnFEMI0K7MDENG0bPxRfiCYEXAMPLEKEY';
const NOVA = 'amazon.nova-canvas-v1:0';
const CORE = 'stability.stable-image-core-v1:1';
const PNG = 'iVBORw0KGgo=';
const JPEG = '/9j/';
const perImage = (images: number) => ({ input: 0, output: 0, units: { images } });

describe('images at Bedrock', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  let openai: OpenAI;
  before(async () => {
    upstream = await startUpstream();
    const config = { region: 'us-east-1', baseUrl: upstream.url, accessKeyId: 'AKIDEXAMPLE', secretAccessKey: SECRET };
    const target = (model: string, images: number) => ({
      targets: [{ provider: 'bedrock', model, price: perImage(images) }],
    });
    gateway = await startTestGateway({
      providers: { bedrock: { use: 'bedrock', config } },
      models: { 'a/nova': target(NOVA, 0.04), 'a/core': target(CORE, 0.03) },
      plugins: [{ use: 'auth' }, { use: 'rate-limit' }],
      organizations: {
        acme: {
          projects: {
            web: { keys: { alice: { key: KEY }, poor: { key: `${KEY}-poor`, limits: [{ cost: 0.05, per: 'hour' }] } } },
          },
        },
      },
    });
    openai = createChatClient(gateway.url);
  });
  const respond = (body: object): void => {
    upstream.answer = (response, { path, headers, raw }) =>
      verify({ path, headers, body: raw }, SECRET)
        ? answerJson(response, body)
        : answerJson(response, { message: 'The signature does not match.' }, 403);
  };
  beforeEach(() => {
    upstream.calls.length = 0;
    respond({ images: [PNG, PNG] });
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  const sent = () => upstream.calls.map(({ path, body }) => ({ path, body }));
  const refusal = (request: Promise<unknown>): Promise<unknown> => request.catch((error: unknown) => error);
  const generate = (members: object, key = KEY): Promise<Response> =>
    fetch(`${gateway.url}/v1/images/generations`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'A cat', ...members }),
    });
  const lastExchange = async () => {
    await gateway.settled(gateway.exchanges().length);
    return gateway.exchanges().at(-1) ?? {};
  };

  it('come from Nova Canvas in their size, by a signed call, at the price of each', async () => {
    const { data } = await openai.images.generate({
      model: 'a/nova',
      prompt: 'A cat',
      n: 2,
      size: '1536x1024',
      quality: 'hd',
    });
    expect(data).to.deep.equal([{ b64_json: PNG }, { b64_json: PNG }]);
    expect(sent()).to.deep.equal([
      {
        path: `/model/${encodeURIComponent(NOVA)}/invoke`,
        body: {
          taskType: 'TEXT_IMAGE',
          textToImageParams: { text: 'A cat' },
          imageGenerationConfig: { numberOfImages: 2, width: 1_536, height: 1_024, quality: 'premium' },
        },
      },
    ]);
    // Two images at USD 0.04.
    expect(await lastExchange()).to.deep.include({ operation: 'image', cost_micro: 80_000 });
  });

  it('come from Stability AI in the nearest ratio, with what it does not have named', async () => {
    respond({ seeds: [1], finish_reasons: [null], images: [JPEG] });
    const members = { size: '1792x1024', output_format: 'jpeg', quality: 'high', response_format: 'url', user: 'u' };
    const reply = await generate({ model: 'a/core', ...members });
    expect(reply.headers.get('x-koine-losses')).to.match(/response_format.*user.*quality.*size/);
    expect(await reply.json()).to.deep.include({ data: [{ b64_json: JPEG }], output_format: 'jpeg' });
    expect(sent()[0]?.body).to.deep.equal({ prompt: 'A cat', aspect_ratio: '16:9', output_format: 'jpeg' });
    // One image at USD 0.03.
    expect(await lastExchange()).to.deep.include({ cost_micro: 30_000 });
  });

  it('are varied and edited by Nova Canvas, which gets the bytes', async () => {
    const image = await toFile(Buffer.from(PNG, 'base64'), 'a.png', { type: 'image/png' });
    await openai.images.edit({ model: 'a/nova', prompt: 'Green', image });
    await openai.images.createVariation({ model: 'a/nova', image });
    const task = (params: object) => ({
      taskType: 'IMAGE_VARIATION',
      imageVariationParams: params,
      imageGenerationConfig: { numberOfImages: 1 },
    });
    expect(sent().map(({ body }) => body)).to.deep.equal([
      task({ text: 'Green', images: [PNG] }),
      task({ images: [PNG] }),
    ]);
  });

  it('are streamed to the SDK as one event for each image', async () => {
    const stream = await openai.images.generate({ model: 'a/nova', prompt: 'A cat', n: 2, stream: true });
    const events: string[] = [];
    for await (const event of stream) events.push(`${event.type} ${event.b64_json}`);
    expect(events).to.deep.equal([`image_generation.completed ${PNG}`, `image_generation.completed ${PNG}`]);
    expect(sent()[0]?.path).to.equal(`/model/${encodeURIComponent(NOVA)}/invoke`);
    expect(await lastExchange()).to.deep.include({ cost_micro: 80_000 });
  });

  it('that a model cannot make are refused by name, without a call', async () => {
    const gif = { image_url: 'data:image/gif;base64,R0lGOD' };
    const edit = (model: string, images: object) =>
      fetch(`${gateway.url}/v1/images/edits`, {
        method: 'POST',
        headers: { 'authorization': `Bearer ${KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, prompt: 'Green', images: [images] }),
      });
    const cases: readonly (readonly [request: Promise<Response>, param: string])[] = [
      [generate({ model: 'a/nova', n: 6 }), 'n'],
      [generate({ model: 'a/core', n: 2 }), 'n'],
      [generate({ model: 'a/nova', size: '1000x1000' }), 'size'],
      [generate({ model: 'a/nova', size: '256x256' }), 'size'],
      [generate({ model: 'a/nova', size: '2048x2048' }), 'size'],
      [generate({ model: 'a/nova', size: '2048x400' }), 'size'],
      [edit('a/core', { image_url: `data:image/png;base64,${PNG}` }), 'images'],
      [edit('a/nova', gif), 'images'],
    ];
    for (const [request, param] of cases) {
      const reply = await request;
      expect(reply.status).to.equal(400);
      expect(await reply.json()).to.have.nested.property('error.param', param);
    }
    expect(upstream.calls).to.have.lengthOf(0);
  });

  it('that the vendor filters are errors, and a body without images is a failure', async () => {
    const ask = (model: string) => refusal(openai.images.generate({ model, prompt: 'x' }));
    for (const [model, body] of [
      ['a/core', { seeds: [1], finish_reasons: ['Filter reason: prompt'] }],
      ['a/nova', { images: [], error: 'Blocked by our content filters.' }],
    ] as const) {
      respond(body);
      expect(await ask(model))
        .to.be.instanceOf(BadRequestError)
        .and.include({ code: 'content_filter' });
    }
    for (const body of [{}, { images: [], error: null }, { finish_reasons: ['Inference error'] }]) {
      respond(body);
      expect(await ask('a/core')).to.include({ status: 502 });
    }
  });

  it('reserve the cost of n: a limit refuses what it cannot pay', async () => {
    expect((await generate({ model: 'a/nova', n: 2 }, `${KEY}-poor`)).status).to.equal(400);
    expect(upstream.calls).to.have.lengthOf(0);
    respond({ images: [PNG] });
    expect((await generate({ model: 'a/nova' }, `${KEY}-poor`)).status).to.equal(200);
  });
});
