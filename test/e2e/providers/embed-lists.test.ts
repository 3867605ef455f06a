import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import OpenAI, { APIError, BadRequestError } from 'openai';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { send } from '../../support/http.ts';
import { answerJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';
import { until } from '../../support/until.ts';

const MOST_AT_ONCE = 16;
const MOST_CALLS = 1_024;
const listOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `text ${index}`);
const numberOf = (text: unknown): number => Number(String(text).slice('text '.length));

describe('a list of texts for a model that embeds fewer in one call', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  let openai: OpenAI;
  /** The responses that the upstream owes, by the number of their text. */
  let owed: { readonly response: ServerResponse; readonly number: number }[] = [];

  before(async () => {
    upstream = await startUpstream();
    const config = { region: 'eu-west-1', baseUrl: upstream.url, apiKey: 'bedrock-key-1' };
    gateway = await startTestGateway({
      providers: {
        bedrock: { use: 'bedrock', config },
        google: { use: 'google', config: { apiKey: 'google-key-1', baseUrl: upstream.url } },
        vertex: { use: 'vertex', config: { project: 'made-up', apiKey: 'vertex-key-1', baseUrl: upstream.url } },
      },
      models: {
        'a/titan': { targets: [{ provider: 'bedrock', model: 'amazon.titan-embed-text-v2:0' }] },
        'a/cohere': { targets: [{ provider: 'bedrock', model: 'us.cohere.embed-v4:0' }] },
        'a/gemini': { targets: [{ provider: 'google', model: 'gemini-embedding-001' }] },
        'a/vertex': {
          wires: ['embeddings', 'embed-content'],
          targets: [{ provider: 'vertex', model: 'gemini-embedding-001' }],
        },
      },
    });
    openai = new OpenAI({ apiKey: KEY, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
  });
  beforeEach(() => {
    [upstream.calls.length, upstream.cut.count, owed] = [0, 0, []];
    upstream.answer = (response, { body }) => void owed.push({ response, number: numberOf(body['inputText']) });
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  const embed = (model: string, input: string[], signal?: AbortSignal) =>
    openai.embeddings.create({ model, input, encoding_format: 'float' }, { signal });
  /** Answers what is owed, the last call first. */
  const answerOwed = (): void => {
    for (const { response, number } of owed.splice(0).toReversed())
      answerJson(response, { embedding: [number, 1], inputTextTokenCount: 3 });
  };
  const line = async (count: number) => {
    await gateway.settled(count);
    return gateway.exchanges().at(-1);
  };

  it('becomes a call for each text, some at a time, and one response in the order of the texts', async () => {
    const count = 40;
    const settled = gateway.exchanges().length;
    const pending = embed('a/titan', listOf(count));
    let most = 0;
    for (let answered = 0; answered < count;) {
      await until('the calls', () => owed.length === Math.min(MOST_AT_ONCE, count - answered));
      most = Math.max(most, owed.length);
      answered += owed.length;
      answerOwed();
    }
    const { data, usage } = await pending;
    expect(most).to.equal(MOST_AT_ONCE);
    expect(data.map(({ index, embedding }) => [index, embedding[0]])).to.deep.equal(
      listOf(count).map((_, index) => [index, index]),
    );
    expect(usage).to.deep.equal({ prompt_tokens: 3 * count, total_tokens: 3 * count });
    expect(await line(settled + 1)).to.deep.include({ tokens_in: 3 * count, term: '--' });
  });

  it('becomes as many calls as the model needs for it', async () => {
    upstream.answer = (response, { body }) => {
      const texts = body['texts'] as string[];
      response.setHeader('x-amzn-bedrock-input-token-count', texts.length);
      answerJson(response, { embeddings: { float: texts.map((text) => [numberOf(text)]) } });
    };
    const { data, usage } = await embed('a/cohere', listOf(100));
    expect(data.map(({ embedding }) => embedding[0])).to.deep.equal(listOf(100).map((_, index) => index));
    expect(usage.prompt_tokens).to.equal(100);
    expect(upstream.calls.map(({ body }) => (body['texts'] as string[]).length).toSorted()).to.deep.equal([4, 96]);
  });

  it('becomes batches of at most 100 at the Gemini API', async () => {
    upstream.answer = (response, { body }) => {
      const requests = body['requests'] as { readonly content: { readonly parts: readonly { text: string }[] } }[];
      answerJson(response, {
        embeddings: requests.map(({ content }) => ({ values: [numberOf(content.parts[0]?.text)] })),
      });
    };
    const { data } = await embed('a/gemini', listOf(205));
    expect(data.map(({ embedding }) => embedding[0])).to.deep.equal(listOf(205).map((_, index) => index));
    expect(upstream.calls.map(({ body }) => (body['requests'] as object[]).length).toSorted()).to.deep.equal([
      100, 100, 5,
    ]);
  });

  it('becomes a call for each text at Vertex AI, and each text keeps its own title', async () => {
    upstream.answer = (response) =>
      answerJson(response, { predictions: [{ embeddings: { values: [1], statistics: { token_count: 2 } } }] });
    const titles = ['Letters', 'Papers', 'Books'];
    const { status, text } = await send(gateway.url, {
      path: '/v1beta/models/a/vertex:batchEmbedContents',
      headers: { 'x-goog-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify({
        requests: titles.map((title) => ({ content: { parts: [{ text: `text of ${title}` }] }, title })),
      }),
    });
    expect(status, text).to.equal(200);
    expect(JSON.parse(text)).to.deep.include({ embeddings: titles.map(() => ({ values: [1] })) });
    expect(upstream.calls.map(({ path }) => path)).to.deep.equal(
      titles.map(
        () => '/v1beta1/projects/made-up/locations/global/publishers/google/models/gemini-embedding-001:predict',
      ),
    );
    expect(upstream.calls.map(({ body }) => body)).to.have.deep.members(
      titles.map((title) => ({ instances: [{ content: `text of ${title}`, title }] })),
    );
  });

  it('is a failure if one call fails: the others are cut, and no further one is made', async () => {
    const settled = gateway.exchanges().length;
    const pending = embed('a/titan', listOf(40)).catch((thrown: unknown) => thrown);
    await until('the calls', () => owed.length === MOST_AT_ONCE);
    const [failing, paid] = owed;
    if (failing === undefined || paid === undefined) throw new Error('nothing was called');
    answerJson(paid.response, { embedding: [1], inputTextTokenCount: 3 });
    await until('the calls', () => owed.length === MOST_AT_ONCE + 1);
    answerJson(failing.response, { message: 'Something failed.' }, 500);
    expect(await pending)
      .to.be.instanceOf(APIError)
      .with.property('status', 502);
    await until('the cut calls', () => upstream.cut.count === MOST_AT_ONCE - 1);
    expect(upstream.calls).to.have.length(MOST_AT_ONCE + 1);
    expect(await line(settled + 1)).to.deep.include({ tokens_in: 3, term: 'UE' });
  });

  it('ends with its client: calls that wait are not made, and those in flight are charged their share', async () => {
    const settled = gateway.exchanges().length;
    const client = new AbortController();
    const pending = embed('a/titan', listOf(160), client.signal).catch((thrown: unknown) => thrown);
    await until('the calls', () => owed.length === MOST_AT_ONCE);
    client.abort();
    await pending;
    const { tokens_in: tokens, term } = (await line(settled + 1)) ?? {};
    expect(term).to.equal('CD');
    await until('the cut calls', () => upstream.cut.count === MOST_AT_ONCE);
    expect(upstream.calls).to.have.length(MOST_AT_ONCE);
    const whole = Buffer.byteLength(listOf(160).join(''));
    expect(tokens).to.be.within(MOST_AT_ONCE, whole / 5);
  });

  it('is refused by name, without a call, if it needs too many', async () => {
    const error: unknown = await embed('a/titan', listOf(MOST_CALLS + 1)).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(BadRequestError).with.property('param', 'input');
    expect(String(error)).to.include(`Send at most ${MOST_CALLS} texts at once.`);
    expect(upstream.calls).to.have.length(0);
  });
});
