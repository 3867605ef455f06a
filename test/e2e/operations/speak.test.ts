import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { type OpenAI, InternalServerError } from 'openai';
import { createChatClient } from '../../matrix/clients/client-chat.ts';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { answerJson, startUpstream, type TestUpstream, type UpstreamCall } from '../../support/upstream.ts';

const MP3 = Buffer.from([0xff, 0xf3, 0xc4, 0x00, ...Array(300).keys()]);
const [START, REST] = [MP3.subarray(0, 100), MP3.subarray(100)];
const usage = { input_tokens: 14, output_tokens: 101, total_tokens: 115 };
const frame = (members: object): string => `data: ${JSON.stringify(members)}\n\n`;
const delta = frame({ type: 'speech.audio.delta', audio: START.toString('base64') });
const done = frame({ type: 'speech.audio.done', usage });
const TEXT = 'Grüße 😀';

const answerAudio = (response: ServerResponse, type = 'audio/mpeg'): void =>
  void response.writeHead(200, { 'content-type': type }).end(MP3);
const answerEvents = (response: ServerResponse, text: string): void =>
  void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
/** The connection breaks after these bytes. */
const breakAfter = (response: ServerResponse, type: string, bytes: string | Buffer): void => {
  response.writeHead(200, { 'content-type': type });
  response.write(bytes, () => response.destroy());
};

