import { expect } from 'chai';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { answerJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';
import { writeWav } from './audio.ts';

const TEXT = 'Ruby is a programming language.';
const gemini = {
  candidates: [{ content: { role: 'model', parts: [{ text: TEXT }] }, finishReason: 'STOP' }],
  usageMetadata: {
    promptTokenCount: 139,
    candidatesTokenCount: 10,
    totalTokenCount: 175,
    promptTokensDetails: [
      { modality: 'TEXT', tokenCount: 20 },
      { modality: 'AUDIO', tokenCount: 119 },
    ],
    thoughtsTokenCount: 26,
  },
  modelVersion: 'gemini-2.5-flash',
};
/** The same as OpenAI writes it. Thoughts are output. */
const USAGE = {
  type: 'tokens',
  input_tokens: 139,
  input_token_details: { text_tokens: 20, audio_tokens: 119 },
  output_tokens: 36,
  total_tokens: 175,
};
const MODEL = 'google/flash';

describe('speech to text of Google', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  before(async () => {
    upstream = await startUpstream();
    const price = { input: 1, output: 2, inputAudio: 3 };
    const google = { provider: 'google', model: 'gemini-2.5-flash', price };
    gateway = await startTestGateway({
      // One recording of 12 MB has no room in memory.
      server: { bodyLimit: '8mb', overload: { memory: '40mb', lag: '1m' } },
      providers: {
        google: { use: 'google', config: { apiKey: 'upstream-secret', baseUrl: upstream.url } },
        simulator: { use: 'simulator' },
      },
      models: {
        [MODEL]: { targets: [google] },
        'mixed/heard': { targets: [google, { provider: 'simulator', model: 'chat' }] },
      },
      plugins: [{ use: 'auth' }, { use: 'rate-limit' }, { use: 'failover' }],
      organizations: {
        acme: {
          projects: {
            web: {
              keys: {
                alice: { key: KEY },
                strict: { key: `${KEY}-strict`, losses: 'reject' },
                few: { key: `${KEY}-few`, limits: [{ seconds: 3, per: '1h' }] },
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
  const wav = writeWav(2);
  const send = (
    fields: Readonly<Record<string, string>>,
    { file = wav, key = KEY, path = 'transcriptions' }: { file?: Buffer; key?: string; path?: string } = {},
  ): Promise<Response> => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ model: MODEL, ...fields })) form.append(name, value);
    form.append('file', new Blob([new Uint8Array(file)]), 'speech.wav');
    return fetch(`${gateway.url}/v1/audio/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: form,
    });
  };
  const paramOf = async (reply: Response): Promise<string> => {
    const { error } = (await reply.json()) as { error: { param: string } };
    return `${reply.status} ${error.param}`;
  };

  it('is a text, billed by tokens of text and audio, with the seconds of the file', async () => {
    const before = gateway.exchanges().length;
    const reply = await send({ language: 'en', temperature: '0.2' });
    expect(await reply.json()).to.deep.equal({ text: TEXT, usage: USAGE });
    expect(reply.headers.get('x-koine-losses')).to.match(/^language\b/);
    const [call] = upstream.calls;
    expect(call?.path).to.equal('/v1beta/models/gemini-2.5-flash:generateContent');
    expect(call?.body).to.deep.equal({
      contents: [
        {
          role: 'user',
          parts: [
            {
              text:
                'Transcribe the provided audio and respond with only the transcript text. ' +
                'The language of the audio is en.',
            },
            { inlineData: { mimeType: 'audio/wav', data: wav.toString('base64') } },
          ],
        },
      ],
      generationConfig: { responseMimeType: 'text/plain', temperature: 0.2 },
    });
    await gateway.settled(before + 1);
    // 20 x 1 + 119 x 3 + (10 + 26) x 2, in millionths.
    expect(gateway.exchanges().at(-1)).to.deep.include({ operation: 'transcribe', tokens_in: 139, cost_micro: 449 });
  });

  it('is plain text for clients that ask for it, and English for translations', async () => {
    const reply = await send({ response_format: 'text' });
    expect([reply.headers.get('content-type'), await reply.text()]).to.deep.equal([
      'text/plain; charset=utf-8',
      `${TEXT}\n`,
    ]);
    const translated = await send({}, { path: 'translations' });
    expect(await translated.json()).to.deep.equal({ text: TEXT });
    expect(JSON.stringify(upstream.calls.at(-1)?.body)).to.include('to English');
  });

  it('refuses by name what the model cannot do, and tries the next target', async () => {
    for (const format of ['verbose_json', 'srt', 'vtt', 'diarized_json'])
      expect(await paramOf(await send({ response_format: format })), format).to.equal('400 response_format');
    expect(await paramOf(await send({ prompt: 'names' }, { key: `${KEY}-strict` }))).to.equal('400 prompt');
    expect(await paramOf(await send({}, { file: writeWav(500) }))).to.equal('400 file');
    expect(upstream.calls).to.have.lengthOf(0);
    const reply = await send({ model: 'mixed/heard', response_format: 'verbose_json' });
    expect(reply.status).to.equal(200);
    expect(upstream.calls).to.have.lengthOf(0);
  });

  it('has a recording in memory only if there is room for it: otherwise the next target takes the form', async () => {
    const file = writeWav(400);
    const alone = await send({}, { file });
    expect([alone.status, await alone.text()].join(' ')).to.match(/^413 .*memory/);
    expect((await send({ model: 'mixed/heard' }, { file })).status).to.equal(200);
    expect(upstream.calls).to.have.lengthOf(0);
  });

  it('names fields that Google does not have, and counts in limits of seconds', async () => {
    const reply = await send({ 'timestamp_granularities[]': 'word', 'chunking_strategy': 'auto' });
    expect(reply.headers.get('x-koine-losses')).to.match(/timestamp_granularities.*chunking_strategy/);
    expect((await send({}, { key: `${KEY}-few` })).status).to.equal(200);
    expect((await send({}, { key: `${KEY}-few` })).status).to.equal(429);
  });

  it('passes on a refusal, and an answer without a text', async () => {
    upstream.answer = (response) => answerJson(response, { promptFeedback: { blockReason: 'SAFETY' } });
    expect((await send({})).status).to.be.within(400, 499);
    upstream.answer = (response) => answerJson(response, { candidates: [] });
    expect((await send({})).status).to.equal(502);
  });
});
