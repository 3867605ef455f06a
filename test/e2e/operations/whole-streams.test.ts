import { expect } from 'chai';
import { type OpenAI, BadRequestError, toFile } from 'openai';
import { createChatClient } from '../../matrix/clients/client-chat.ts';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { answerJson, startUpstream, type TestUpstream, type UpstreamCall } from '../../support/upstream.ts';
import { writeWav } from './audio.ts';
import { startFormVendor, type FormVendor } from './form-vendor.ts';

const PNG = 'iVBORw0KGgo=';
const TEXT = 'Grüße 😀';
const usageMetadata = {
  promptTokenCount: 30,
  candidatesTokenCount: 1_120,
  totalTokenCount: 1_150,
  promptTokensDetails: [
    { modality: 'TEXT', tokenCount: 5 },
    { modality: 'AUDIO', tokenCount: 25 },
  ],
  candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1_120 }],
};
const candidate = (part: object) => ({ content: { role: 'model', parts: [part] }, finishReason: 'STOP' });
const geminiText = { candidates: [candidate({ text: TEXT })], usageMetadata };
const geminiImage = {
  candidates: [candidate({ inlineData: { mimeType: 'image/jpeg', data: '/9j/' } })],
  usageMetadata,
};
const imagen = { predictions: [1, 2].map(() => ({ mimeType: 'image/png', bytesBase64Encoded: PNG })) };
const images = { created: 7, data: [{ b64_json: PNG, revised_prompt: 'A small cat' }] };
const MP3 = Buffer.from(Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7) % 251));

const transcript = JSON.stringify({ text: TEXT, usage: { type: 'duration', seconds: 2 } });
/** What each vendor without forms answers with. None of them streams. */
const answer: TestUpstream['answer'] = (response, { path, body }) => {
  if (path.endsWith('/audio/speech')) return void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(MP3);
  if (path.endsWith('/images/generations')) return answerJson(response, images);
  if (path.endsWith(':predict')) return answerJson(response, imagen);
  return answerJson(response, JSON.stringify(body).includes('TEXT","IMAGE') ? geminiImage : geminiText);
};

