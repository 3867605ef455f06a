import { expect } from 'chai';
import OpenAI, { APIError, BadRequestError, InternalServerError } from 'openai';
import type { ServerResponse } from 'node:http';
import { until } from '../../support/until.ts';
import { KEY } from '../../support/gateway.ts';
import { MESSAGES, startScene, type Scene } from '../../support/scene.ts';

const usage = { input_tokens: 10, cache_read_input_tokens: 4, cache_creation_input_tokens: 0, output_tokens: 5 };
const message = (text: string) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'vendor',
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
});
const event = (data: { readonly type: string }): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const opening = (): string =>
  event({ type: 'message_start', message: { ...message(''), content: [], stop_reason: null } } as { type: string });
const words = (text: string): string =>
  [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
  ]
    .map(event)
    .join('');
const closing = [
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
]
  .map(event)
  .join('');
const startEvents = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });

/** `n` answers of a vendor that gives one per call. */
describe('several choices', () => {
  let scene: Scene;
  let client: OpenAI;
  before(async () => {
    scene = await startScene();
    client = new OpenAI({ apiKey: KEY, baseURL: `${scene.gateway.url}/v1`, maxRetries: 0 });
  });
  beforeEach(() => {
    scene.upstream.calls.length = 0;
  });
  after(() => scene.stop());

  const request = { model: MESSAGES, n: 3, max_tokens: 20, messages: [{ role: 'user', content: 'Hi' }] } as const;
  const tokens = { prompt_tokens: 14, completion_tokens: 15, total_tokens: 29 };

  it('E25 several choices become several calls and one response whose prompt counts once', async () => {
    scene.upstream.answer = (response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(message(`answer ${scene.upstream.calls.length}`)));
    const { data: answer, response } = await client.chat.completions
      .create({ ...request, messages: [...request.messages] })
      .withResponse();
    expect(answer.choices.map(({ index, finish_reason: finish }) => [index, finish])).to.deep.equal(
      [0, 1, 2].map((index) => [index, 'stop']),
    );
    expect(answer.choices.map(({ message: { content } }) => content)).to.have.members([
      'answer 1',
      'answer 2',
      'answer 3',
    ]);
    expect(answer.usage).to.include(tokens);
    expect(scene.upstream.calls.map(({ body }) => body)).to.deep.equal(Array(3).fill(scene.upstream.calls[0]?.body));
    expect(scene.upstream.calls[0]?.body).to.not.have.property('n');
    expect(response.headers.get('x-koine-losses')).to.equal('n;injected');
  });

  it('each call of several choices is billed, and the log has the input of all of them', async () => {
    scene.upstream.answer = (response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message('x')));
    const before = scene.gateway.exchanges().length;
    await client.chat.completions.create({ ...request, messages: [...request.messages] });
    await scene.gateway.settled(before + 1);
    expect(scene.gateway.exchanges()[before]).to.include({ tokens_in: 42, tokens_cache: 12, tokens_out: 15 });
    expect(scene.gateway.exchanges()[before]?.['attempts']).to.have.length(1);
  });

  it('E25 several streamed choices interleave and end with one usage', async () => {
    const open: ServerResponse[] = [];
    scene.upstream.answer = (response) => {
      open.push(startEvents(response));
      response.write(opening() + words(`first of ${open.length}`));
      // Each says its second half when all have said their first.
      if (open.length === 3)
        for (const each of open) each.end(words(', second').split('\n\n').slice(1).join('\n\n') + closing);
    };
    const stream = await client.chat.completions.create({
      ...request,
      messages: [...request.messages],
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const text = (index: number): string =>
      chunks
        .flatMap(({ choices }) =>
          choices.filter((choice) => choice.index === index).map(({ delta }) => delta.content ?? ''),
        )
        .join('');
    expect([text(0), text(1), text(2)]).to.have.members([
      'first of 1, second',
      'first of 2, second',
      'first of 3, second',
    ]);
    expect(new Set(chunks.map(({ id }) => id)).size).to.equal(1);
    expect(
      chunks
        .flatMap(({ choices }) =>
          choices.filter(({ finish_reason: finish }) => finish === 'stop').map(({ index }) => index),
        )
        .toSorted(),
    ).to.deep.equal([0, 1, 2]);
    expect(chunks.filter(({ usage: found }) => found !== null && found !== undefined)).to.have.length(1);
    expect(chunks.at(-1)?.usage).to.include(tokens);
  });

  it('one failed choice fails the whole response', async () => {
    const cutBefore = scene.upstream.cut.count;
    const held: ServerResponse[] = [];
    scene.upstream.answer = (response) => {
      if (scene.upstream.calls.length === 3)
        response
          .writeHead(529, { 'content-type': 'application/json' })
          .end(JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }));
      else held.push(response);
    };
    const error = await client.chat.completions
      .create({ ...request, messages: [...request.messages] })
      .catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(InternalServerError).and.include({ status: 503 });
    await until('the others are cut off', () => scene.upstream.cut.count === cutBefore + 2);
  });

  for (const stream of [true, false]) {
    it(`one malformed choice fails the whole response and keeps no connection (${stream ? 'streamed' : 'plain'})`, async () => {
      const cutBefore = scene.upstream.cut.count;
      scene.upstream.answer = (response) => {
        if (scene.upstream.calls.length === 3) response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello');
        else if (stream) startEvents(response).write(opening());
        else response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":');
      };
      const error = await client.chat.completions
        .create({ ...request, stream, messages: [...request.messages] })
        .catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(InternalServerError).and.include({ status: 502 });
      await until('the others are cut off', () => scene.upstream.cut.count === cutBefore + 2);
    });
  }

  it('one choice that breaks in the middle of a stream ends it with an error', async () => {
    const open: ServerResponse[] = [];
    scene.upstream.answer = (response) => {
      open.push(startEvents(response));
      response.write(opening() + words('begun'));
      if (open.length === 3) open[1]?.destroy();
    };
    const stream = await client.chat.completions.create({ ...request, messages: [...request.messages], stream: true });
    const read = async () => {
      for await (const chunk of stream) void chunk;
    };
    expect(await read().catch((thrown: unknown) => thrown)).to.be.instanceOf(APIError);
  });

  for (const [when, answer] of [
    ['before any has begun', () => {}],
    ['while all stream', (response: ServerResponse) => void startEvents(response).write(opening() + words('begun'))],
  ] as const) {
    it(`all calls are aborted when the client leaves ${when}`, async () => {
      const cutBefore = scene.upstream.cut.count;
      const settled = scene.gateway.exchanges().length;
      scene.upstream.answer = answer;
      const leaving = new AbortController();
      const pending = client.chat.completions
        .create({ ...request, messages: [...request.messages], stream: true }, { signal: leaving.signal })
        .catch((thrown: unknown) => thrown);
      await until('three calls', () => scene.upstream.calls.length === 3);
      if (when === 'while all stream') await pending;
      leaving.abort();
      await until('all are cut off', () => scene.upstream.cut.count === cutBefore + 3);
      await scene.gateway.settled(settled + 1);
      expect(scene.gateway.exchanges()[settled]).to.include({ outcome: 'client_closed' });
    });
  }

  it('too many choices are refused', async () => {
    const error = await client.chat.completions
      .create({ ...request, n: 17, messages: [...request.messages] })
      .catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(BadRequestError).and.include({ param: 'n', code: 'unsupported_parameter' });
    expect(scene.upstream.calls).to.have.length(0);
  });
});
