import Anthropic from '@anthropic-ai/sdk';
import { expect } from 'chai';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import OpenAI from 'openai';
import { KEY } from '../../support/gateway.ts';
import { CHAT, GOOGLE, MESSAGES, sceneModels, startScene, type Scene } from '../../support/scene.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { answerJson } from '../../support/upstream.ts';
import { say, type Said } from '../../extensions/guarded-upstream.ts';

const keyOf = (name: string): string => `${name}-key-0123456789abcdef`;

interface Got {
  readonly text: string;
  readonly cache: string | null;
  readonly response: Response;
}

describe('a gateway with the response cache', () => {
  let scene: Scene;
  let said: Said;
  let question = '';
  let questions = 0;
  let folder: ReturnType<typeof createTemporaryFolder>;
  before(async () => {
    folder = createTemporaryFolder();
    const projects = {
      web: { keys: { alice: { key: KEY, costHeaders: 'on' }, bob: { key: keyOf('bob') } } },
      other: { keys: { carol: { key: keyOf('carol') } } },
    };
    scene = await startScene({
      plugins: [
        { use: 'auth' },
        { use: 'ledger', config: { spool: { path: join(folder.path, 'spool') } } },
        { use: 'metrics' },
        { use: 'failover' },
        { use: 'response-cache', config: { maxResponse: '4kb' } },
      ],
      store: { database: `sqlite:${folder.path}/koine.db` },
      organizations: { acme: { projects }, beta: { projects: { web: { keys: { dora: { key: keyOf('dora') } } } } } },
      models: {
        ...sceneModels,
        'openai/text-embedding-3-small': {
          wires: ['embeddings'],
          targets: [{ provider: 'openai', model: 'text-embedding-3-small' }],
        },
      },
    });
  });
  beforeEach(() => {
    questions += 1;
    question = `Question ${questions}`;
    said = { text: ['It is', ' forty-two.'] };
    scene.upstream.answer = (response, call) => say(said, response, call);
    scene.upstream.calls.length = 0;
  });
  after(async () => {
    await scene.stop();
    folder.remove();
  });

  const calls = (): number => scene.upstream.calls.length;
  const openai = (apiKey = KEY) => new OpenAI({ apiKey, baseURL: `${scene.gateway.url}/v1`, maxRetries: 0 });
  const chat = async (body: object = {}, { key = KEY, headers = {} } = {}): Promise<Got> => {
    const request = { model: CHAT, temperature: 0, messages: [{ role: 'user' as const, content: question }], ...body };
    const { data, response } = await openai(key).chat.completions.create(request, { headers }).withResponse();
    const cache = response.headers.get('x-koine-cache');
    if ('choices' in data) return { text: data.choices[0]?.message.content ?? '', cache, response };
    let text = '';
    for await (const { choices } of data as AsyncIterable<OpenAI.ChatCompletionChunk>)
      text += choices[0]?.delta.content ?? '';
    return { text, cache, response };
  };
  const messages = async (stream: boolean): Promise<Pick<Got, 'text' | 'cache'>> => {
    const client = new Anthropic({ apiKey: KEY, baseURL: scene.gateway.url, maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: question }];
    const body = { model: MESSAGES, max_tokens: 50, temperature: 0, messages };
    const read = ({ content }: Anthropic.Message) =>
      content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    if (!stream) {
      const { data, response } = await client.messages.create(body).withResponse();
      return { text: read(data), cache: response.headers.get('x-koine-cache') };
    }
    const streamed = client.messages.stream(body);
    const message = await streamed.finalMessage();
    return { text: read(message), cache: streamed.response?.headers.get('x-koine-cache') ?? null };
  };
  const text = 'It is forty-two.';

  it('answers an equal request with the stored response, which names its provider and costs nothing', async () => {
    const first = await chat();
    expect([first.text, first.cache]).to.deep.equal([text, 'miss']);
    const second = await chat();
    expect([second.text, second.cache]).to.deep.equal([text, 'hit']);
    expect(calls()).to.equal(1);
    expect(second.response.headers.get('x-koine-provider')).to.equal('openai');
    expect(second.response.headers.get('x-koine-attempts')).to.equal('0');
    expect(first.response.headers.get('x-koine-cost')).to.not.equal('0');
    expect(Number(second.response.headers.get('x-koine-cost'))).to.equal(0);
  });

  it('is marked in the access log, the ledger and a metric, without cost and tokens', async () => {
    await chat();
    const { response } = await chat();
    const id = response.headers.get('x-request-id');
    const find = () => scene.gateway.exchanges().find((line) => line['request_id'] === id);
    await until('the exchange is logged', () => find() !== undefined);
    const line = find() ?? {};
    expect(line['fields']).to.deep.equal({ 'response-cache.result': 'hit' });
    expect([line['status'], line['outcome'], line['attempts'], line['tokens_out']]).to.deep.equal([
      200,
      'ok',
      [],
      undefined,
    ]);
    const database = new DatabaseSync(join(folder.path, 'koine.db'), { timeout: 20_000 });
    const read = () => database.prepare("select * from ledger where id = ? and state = 'settled'").get(id);
    await until('the row is written', () => read() !== undefined);
    const row = read() ?? {};
    expect(JSON.parse(String(row['tags']))).to.deep.equal({ 'response-cache.result': 'hit' });
    expect([row['cost'], row['output_tokens'], row['attempts']]).to.deep.equal([0, 0, 0]);
    database.close();
    const metrics = await (await fetch(`${scene.gateway.gateway.admin?.url}/metrics`)).text();
    expect(metrics).to.match(/koine_response_cache_requests_total\{result="hit"\} \d/);
    expect(metrics).to.match(/koine_response_cache_bytes [1-9]/);
  });

  for (const [stored, asked] of [
    [false, true],
    [true, false],
    [true, true],
  ] as const) {
    const how = `${stored ? 'streamed' : 'plain'} response answers a ${asked ? 'streamed' : 'plain'} request`;

    it(`a ${how} of chat completions`, async () => {
      await chat({ stream: stored });
      const { text: got, cache } = await chat({ stream: asked });
      expect([got, cache, calls()]).to.deep.equal([text, 'hit', 1]);
    });

    it(`a ${how} of messages`, async () => {
      await messages(stored);
      expect(await messages(asked)).to.deep.equal({ text, cache: 'hit' });
      expect(calls()).to.equal(1);
    });
  }

  it('a stored stream without usage answers a request with usage, and the other way around', async () => {
    const usages = async (include: boolean): Promise<number> => {
      const body = { model: CHAT, temperature: 0, messages: [{ role: 'user' as const, content: question }] };
      let count = 0;
      const stream = await openai().chat.completions.create({
        ...body,
        stream: true,
        stream_options: { include_usage: include },
      });
      for await (const { usage } of stream) if (usage !== null && usage !== undefined) count += 1;
      return count;
    };
    expect(await usages(true)).to.equal(1);
    expect(await usages(false)).to.equal(0);
    expect(calls()).to.equal(1);
  });

  it('works on generateContent, between a JSON array and server-sent events', async () => {
    scene.upstream.answer = (response, { path }) =>
      path.includes('stream')
        ? void response
            .writeHead(200, { 'content-type': 'text/event-stream' })
            .end(
              'data: {"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"Forty-two."}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":2,"totalTokenCount":5}}\n\n',
            )
        : answerJson(response, {});
    const body = JSON.stringify({
      contents: [{ role: 'user', parts: [{ text: question }] }],
      generationConfig: { temperature: 0 },
    });
    const headers = { 'x-goog-api-key': KEY, 'content-type': 'application/json' };
    const url = `${scene.gateway.url}/v1beta/models/${GOOGLE}:streamGenerateContent`;
    const array = await fetch(url, { method: 'POST', headers, body });
    expect(await array.text()).to.include('Forty-two.');
    const events = await fetch(`${url}?alt=sse`, { method: 'POST', headers, body });
    expect(events.headers.get('content-type')).to.include('text/event-stream');
    const data = (await events.text()).split('\n\n').filter((frame) => frame.startsWith('data: '));
    const texts = data.map((frame) => {
      const { candidates } = JSON.parse(frame.slice(6)) as {
        readonly candidates?: readonly {
          readonly content?: { readonly parts?: readonly { readonly text?: string }[] };
        }[];
      };
      return candidates?.[0]?.content?.parts?.[0]?.text ?? '';
    });
    expect([array.status, events.status, texts.join(''), calls()]).to.deep.equal([200, 200, 'Forty-two.', 1]);
  });

  it('answers equal embeddings', async () => {
    scene.upstream.answer = (response) =>
      answerJson(response, {
        object: 'list',
        model: 'm',
        data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
        usage: { prompt_tokens: 3, total_tokens: 3 },
      });
    const model = 'openai/text-embedding-3-small';
    for (let round = 0; round < 2; round += 1) {
      const { data } = await openai().embeddings.create({ model, input: question, encoding_format: 'float' });
      expect(data[0]?.embedding).to.deep.equal([0.5]);
    }
    expect(calls()).to.equal(1);
  });

  it('is shared by the keys of a project, and never with another project or organization', async () => {
    await chat();
    expect((await chat({}, { key: keyOf('bob') })).cache).to.equal('hit');
    expect((await chat({}, { key: keyOf('carol') })).cache).to.equal('miss');
    expect((await chat({}, { key: keyOf('dora') })).cache).to.equal('miss');
    expect(calls()).to.equal(3);
  });

  it('another setting, model or end user is another request', async () => {
    await chat();
    const others = [{ max_tokens: 9 }, { model: MESSAGES }, { user: 'joe' }, { seed: 1 }, { unknown_member: true }];
    for (const other of others) expect((await chat(other)).cache, JSON.stringify(other)).to.equal('miss');
    expect(calls()).to.equal(1 + others.length);
  });

  it('requests that are not deterministic are sent, without the header', async () => {
    for (let round = 0; round < 2; round += 1) expect((await chat({ temperature: 0.5 })).cache).to.equal(null);
    expect(calls()).to.equal(2);
  });

  it('a client can bypass the cache, or refresh it', async () => {
    await chat();
    said = { text: ['Forty-three.'] };
    expect(await chat({}, { headers: { 'cache-control': 'no-store' } })).to.include({
      text: 'Forty-three.',
      cache: null,
    });
    expect(await chat()).to.include({ text, cache: 'hit' });
    expect(await chat({}, { headers: { 'cache-control': 'max-age=0, no-cache' } })).to.include({
      text: 'Forty-three.',
      cache: 'miss',
    });
    expect(await chat()).to.include({ text: 'Forty-three.', cache: 'hit' });
    expect(calls()).to.equal(3);
  });

  it('does not store errors, responses that are too long, and streams that a client left', async () => {
    scene.upstream.answer = (response) => answerJson(response, { error: { message: 'Busy.' } }, 400);
    await chat().catch(() => {});
    said = { text: ['x'.repeat(5_000)] };
    scene.upstream.answer = (response, call) => say(said, response, call);
    expect((await chat()).cache).to.equal('miss');
    expect((await chat()).cache).to.equal('miss');
    question += ' again';
    said = { text: ['Forty'], isOpen: true };
    const messages = [{ role: 'user' as const, content: question }];
    const stream = await openai().chat.completions.create({ model: CHAT, temperature: 0, messages, stream: true });
    for await (const { choices } of stream) if (choices[0]?.delta.content === 'Forty') break;
    const isOver = () => scene.gateway.exchanges().some(({ ending }) => ending === 'client_closed');
    await until('the exchange is over', isOver);
    said = { text: ['Whole.'] };
    expect(await chat({ stream: true })).to.include({ text: 'Whole.', cache: 'miss' });
  });
});
