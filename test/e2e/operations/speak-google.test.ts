import { expect } from 'chai';
import type { JsonObject } from '../../../core/api/index.ts';
import { createChatClient } from '../../matrix/clients/client-chat.ts';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { answerJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';

const SAMPLES = Buffer.from(Int16Array.from({ length: 480 }, (_, index) => index).buffer);
const gemini = {
  candidates: [
    {
      content: {
        role: 'model',
        parts: [{ inlineData: { mimeType: 'audio/L16;codec=pcm;rate=24000', data: SAMPLES.toString('base64') } }],
      },
      finishReason: 'STOP',
    },
  ],
  usageMetadata: {
    promptTokenCount: 11,
    candidatesTokenCount: 111,
    totalTokenCount: 122,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: 11 }],
    candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 111 }],
  },
  modelVersion: 'gemini-2.5-flash-preview-tts',
};
const MODEL = 'google/tts';

describe('speech of Google', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  before(async () => {
    upstream = await startUpstream();
    const google = { provider: 'google', model: 'gemini-2.5-flash-preview-tts' };
    gateway = await startTestGateway({
      stream: { openAfter: '100ms' },
      providers: {
        google: { use: 'google', config: { apiKey: 'upstream-secret', baseUrl: upstream.url } },
        openai: { use: 'openai', config: { apiKey: 'upstream-secret', baseUrl: `${upstream.url}/v1` } },
      },
      models: {
        [MODEL]: { targets: [google] },
        'google/chat': { targets: [{ provider: 'google', model: 'gemini-2.5-flash' }], wires: ['speech'] },
        'mixed/tts': { targets: [google, { provider: 'openai', model: 'tts-1' }] },
      },
      plugins: [{ use: 'auth' }, { use: 'rate-limit' }, { use: 'failover' }],
      organizations: {
        acme: {
          projects: {
            web: {
              keys: {
                alice: { key: KEY },
                strict: { key: `${KEY}-strict`, losses: 'reject' },
                shown: { key: `${KEY}-shown`, costHeaders: 'on' },
                few: { key: `${KEY}-few`, limits: [{ characters: 10, per: '1h' }] },
              },
            },
          },
        },
      },
    });
  });
  beforeEach(() => {
    upstream.calls.length = 0;
    upstream.answer = (response) => answerJson(response, gemini);
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });
  const speak = (members: object, key = KEY): Promise<Response> =>
    fetch(`${gateway.url}/v1/audio/speech`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, input: 'Hello', voice: 'kore', ...members }),
    });
  const bytesOf = async (reply: Response): Promise<Buffer> => Buffer.from(await reply.arrayBuffer());

  it('is a WAV file of the samples, billed by tokens of text and audio', async () => {
    const before = gateway.exchanges().length;
    const reply = await speak({ response_format: 'wav' });
    const file = await bytesOf(reply);
    expect(reply.headers.get('content-type')).to.equal('audio/wav');
    expect(reply.headers.get('content-length')).to.equal(String(44 + SAMPLES.byteLength));
    expect(reply.headers.get('x-koine-losses')).to.equal(null);
    expect([file.toString('latin1', 0, 4), file.readUInt32LE(24), file.readUInt32LE(40)]).to.deep.equal([
      'RIFF',
      24_000,
      SAMPLES.byteLength,
    ]);
    expect(file.subarray(44)).to.deep.equal(SAMPLES);
    expect(upstream.calls[0]).to.deep.include({
      path: '/v1beta/models/gemini-2.5-flash-preview-tts:generateContent',
      body: {
        contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
        generationConfig: {
          responseModalities: ['AUDIO'],
          speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
        },
      },
    });
    await gateway.settled(before + 1);
    // 11 * 0.5 + 111 * 10 per million
    expect(gateway.exchanges().at(-1)).to.deep.include({ operation: 'speak', cost_micro: 1_115.5 });
  });

  it('is the samples for pcm, and WAV, which is named, where the client wants what is usual', async () => {
    const samples = await speak({ response_format: 'pcm' });
    expect(samples.headers.get('content-type')).to.equal('audio/pcm');
    expect(await bytesOf(samples)).to.deep.equal(SAMPLES);
    const usual = await speak({});
    expect([usual.headers.get('content-type'), usual.headers.get('x-koine-losses')]).to.deep.equal([
      'audio/wav',
      'response_format;approximated',
    ]);
    expect((await speak({}, `${KEY}-strict`)).status).to.equal(400);
  });

  it('names what Google does not have, and refuses it under losses: reject', async () => {
    const members = { response_format: 'wav', instructions: 'Whisper', speed: 2, house: 1 };
    const reply = await speak(members);
    expect(reply.headers.get('x-koine-losses')).to.match(/speed;dropped.*instructions;approximated.*house;dropped/);
    expect(upstream.calls[0]?.body).to.have.deep.nested.property('contents[0].parts', [{ text: 'Whisper:\nHello' }]);
    expect((await speak(members, `${KEY}-strict`)).status).to.equal(400);
    expect((await speak({ response_format: 'wav', speed: 1 }, `${KEY}-strict`)).status).to.equal(200);
  });

  const eventsOf = (text: string): readonly JsonObject[] =>
    text
      .split('\n\n')
      .filter((frame) => frame !== '' && !frame.startsWith(':'))
      .map((frame) => JSON.parse(frame.replace('data: ', '')) as JsonObject);

  it('is events for stream_format: sse, whose parts together are the file', async () => {
    const long = Buffer.from(Uint8Array.from({ length: 200_000 }, (_, index) => index % 251));
    const [candidate] = gemini.candidates;
    const parts = [{ inlineData: { mimeType: 'audio/L16;codec=pcm;rate=24000', data: long.toString('base64') } }];
    upstream.answer = (response) =>
      answerJson(response, { ...gemini, candidates: [{ ...candidate, content: { role: 'model', parts } }] });
    const before = gateway.exchanges().length;
    const openai = createChatClient(gateway.url);
    const reply = await openai.audio.speech.create({
      model: MODEL,
      input: 'Hello',
      voice: 'kore',
      response_format: 'wav',
      stream_format: 'sse',
    });
    expect(reply.headers.get('content-type')).to.match(/^text\/event-stream/);
    expect(reply.headers.get('content-length')).to.equal(null);
    const events = eventsOf(await reply.text());
    const types = ['delta', 'delta', 'delta', 'delta', 'delta', 'done'].map((type) => `speech.audio.${type}`);
    expect(events.map(({ type }) => type)).to.deep.equal(types);
    expect(events.at(-1)).to.deep.equal({
      type: 'speech.audio.done',
      usage: { input_tokens: 11, output_tokens: 111, total_tokens: 122 },
    });
    const whole = events.map(({ audio }) => (typeof audio === 'string' ? audio : '')).join('');
    expect(Buffer.from(whole, 'base64').subarray(44).equals(long)).to.equal(true);
    const file = await bytesOf(await speak({ response_format: 'wav' }));
    expect(Buffer.from(whole, 'base64').equals(file)).to.equal(true);
    // The file and the events are billed alike, and only the one is a stream of the vendor.
    expect(upstream.calls[0]?.raw.equals(upstream.calls[1]?.raw ?? Buffer.alloc(0))).to.equal(true);
    await gateway.settled(before + 2);
    const [streamed, plain] = gateway.exchanges().slice(-2);
    expect([streamed?.['cost_micro'], plain?.['cost_micro']]).to.deep.equal([1_115.5, 1_115.5]);
    expect([streamed?.['stream'], plain?.['stream']]).to.deep.equal([true, false]);
  });

  it('has its cost after the events, and an event for an error that comes after the stream has begun', async () => {
    const shown = await (await speak({ response_format: 'wav', stream_format: 'sse' }, `${KEY}-shown`)).text();
    expect(shown).to.match(/speech\.audio\.done[^\n]*\n\n: x-koine-cost /);
    upstream.answer = (response) =>
      answerJson(response, { error: { message: 'No.', status: 'INVALID_ARGUMENT' } }, 400);
    const failed = await speak({ response_format: 'wav', stream_format: 'sse' });
    expect([failed.status, failed.headers.get('content-type')]).to.deep.equal([400, 'application/json']);
    upstream.answer = (response) =>
      void setTimeout(() => answerJson(response, { error: { message: 'No.', status: 'INTERNAL' } }, 500), 300);
    const late = await speak({ response_format: 'wav', stream_format: 'sse' });
    expect(late.status).to.equal(200);
    expect(await late.text()).to.match(/^:[^]*\n\ndata: \{"error":\{.*\}\n\n$/);
  });

  it('refuses formats and voices by name, and the next target is tried', async () => {
    const wrong = { response_format: 'mp3', voice: 'alloy' };
    for (const [name, value] of Object.entries(wrong)) {
      const reply = await speak({ response_format: 'wav', [name]: value });
      expect(reply.status).to.equal(400);
      expect(await reply.json()).to.have.nested.property('error.param', name);
    }
    const custom = await speak({ response_format: 'wav', voice: { id: 'voice_1' } });
    expect(custom.headers.get('x-koine-losses')).to.equal('voice;dropped');
    upstream.calls.length = 0;
    upstream.answer = (response) => void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('mp3');
    expect(await (await speak({ model: 'mixed/tts', voice: 'alloy' })).text()).to.equal('mp3');
    expect(upstream.calls.map(({ path }) => path)).to.deep.equal(['/v1/audio/speech']);
  });

  it('counts for limits of characters, which Google does not report', async () => {
    const ask = async (input: string) => (await speak({ response_format: 'wav', input }, `${KEY}-few`)).status;
    expect([await ask('123456'), await ask('12345'), await ask('1234')]).to.deep.equal([200, 429, 200]);
  });

  it('is an error where the answer has no audio, and for models that do not speak', async () => {
    upstream.answer = (response) =>
      answerJson(response, {
        candidates: [{ content: { parts: [{ text: 'No.' }] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 4 },
      });
    expect((await speak({ response_format: 'wav' })).status).to.equal(502);
    upstream.answer = (response) =>
      answerJson(response, { candidates: [{ finishReason: 'SAFETY' }], usageMetadata: { promptTokenCount: 4 } });
    const filtered = await speak({ response_format: 'wav' });
    expect([filtered.status, await filtered.json()]).to.have.nested.property('1.error.code', 'content_filter');
    expect((await speak({ model: 'google/chat' })).status).to.equal(400);
  });
});
