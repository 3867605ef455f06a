import { expect } from 'chai';
import { type OpenAI, BadRequestError, toFile } from 'openai';
import { createChatClient } from '../../matrix/clients/client-chat.ts';
import { writeWav } from './audio.ts';
import { startFormVendor, type FormVendor } from './form-vendor.ts';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';

const TRANSCRIPT = '{ "text":"Hello there.", "usage":{"type":"duration","seconds":4},"house":1.0}';
const wav = writeWav(3.7);
const audio = new Blob([new Uint8Array(wav)]);

describe('transcription', () => {
  let vendor: FormVendor;
  let gateway: TestGateway;
  let openai: OpenAI;
  before(async () => {
    vendor = await startFormVendor(TRANSCRIPT);
    const config = { apiKey: 'upstream-secret', baseUrl: vendor.url };
    gateway = await startTestGateway({
      providers: {
        openai: { use: 'openai', config: { ...config } },
        mistral: { use: 'mistral', config: { ...config } },
        groq: { use: 'groq', config: { ...config } },
        local: { use: 'openai-compatible', config: { baseUrl: vendor.url, wires: ['transcriptions'] } },
        plain: { use: 'openai-compatible', config: { baseUrl: vendor.url } },
        simulator: { use: 'simulator' },
      },
      models: {
        'openai/whisper-1': { targets: [{ provider: 'openai', model: 'whisper-1' }] },
        'openai/mini': { targets: [{ provider: 'openai', model: 'gpt-4o-mini-transcribe' }] },
        'mistral/voxtral': {
          targets: [
            {
              provider: 'mistral',
              model: 'voxtral-mini-latest',
              price: { input: 0, output: 0, units: { seconds: 0.00003 } },
            },
          ],
        },
        'groq/whisper': { targets: [{ provider: 'groq', model: 'whisper-large-v3' }] },
        'two/whisper': {
          targets: [
            { provider: 'local', model: 'down' },
            { provider: 'local', model: 'up' },
          ],
        },
        'plain/chat': { targets: [{ provider: 'plain', model: 'chat' }] },
        'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] },
      },
      aliases: { 'whisper-1': 'openai/whisper-1' },
      plugins: [{ use: 'auth' }, { use: 'rate-limit' }, { use: 'failover' }],
    });
    openai = createChatClient(gateway.url);
  });
  beforeEach(() => {
    vendor.received.length = 0;
    Object.assign(vendor.state, {
      status: 200,
      type: 'application/json',
      body: TRANSCRIPT,
    });
  });
  after(async () => {
    await gateway.stop();
    await vendor.stop();
  });

  const file = () => toFile(wav, 'speech "one".wav', { type: 'audio/wav' });
  const post = (form: FormData, path = '/v1/audio/transcriptions') =>
    fetch(`${gateway.url}${path}`, { method: 'POST', headers: { authorization: `Bearer ${KEY}` }, body: form });
  const formOf = (fields: Record<string, string | Blob>): FormData => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields))
      if (typeof value === 'string') form.append(name, value);
      else form.append(name, value, 'speech.wav');
    return form;
  };
  const lastExchange = async () => {
    await gateway.settled(Math.max(1, gateway.exchanges().length));
    return gateway.exchanges().at(-1) ?? {};
  };

  it('reaches OpenAI as it was sent, with the name of the target, and comes back byte for byte', async () => {
    const form = formOf({ file: audio, prompt: 'Grüße\r\n😀', model: 'openai/whisper-1', house_field: '7' });
    form.append('timestamp_granularities[]', 'word');
    form.append('timestamp_granularities[]', 'segment');
    const reply = await post(form);
    expect([reply.status, await reply.text()]).to.deep.equal([200, vendor.state.body]);
    const [call] = vendor.received;
    expect(call?.path).to.equal('/v1/audio/transcriptions');
    const sent = [...(call?.form.entries() ?? [])].filter(([name]) => name !== 'file');
    expect(sent).to.deep.equal([
      ['prompt', 'Grüße\r\n😀'],
      ['model', 'whisper-1'],
      ['house_field', '7'],
      ['timestamp_granularities[]', 'word'],
      ['timestamp_granularities[]', 'segment'],
    ]);
    const sentFile = call?.form.get('file') as File;
    expect([sentFile.name, sentFile.type]).to.deep.equal(['speech.wav', 'audio/wav']);
    expect(Buffer.from(await sentFile.arrayBuffer()).equals(wav)).to.equal(true);
    expect(await lastExchange()).to.deep.include({ operation: 'transcribe', wire_in: 'transcriptions' });
  });

  it('is what the SDK of OpenAI sends and reads', async () => {
    const answer = await openai.audio.transcriptions.create({
      file: await file(),
      model: 'whisper-1',
      response_format: 'json',
      temperature: 0.5,
    });
    expect(answer.text).to.equal('Hello there.');
    expect(vendor.received[0]?.form.get('file')).to.have.property('name', 'speech "one".wav');
    expect(await lastExchange()).to.deep.include({ cost_micro: 400 });
  });

  for (const format of ['text', 'srt', 'vtt'] as const)
    it(`passes ${format} on, and charges the seconds of the file`, async () => {
      Object.assign(vendor.state, { type: 'text/plain; charset=utf-8', body: 'WEBVTT\n\n00:00 Hello ü\n' });
      const answer = await openai.audio.transcriptions.create({
        file: await file(),
        model: 'whisper-1',
        response_format: format,
      });
      expect(answer).to.equal('WEBVTT\n\n00:00 Hello ü\n');
      expect(await lastExchange()).to.deep.include({ cost_micro: 370 });
    });

  it('streams to the SDK, and charges what the last event says', async () => {
    const events = [
      '{"type":"transcript.text.delta","delta":"Hello"}',
      '{"type":"transcript.text.delta","delta":" there."}',
      '{"type":"transcript.text.done","text":"Hello there.","usage":{"type":"tokens","input_tokens":1000000,' +
        '"input_token_details":{"text_tokens":0,"audio_tokens":1000000},"output_tokens":1000000}}',
    ];
    const body = `${events.map((event) => `data: ${event}\n\n`).join('')}data: [DONE]\n\n`;
    Object.assign(vendor.state, { type: 'text/event-stream; charset=utf-8', body });
    const stream = await openai.audio.transcriptions.create({ file: await file(), model: 'openai/mini', stream: true });
    const read: unknown[] = [];
    for await (const event of stream) read.push(event);
    expect(read).to.deep.equal(events.map((event) => JSON.parse(event) as unknown));
    expect(await lastExchange()).to.deep.include({ cost_micro: 8_000_000 });
  });

  it('fails as a stream if the vendor ends before its last event', async () => {
    Object.assign(vendor.state, {
      type: 'text/event-stream',
      body: 'data: {"type":"transcript.text.delta","delta":"Hello"}\n\n',
    });
    const reply = await post(formOf({ model: 'openai/mini', file: audio, stream: 'true' }));
    expect(await reply.text()).to.match(/"delta":"Hello"}\n\ndata: {"error":/);
  });

  it('refuses by name what a target does not have', async () => {
    const srt = await post(formOf({ model: 'mistral/voxtral', file: audio, response_format: 'srt' }));
    expect([srt.status, (await srt.text()).includes("leave 'response_format' out")]).to.deep.equal([400, true]);
    const prompt = formOf({ model: 'mistral/voxtral', file: audio, response_format: 'json', prompt: 'names' });
    const reply = await post(prompt);
    expect([reply.status, reply.headers.get('x-koine-losses')]).to.deep.equal([200, 'prompt;dropped']);
    expect([...(vendor.received.at(-1)?.form.keys() ?? [])]).to.deep.equal(['model', 'file']);
  });

  it('translates, through the SDK', async () => {
    Object.assign(vendor.state, { body: '{"text":"Good day!"}' });
    const answer = await openai.audio.translations.create({ file: await file(), model: 'groq/whisper' });
    expect([answer.text, vendor.received[0]?.path]).to.deep.equal(['Good day!', '/v1/audio/translations']);
    expect(await lastExchange()).to.deep.include({ operation: 'translate', wire_in: 'translations' });
  });

  it('is answered by the simulator', async () => {
    const answer = await openai.audio.transcriptions.create({ file: await file(), model: 'simulator/chat' });
    const text = 'This audio has 118444 bytes and plays for 3.7 seconds.';
    expect(answer.text).to.equal(text);
    const asked = { file: await file(), model: 'simulator/chat' };
    expect(await openai.audio.transcriptions.create({ ...asked, response_format: 'srt' })).to.equal(
      `1\n00:00:00,000 --> 00:00:03,700\n${text}\n`,
    );
    const events: string[] = [];
    for await (const event of await openai.audio.transcriptions.create({ ...asked, stream: true }))
      events.push(event.type);
    expect(events).to.deep.equal(['transcript.text.delta', 'transcript.text.done']);
  });

  it('goes to the next target with the whole form', async () => {
    const reply = await post(formOf({ model: 'two/whisper', file: audio }));
    expect([reply.status, reply.headers.get('content-type')]).to.deep.equal([200, 'application/json']);
    const files = await Promise.all(
      vendor.received.map(async ({ form }) => Buffer.from(await (form.get('file') as File).arrayBuffer()).equals(wav)),
    );
    expect(files.every(Boolean)).to.equal(true);
    expect(vendor.received.map(({ form }) => form.get('model')).at(-1)).to.equal('up');
  });

  it('refuses what is no form, no audio, or lacks a field, in the shape of the wire', async () => {
    const message = async (reply: Response) => {
      const { error } = (await reply.json()) as {
        readonly error: { readonly message: string; readonly param: string };
      };
      return [reply.status, error.param, error.message.split(/[;:.]/, 1)[0]];
    };
    const json = await fetch(`${gateway.url}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: '{"model":"whisper-1","file":{"bytes":1,"seconds":0.001}}',
    });
    expect((await message(json))[0]).to.equal(415);
    const noise = formOf({ model: 'whisper-1', file: new Blob(['no audio at all']) });
    expect(await message(await post(noise))).to.deep.equal([400, 'file', "'file' is not audio by its first bytes"]);
    expect(await message(await post(formOf({ model: 'whisper-1' })))).to.deep.equal([
      400,
      'file',
      "'file' is required",
    ]);
    expect((await message(await post(formOf({ file: audio })))).slice(0, 2)).to.deep.equal([400, 'model']);
    const format = formOf({ model: 'whisper-1', file: audio, response_format: 'docx' });
    expect((await message(await post(format))).slice(0, 2)).to.deep.equal([400, 'response_format']);
    expect(vendor.received).to.deep.equal([]);
  });

  it('says what the model of another wire cannot do', async () => {
    const params = { file: await file(), model: 'plain/chat' };
    await openai.audio.transcriptions.create(params).then(
      () => expect.fail('it was answered'),
      (error: unknown) => expect(error).to.be.instanceOf(BadRequestError),
    );
  });
});