/** What can come in place of a file. */
const failures: readonly ((response: ServerResponse) => void)[] = [
  (response) => answerJson(response, { error: { message: 'down' } }, 503),
  (response) => void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(),
  (response) => answerJson(response, { error: { message: 'none', code: 'server_error' } }),
  (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Log in</p>'),
  (response) => breakAfter(response, 'audio/mpeg', ''),
];

describe('speech', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  let openai: OpenAI;
  before(async () => {
    upstream = await startUpstream();
    const config = { apiKey: 'upstream-secret', baseUrl: `${upstream.url}/v1` };
    const azure = {
      apiKey: 'upstream-secret',
      endpoint: upstream.url,
      api: 'deployments',
      deployments: { 'tts-1': 'team-tts' },
    };
    const targets = (provider: string, model: string) => ({ targets: [{ provider, model }] });
    gateway = await startTestGateway({
      providers: {
        openai: { use: 'openai', config: { ...config } },
        groq: { use: 'groq', config: { ...config } },
        azure: { use: 'azure-openai', config: azure },
        local: { use: 'openai-compatible', config: { baseUrl: config.baseUrl, wires: ['speech'] } },
        plain: { use: 'openai-compatible', config: { baseUrl: config.baseUrl } },
        simulator: { use: 'simulator' },
      },
      models: {
        'openai/tts': targets('openai', 'tts-1'),
        'openai/mini': targets('openai', 'gpt-4o-mini-tts'),
        'groq/orpheus': targets('groq', 'canopylabs/orpheus-v1-english'),
        'azure/tts': targets('azure', 'tts-1'),
        'local/kokoro': targets('local', 'kokoro'),
        'plain/chat': { wires: ['chat-completions', 'speech'], ...targets('plain', 'chat') },
        'simulator/chat': targets('simulator', 'chat'),
        ...Object.fromEntries(
          failures.map((_fail, index) => [
            `two/tts-${index}`,
            { targets: [`down-${index}`, 'up'].map((model) => ({ provider: 'local', model })) },
          ]),
        ),
        'mixed/tts': {
          targets: [
            { provider: 'groq', model: 'canopylabs/orpheus-v1-english' },
            { provider: 'openai', model: 'tts-1' },
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
                few: { key: `${KEY}-few`, limits: [{ characters: 20, per: '1h' }] },
                poor: { key: `${KEY}-poor`, limits: [{ cost: 0.0005, per: 'hour' }] },
                strict: { key: `${KEY}-strict`, losses: 'reject' },
                shown: { key: `${KEY}-shown`, costHeaders: 'on' },
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
    upstream.answer = (response) => answerAudio(response);
  });
  after(async () => {
    await gateway?.stop();
    await upstream?.stop();
  });
  const lastCall = (): UpstreamCall => {
    const call = upstream.calls.at(-1);
    if (call === undefined) throw new Error('the provider was not called');
    return call;
  };
  const post = (body: string | object, key = KEY, signal?: AbortSignal): Promise<Response> =>
    fetch(`${gateway.url}/v1/audio/speech`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${key}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
  const speak = (members: object, key?: string) => post({ input: TEXT, voice: 'alloy', ...members }, key);
  const bytesOf = async (reply: Response): Promise<Buffer> => Buffer.from(await reply.arrayBuffer());
  const refusal = (request: Promise<unknown>): Promise<unknown> => request.catch((error: unknown) => error);
  let settled = 0;
  const nextExchange = async () => {
    await gateway.settled(Math.max(settled + 1, gateway.exchanges().length));
    settled = gateway.exchanges().length;
    return gateway.exchanges().at(-1) ?? {};
  };
  beforeEach(() => void (settled = gateway.exchanges().length));

  it('reaches OpenAI as it was sent, comes back byte for byte, and costs what its characters cost', async () => {
    const body = `{ "input":"Grüße \\ud83d\\ude00", "model":"openai/tts","voice":"alloy","house":12345678901234567890}`;
    const reply = await post(body);
    expect(await bytesOf(reply)).to.deep.equal(MP3);
    expect(reply.headers.get('content-type')).to.equal('audio/mpeg');
    expect(reply.headers.get('x-koine-lane')).to.equal('native');
    expect(lastCall()).to.deep.include({ path: '/v1/audio/speech' });
    expect(lastCall().raw.toString()).to.equal(body.replace('openai/tts', 'tts-1'));
    // 7 characters at USD 15 per million
    expect(await nextExchange()).to.deep.include({ operation: 'speak', wire_in: 'speech', cost_micro: 105 });
  });

  it('arrives as the vendor makes it', async () => {
    let vendor: ServerResponse | undefined;
    upstream.answer = (response) => {
      vendor = response.writeHead(200, { 'content-type': 'audio/mpeg' });
      response.write(START);
    };
    const { body } = await speak({ model: 'openai/tts' });
    const reader = (body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
    expect(Buffer.from((await reader.read()).value ?? [])).to.deep.equal(START);
    vendor?.end(REST);
    expect(Buffer.from((await reader.read()).value ?? [])).to.deep.equal(REST);
    expect((await reader.read()).done).to.equal(true);
  });

  it('is what the SDK of OpenAI sends and reads, as a file and as events', async () => {
    const file = await openai.audio.speech.create({ model: 'openai/tts', input: TEXT, voice: 'alloy' });
    expect(await bytesOf(file)).to.deep.equal(MP3);
    upstream.answer = (response) => answerEvents(response, delta + done);
    const events = await openai.audio.speech.create({
      model: 'openai/mini',
      input: TEXT,
      voice: 'alloy',
      stream_format: 'sse',
    });
    expect(await events.text()).to.equal(delta + done);
    expect(events.headers.get('content-type')).to.match(/^text\/event-stream/);
  });

  it('has a price of tokens: those of the last event, else an estimate of its characters', async () => {
    upstream.answer = (response) => answerEvents(response, delta + done);
    await (await speak({ model: 'openai/mini', stream_format: 'sse' })).text();
    // 14 * 0.6 + 101 * 12 per million
    expect(await nextExchange())
      .to.include({ cost_micro: 1_220.4 })
      .and.not.have.property('tokens_estimated');
    upstream.answer = (response) => answerAudio(response);
    await bytesOf(await speak({ model: 'openai/mini' }));
    const estimated = await nextExchange();
    expect(estimated).to.include({ tokens_estimated: true });
    expect(estimated['cost_micro']).to.be.within(150, 1_000);
  });

  it('ends its connection abnormally where the file breaks off, and is charged', async () => {
    upstream.answer = (response) => breakAfter(response, 'audio/mpeg', START);
    const reply = await speak({ model: 'openai/tts' });
    expect(reply.status).to.equal(200);
    expect(await refusal(bytesOf(reply))).to.be.instanceOf(TypeError);
    expect(await nextExchange()).to.deep.include({ status: 200, term: 'UR', cost_micro: 105 });
  });

  it('has an event for the error of a stream of events', async () => {
    upstream.answer = (response) => breakAfter(response, 'text/event-stream', delta);
    const cut = await (await speak({ model: 'openai/mini', stream_format: 'sse' })).text();
    expect(cut).to.match(/^data: \{"type":"speech.audio.delta".*\n\ndata: \{"error":\{.*\n\n$/);
    upstream.answer = (response) => answerEvents(response, delta);
    expect(await (await speak({ model: 'openai/mini', stream_format: 'sse' })).text()).to.include('"error"');
  });

  it('fails over until the first byte: after errors, empty files, JSON and pages', async () => {
    for (const [index, fail] of failures.entries()) {
      upstream.answer = (response, { body }) => (body['model'] === 'up' ? answerAudio(response) : fail(response));
      const reply = await speak({ model: `two/tts-${index}` });
      expect(await bytesOf(reply)).to.deep.equal(MP3);
      const tried = upstream.calls.splice(0).map(({ body }) => body['model']);
      expect([tried[0], tried.at(-1)], tried.join()).to.deep.equal([`down-${index}`, 'up']);
    }
    upstream.answer = (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Log in</p>');
    const failed = await refusal(openai.audio.speech.create({ model: 'openai/tts', input: TEXT, voice: 'alloy' }));
    expect(failed).to.be.instanceOf(InternalServerError).and.include({ status: 502 });
  });

  it('has the type of its format where the server does not know it', async () => {
    upstream.answer = (response) => answerAudio(response, 'application/octet-stream');
    const type = async (format?: string) =>
      (await speak({ model: 'local/kokoro', response_format: format })).headers.get('content-type');
    expect([await type(), await type('wav'), await type('opus')]).to.deep.equal([
      'audio/mpeg',
      'audio/wav',
      'audio/ogg',
    ]);
    upstream.answer = (response) => answerAudio(response, 'audio/mpeg; a=<script>');
    expect(await type('flac')).to.equal('audio/flac');
  });

  it('names what the first models of OpenAI do not have, and sends it to no model without it', async () => {
    const reply = await speak({ model: 'openai/tts', instructions: 'Whisper' });
    expect(reply.headers.get('x-koine-losses')).to.equal('instructions;dropped');
    expect(lastCall().body).to.not.have.property('instructions');
    expect((await speak({ model: 'openai/tts', instructions: 'Whisper' }, `${KEY}-strict`)).status).to.equal(400);
  });

  it('is WAV at Groq, whose voices are its own, and goes to the next target for others', async () => {
    upstream.answer = (response) => answerAudio(response, 'audio/wav');
    const reply = await speak({ model: 'groq/orpheus', voice: 'hannah' });
    expect(reply.headers.get('x-koine-losses')).to.equal('response_format;approximated');
    expect(lastCall().body).to.deep.include({ model: 'canopylabs/orpheus-v1-english', response_format: 'wav' });
    expect(await nextExchange()).to.deep.include({ cost_micro: 154 });
    const asked = await speak({ model: 'groq/orpheus', voice: 'hannah', response_format: 'wav' }, `${KEY}-strict`);
    expect([asked.status, asked.headers.get('x-koine-losses')]).to.deep.equal([200, null]);
    const refused = [{ voice: 'alloy' }, { voice: 'troy', response_format: 'mp3' }];
    for (const members of refused) {
      const answer = await speak({ model: 'groq/orpheus', ...members });
      expect(answer.status).to.equal(400);
      expect(await answer.json()).to.have.nested.property('error.param', Object.keys(members).at(-1));
    }
    await bytesOf(await speak({ model: 'mixed/tts', voice: 'alloy' }));
    expect(lastCall().body).to.deep.include({ model: 'tts-1', voice: 'alloy' });
  });

  it('is at the path of the deployment at Azure', async () => {
    expect(await bytesOf(await speak({ model: 'azure/tts' }))).to.deep.equal(MP3);
    expect(lastCall()).to.deep.include({ path: '/openai/deployments/team-tts/audio/speech?api-version=2024-10-21' });
    expect(lastCall().body).to.deep.include({ model: 'team-tts', input: TEXT });
  });

  it('is counted by limits of characters, which reserve those of the text', async () => {
    const ask = async (input: string) => (await speak({ model: 'openai/mini', input }, `${KEY}-few`)).status;
    expect(await ask('x'.repeat(21))).to.equal(400);
    expect(upstream.calls).to.have.lengthOf(0);
    expect(await ask('😀'.repeat(12))).to.equal(200);
    expect(await ask('x'.repeat(9))).to.equal(429);
    expect(await ask('x'.repeat(8))).to.equal(200);
    expect(upstream.calls).to.have.lengthOf(2);
  });

  it('reserves its cost, has none where its price is not known, and may then not be used under a limit of cost', async () => {
    const ask = async (input: string) => (await speak({ model: 'openai/tts', input }, `${KEY}-poor`)).status;
    expect(await ask('x'.repeat(40))).to.equal(400);
    expect(upstream.calls).to.have.lengthOf(0);
    expect(await ask('x'.repeat(30))).to.equal(200);
    await nextExchange();
    await bytesOf(await speak({ model: 'local/kokoro' }));
    expect(await nextExchange()).to.not.have.property('cost_micro');
    expect((await speak({ model: 'local/kokoro' }, `${KEY}-poor`)).status).to.equal(403);
  });

  it('is charged as a whole where the client leaves in the middle', async () => {
    upstream.answer = (response) => void response.writeHead(200, { 'content-type': 'audio/mpeg' }).write(START);
    const leaving = new AbortController();
    const { body } = await post({ model: 'openai/tts', input: TEXT, voice: 'alloy' }, KEY, leaving.signal);
    await (body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader().read();
    leaving.abort();
    expect(await nextExchange()).to.deep.include({ term: 'CD', cost_micro: 105 });
  });

  it('is refused with the member that is wrong, and for models that do not speak', async () => {
    const wrong = [{ input: 7 }, { voice: 7 }, { stream_format: 'ndjson' }, { speed: -1 }, { instructions: [] }];
    for (const members of wrong) {
      const reply = await speak({ model: 'openai/tts', ...members });
      expect(reply.status).to.equal(400);
      expect(await reply.json()).to.have.nested.property('error.param', Object.keys(members)[0]);
    }
    expect((await post({ model: 'openai/tts', voice: 'alloy' })).status).to.equal(400);
    expect(await (await speak({ model: 'plain/chat' })).text()).to.include("does not serve the operation 'speak'");
    expect((await speak({ model: 'gone' })).status).to.equal(404);
    expect(upstream.calls).to.have.lengthOf(0);
  });

  it('passes voices of the client, unknown formats and errors of the vendor on', async () => {
    const voice = { id: 'voice_1234' };
    await bytesOf(await speak({ model: 'openai/mini', voice, response_format: 'mulaw', speed: 1.1 }));
    expect(lastCall().body).to.deep.include({ voice, response_format: 'mulaw', speed: 1.1 });
    const error = { message: 'No such voice.', type: 'invalid_request_error', param: 'voice', code: null };
    upstream.answer = (response) => answerJson(response, { error }, 400);
    const refused = await speak({ model: 'openai/mini' });
    expect([refused.status, await refused.json()]).to.deep.include(400);
  });

  it('shows what it has cost after its last byte', async () => {
    const reply = await speak({ model: 'openai/tts' }, `${KEY}-shown`);
    expect(reply.headers.get('trailer')).to.equal('x-koine-cost, x-koine-usage');
    expect(await bytesOf(reply)).to.deep.equal(MP3);
  });

  it('is a tone of the simulator, as a file and as events', async () => {
    const reply = await speak({ model: 'simulator/chat', response_format: 'wav' });
    expect(reply.headers.get('content-type')).to.equal('audio/wav');
    const file = await bytesOf(reply);
    expect([file.toString('latin1', 0, 4), file.readUInt32LE(24), file.byteLength]).to.deep.equal([
      'RIFF',
      24_000,
      4_844,
    ]);
    const samples = await bytesOf(await speak({ model: 'simulator/chat', response_format: 'pcm' }));
    expect(samples).to.deep.equal(file.subarray(44));
    const events = await (
      await speak({ model: 'simulator/chat', response_format: 'pcm', stream_format: 'sse' })
    ).text();
    const parts = [...events.matchAll(/"audio":"([^"]*)"/g)].map(([, part = '']) => Buffer.from(part, 'base64'));
    expect(Buffer.concat(parts)).to.deep.equal(samples);
    expect(events).to.match(/speech\.audio\.done","usage":\{"input_tokens":\d+,"output_tokens":20,/);
  });
});