describe('streams of targets without streams', () => {
  let upstream: TestUpstream;
  let forms: FormVendor;
  let gateway: TestGateway;
  let openai: OpenAI;
  before(async () => {
    upstream = await startUpstream();
    const config = { apiKey: 'upstream-secret', baseUrl: `${upstream.url}/v1` };
    forms = await startFormVendor(transcript);
    const form = { ...config, baseUrl: forms.url };
    const own = { baseUrl: forms.url, wires: ['transcriptions'], plainWires: ['transcriptions'] };
    const price = { input: 1, inputAudio: 3, output: 2, outputImage: 30 };
    const perImage = { input: 0, output: 0, units: { images: 0.04 } };
    const target = (provider: string, model: string, rates?: object) => ({
      targets: [{ provider, model, ...(rates && { price: rates }) }],
    });
    gateway = await startTestGateway({
      stream: { openAfter: '100ms' },
      providers: {
        openai: { use: 'openai', config: { ...form } },
        mistral: { use: 'mistral', config: { ...form } },
        groq: { use: 'groq', config: { ...form } },
        speakers: { use: 'openai', config: { ...config } },
        groqs: { use: 'groq', config: { ...config } },
        xai: { use: 'xai', config: { ...config } },
        together: { use: 'together', config: { ...config } },
        google: { use: 'google', config: { apiKey: 'upstream-secret', baseUrl: upstream.url } },
        own: { use: 'openai-compatible', config: own },
      },
      models: {
        'openai/whisper': target('openai', 'whisper-1'),
        'openai/tts': target('speakers', 'tts-1'),
        'mistral/voxtral': target('mistral', 'voxtral-mini-latest', {
          input: 0,
          output: 0,
          units: { seconds: 0.00003 },
        }),
        'groq/whisper': target('groq', 'whisper-large-v3'),
        'groq/orpheus': target('groqs', 'canopylabs/orpheus-v1-english'),
        'own/whisper': target('own', 'base.en', { input: 0, output: 0, units: { seconds: 0.0001 } }),
        'google/flash': target('google', 'gemini-2.5-flash', price),
        'google/image': target('google', 'gemini-3.1-flash-image', price),
        'google/imagen': target('google', 'imagen-4.0-generate-001', perImage),
        'xai/image': target('xai', 'grok-2-image', perImage),
        'together/image': target('together', 'black-forest-labs/FLUX.2-dev', perImage),
      },
      plugins: [{ use: 'auth' }, { use: 'rate-limit' }, { use: 'failover' }],
      organizations: {
        acme: {
          projects: { web: { keys: { alice: { key: KEY }, strict: { key: `${KEY}-strict`, losses: 'reject' } } } },
        },
      },
    });
    openai = createChatClient(gateway.url);
  });
  beforeEach(() => {
    upstream.calls.length = 0;
    forms.received.length = 0;
    upstream.answer = answer;
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
    await forms.stop();
  });
  const lastCall = (): UpstreamCall => {
    const call = upstream.calls.at(-1);
    if (call === undefined) throw new Error('the provider was not called');
    return call;
  };
  const lastExchange = async () => {
    await gateway.settled(Math.max(1, gateway.exchanges().length));
    return gateway.exchanges().at(-1) ?? {};
  };
  const collect = async <T>(events: AsyncIterable<T>): Promise<readonly T[]> => {
    const all: T[] = [];
    for await (const event of events) all.push(event);
    return all;
  };
  const generate = (members: object, key = KEY): Promise<Response> =>
    fetch(`${gateway.url}/v1/images/generations`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'A cat', stream: true, ...members }),
    });

  const duration = { type: 'duration', seconds: 2 };
  for (const [model, usage, cost] of [
    ['openai/whisper', duration, 200],
    ['mistral/voxtral', duration, 60],
    ['own/whisper', duration, 200],
    // 5 x 1 + 25 x 3 + 1120 x 30
    ['google/flash', { type: 'tokens', input_tokens: 30, output_tokens: 1_120, total_tokens: 1_150 }, undefined],
  ] as const)
    it(`a transcript of ${model} is one delta and its end, with the usage and the cost of a plain response`, async () => {
      const ask = async () => ({ model, file: await toFile(writeWav(2), 'a.wav') });
      const streamed = await collect(await openai.audio.transcriptions.create({ ...(await ask()), stream: true }));
      expect(streamed[0]).to.deep.equal({ type: 'transcript.text.delta', delta: TEXT });
      expect(streamed.slice(1)).to.have.lengthOf(1);
      expect(streamed[1]).to.deep.include({ type: 'transcript.text.done', text: TEXT });
      expect(streamed[1]).to.have.property('usage').that.deep.includes(usage);
      expect(forms.received.at(-1)?.form.has('stream') ?? 'stream' in lastCall().body).to.equal(false);
      const ofStream = await lastExchange();
      expect(ofStream).to.deep.include({ operation: 'transcribe', stream: true });
      await openai.audio.transcriptions.create(await ask());
      const ofPlain = await lastExchange();
      expect(ofStream['cost_micro']).to.equal(ofPlain['cost_micro']).and.be.a('number');
      if (cost !== undefined) expect(ofStream).to.deep.include({ cost_micro: cost });
    });

  it('a transcript of Groq is streamed, and named fields that a vendor lacks are losses of it as well', async () => {
    const file = await toFile(writeWav(2), 'a.wav');
    const groq = await collect(await openai.audio.transcriptions.create({ model: 'groq/whisper', file, stream: true }));
    expect(groq.map(({ type }) => type)).to.deep.equal(['transcript.text.delta', 'transcript.text.done']);
    const request = { model: 'google/flash', file, stream: true, prompt: 'Names' } as const;
    const { response } = await openai.audio.transcriptions.create(request).withResponse();
    expect(response.headers.get('x-koine-losses')).to.match(/^prompt\b/);
    expect(response.headers.get('content-type')).to.match(/^text\/event-stream/);
  });

  it('images of Google are one event each without partial ones, with the usage on the last', async () => {
    const request = { model: 'google/image', prompt: 'A cat', size: '1024x1024', stream: true } as const;
    const [image, ...none] = await collect(await openai.images.generate({ ...request, partial_images: 0 }));
    expect(none).to.have.lengthOf(0);
    expect(image).to.deep.include({
      type: 'image_generation.completed',
      b64_json: '/9j/',
      size: 'auto',
      quality: 'auto',
      background: 'auto',
      output_format: 'jpeg',
    });
    expect(image).to.have.nested.property('usage.output_tokens_details.image_tokens', 1_120);
    // 5 x 1 + 25 x 3 + 1120 x 30
    expect(await lastExchange()).to.deep.include({ operation: 'image', stream: true, cost_micro: 33_680 });
    const two = await collect(
      await openai.images.generate({ model: 'google/imagen', prompt: 'A cat', n: 2, stream: true }),
    );
    expect(two.map(({ type }) => type)).to.deep.equal(Array(2).fill('image_generation.completed'));
    expect(await lastExchange()).to.deep.include({ cost_micro: 80_000 });
  });

  it('an image that is edited from a form of the SDK is an event of its own kind', async () => {
    const [image] = await collect(
      await openai.images.edit({
        model: 'google/image',
        prompt: 'Green',
        image: await toFile(Buffer.from(PNG, 'base64'), 'a.png', { type: 'image/png' }),
        stream: true,
        partial_images: 0,
      }),
    );
    expect(image).to.deep.include({ type: 'image_edit.completed', b64_json: '/9j/' });
  });

  it('partial images above 0 are a named loss, and 0 are none', async () => {
    for (const model of ['google/image', 'xai/image']) {
      const members = { model, partial_images: 2 };
      expect((await generate(members)).headers.get('x-koine-losses'), model).to.match(/^partial_images;dropped/);
      expect(lastCall().body, model).to.not.have.any.keys('partial_images', 'stream');
      const refused = await generate(members, `${KEY}-strict`);
      expect([refused.status, (await refused.text()).includes('partial_images')], model).to.deep.equal([400, true]);
      expect((await generate({ model, partial_images: 0 })).headers.get('x-koine-losses'), model).to.not.match(
        /partial/,
      );
    }
  });

  for (const model of ['xai/image', 'together/image'])
    it(`images of ${model} are sent for as bytes, and are events`, async () => {
      const request = { model, prompt: 'A cat', stream: true } as const;
      const [image, ...none] = await collect(await openai.images.generate(request));
      expect(none).to.have.lengthOf(0);
      expect(image).to.deep.include({ type: 'image_generation.completed', b64_json: PNG, created_at: 7 });
      expect(lastCall().body).to.deep.include({ response_format: 'b64_json' }).and.not.have.property('stream');
      expect(await lastExchange()).to.deep.include({ cost_micro: 40_000 });
      expect((await openai.images.generate({ model, prompt: 'A cat' })).data).to.deep.equal(images.data);
      expect(lastCall().body).to.not.have.any.keys('response_format', 'stream');
      upstream.answer = (response) => answerJson(response, { data: [{ url: 'https://example.com/a.png' }] });
      const addressed = await generate({ model });
      expect([addressed.status, addressed.headers.get('x-koine-losses')]).to.deep.equal([200, 'b64_json;approximated']);
      expect(await addressed.text())
        .to.match(/"type":"image_generation\.completed",.*"url":"https:\/\/example\.com\/a\.png"/)
        .and.not.match(/"error"|"b64_json"/);
      expect(await lastExchange()).to.deep.include({ status: 200, cost_micro: 40_000 });
    });

  it('an error that comes after the stream has begun is an event', async () => {
    upstream.answer = (response) =>
      void setTimeout(() => answerJson(response, { error: { message: 'No.', status: 'INTERNAL' } }, 500), 300);
    const late = await generate({ model: 'google/image' });
    expect(late.status).to.equal(200);
    expect(await late.text()).to.match(/^:[^]*\n\nevent: error\ndata: \{"type":"error","error":\{.*\}\}\n\n$/);
  });

  it('speech of the first models and of Groq is events whose parts are the file, at the cost of the file', async () => {
    for (const [model, voice] of [
      ['openai/tts', 'alloy'],
      ['groq/orpheus', 'troy'],
    ] as const) {
      const request = { model, input: TEXT, voice };
      const reply = await openai.audio.speech.create({ ...request, stream_format: 'sse' });
      const events = (await reply.text())
        .split('\n\n')
        .filter((frame) => frame.startsWith('data: '))
        .map((frame) => JSON.parse(frame.slice(6)) as { readonly type: string; readonly audio?: string });
      expect(events.at(-1)).to.deep.equal({ type: 'speech.audio.done' });
      const parts = events.map(({ audio = '' }) => audio).join('');
      expect(Buffer.from(parts, 'base64').equals(MP3), model).to.equal(true);
      expect(lastCall().body).to.not.have.property('stream_format');
      const { cost_micro: ofStream } = await lastExchange();
      expect(Buffer.from(await (await openai.audio.speech.create(request)).arrayBuffer()).equals(MP3)).to.equal(true);
      expect(await lastExchange()).to.deep.include({ cost_micro: ofStream });
      expect(ofStream, model).to.be.above(0);
    }
    const voice = await openai.audio.speech
      .create({ model: 'groq/orpheus', input: TEXT, voice: 'alloy', stream_format: 'sse' })
      .catch((error: unknown) => error);
    expect(voice).to.be.instanceOf(BadRequestError).and.include({ param: 'voice' });
  });
});
