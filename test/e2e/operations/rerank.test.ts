import { expect } from 'chai';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { answerJson, startUpstream, type TestUpstream, type UpstreamCall } from '../../support/upstream.ts';

const documents = ['Ruby is a programming language', 'Paris is in France', 'Rails is a Ruby framework'];
const cohere = {
  id: 'c-1',
  results: [
    { index: 2, relevance_score: 0.75 },
    { index: 0, relevance_score: 0.5 },
  ],
  meta: { api_version: { version: '2' }, billed_units: { search_units: 2 } },
};
const jina = {
  model: 'jina-reranker-v2',
  object: 'list',
  usage: { total_tokens: 31, prompt_tokens: 31 },
  results: [{ index: 1, relevance_score: 0.25, document: { text: documents[1] } }],
};
const voyage = {
  object: 'list',
  data: [{ relevance_score: 0.69, index: 0 }],
  model: 'rerank-2-lite',
  usage: { total_tokens: 43 },
};

interface Ranks {
  readonly results: readonly {
    readonly index: number;
    readonly relevance_score: number;
    readonly document?: { readonly text: string };
  }[];
  readonly usage?: object;
  readonly meta?: object;
}

describe('reranking', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  before(async () => {
    upstream = await startUpstream();
    const config = { apiKey: 'upstream-secret', baseUrl: `${upstream.url}/v1` };
    const targets = (provider: string, model: string, price?: object) => ({ targets: [{ provider, model, price }] });
    gateway = await startTestGateway({
      providers: {
        cohere: { use: 'cohere', config: { apiKey: 'upstream-secret', baseUrl: upstream.url } },
        jina: { use: 'jina', config: { ...config } },
        voyage: { use: 'voyage', config: { ...config } },
        vllm: { use: 'vllm', config: { baseUrl: config.baseUrl } },
        simulator: { use: 'simulator' },
      },
      models: {
        'cohere/rerank': targets('cohere', 'rerank-v3.5', { input: 0, output: 0, units: { searches: 0.002 } }),
        'jina/rerank': targets('jina', 'jina-reranker-v2', { input: 20, output: 0 }),
        'voyage/rerank': targets('voyage', 'rerank-2-lite', { input: 50, output: 0 }),
        'vllm/rerank': targets('vllm', 'bge'),
        'simulator/chat': targets('simulator', 'chat'),
      },
      plugins: [{ use: 'auth' }, { use: 'rate-limit' }],
      organizations: {
        acme: {
          projects: {
            web: {
              keys: {
                alice: { key: KEY },
                poor: { key: `${KEY}-poor`, limits: [{ cost: 0.003, per: 'hour' }] },
              },
            },
          },
        },
      },
    });
  });
  beforeEach(() => {
    upstream.calls.length = 0;
    upstream.answer = (response, { path, body }) =>
      answerJson(response, path === '/v2/rerank' ? cohere : body['model'] === 'rerank-2-lite' ? voyage : jina);
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
  const rank = async (path: string, body: object): Promise<Ranks> => (await (await post(path, body)).json()) as Ranks;
  const lastExchange = async () => {
    await gateway.settled(gateway.exchanges().length);
    return gateway.exchanges().at(-1) ?? {};
  };

  it('reaches Cohere as it was sent, comes back byte for byte, and costs its searches', async () => {
    const body = `{"query":"ruby", "documents":["a"," b"], "model":"cohere/rerank","seed":12345678901234567890}`;
    cohere.results.length = 2;
    upstream.answer = (response) =>
      answerJson(response, { ...cohere, results: [{ index: 1, relevance_score: 0.75 }], extra: 1.5 });
    const reply = await post('/v2/rerank', body);
    expect(reply.headers.get('x-koine-lane')).to.equal('native');
    expect(await reply.text()).to.equal(
      JSON.stringify({ ...cohere, results: [{ index: 1, relevance_score: 0.75 }], extra: 1.5 }),
    );
    expect(lastCall().raw.toString()).to.equal(body.replace('cohere/rerank', 'rerank-v3.5'));
    expect(await lastExchange()).to.deep.include({ operation: 'rerank', wire_in: 'cohere-rerank', cost_micro: 4_000 });
  });

  it('reaches Cohere from a client of Jina, which gets the documents it asked for', async () => {
    const request = { model: 'cohere/rerank', query: 'ruby', documents, top_n: 2 };
    const { results, usage } = await rank('/v1/rerank', { ...request, documents: documents.map((text) => ({ text })) });
    expect(results).to.deep.equal([
      { index: 2, relevance_score: 0.75, document: { text: documents[2] } },
      { index: 0, relevance_score: 0.5, document: { text: documents[0] } },
    ]);
    expect(usage).to.have.property('total_tokens');
    expect(lastCall()).to.deep.include({
      path: '/v2/rerank',
      body: { model: 'rerank-v3.5', query: 'ruby', documents, top_n: 2 },
    });
    const plain = await rank('/v1/rerank', { ...request, return_documents: false });
    expect(plain.results[0]).to.deep.equal({ index: 2, relevance_score: 0.75 });
  });

  it('reaches Jina from a client of Cohere, and costs its tokens', async () => {
    const { results, meta } = await rank('/v2/rerank', { model: 'jina/rerank', query: 'ruby', documents, top_n: 1 });
    expect(results).to.deep.equal([{ index: 1, relevance_score: 0.25 }]);
    expect(meta).to.deep.include({ billed_units: { input_tokens: 31 } });
    expect(lastCall()).to.deep.include({
      path: '/v1/rerank',
      body: { model: 'jina-reranker-v2', query: 'ruby', documents, top_n: 1 },
    });
    expect(await lastExchange()).to.deep.include({ tokens_in: 31, cost_micro: 620 });
  });

  it('reaches Voyage with its own names, and clients find its results', async () => {
    const { results } = await rank('/v1/rerank', { model: 'voyage/rerank', query: 'ruby', documents, top_n: 1 });
    expect(results).to.deep.equal([{ relevance_score: 0.69, index: 0 }]);
    expect(lastCall().body).to.deep.equal({ model: 'rerank-2-lite', query: 'ruby', documents, top_k: 1 });
    expect((await rank('/v2/rerank', { model: 'voyage/rerank', query: 'ruby', documents })).results).to.deep.equal([
      { index: 0, relevance_score: 0.69 },
    ]);
  });

  it('sends documents that are no texts natively, and refuses them by name for another wire', async () => {
    const mixed = ['a', { image: 'https://example.com/a.png' }];
    expect((await post('/v1/rerank', { model: 'vllm/rerank', query: 'q', documents: mixed })).status).to.equal(200);
    expect(lastCall().body).to.deep.include({ documents: mixed });
    const refused = await post('/v1/rerank', { model: 'cohere/rerank', query: 'q', documents: mixed });
    expect(refused.status).to.equal(400);
    expect(await refused.json()).to.have.nested.property('error.param', 'documents[1]');
  });

  it('refuses a bad request by name, in the words of each wire', async () => {
    const cases = [{ query: 'q' }, { query: 'q', documents: [] }, { query: 'q', documents: [7] }, { documents }];
    for (const members of cases) {
      const reply = await post('/v2/rerank', { model: 'cohere/rerank', ...members });
      expect(reply.status).to.equal(400);
      expect(await reply.json())
        .to.have.property('message')
        .that.matches(/'(?:documents|query)/);
      expect((await post('/v1/rerank', { model: 'cohere/rerank', ...members })).status).to.equal(400);
    }
    expect(upstream.calls).to.have.lengthOf(0);
  });

  it('rejects a vendor that ranks a document which the request does not have', async () => {
    upstream.answer = (response) => answerJson(response, { ...cohere, results: [{ index: 9, relevance_score: 1 }] });
    expect((await post('/v1/rerank', { model: 'cohere/rerank', query: 'q', documents })).status).to.equal(502);
  });

  it('reserves its searches: a limit of cost refuses what it cannot pay', async () => {
    const ask = (count: number) =>
      post(
        '/v2/rerank',
        { model: 'cohere/rerank', query: 'q', documents: Array.from({ length: count }, () => 'a') },
        `${KEY}-poor`,
      );
    // Two searches cost more than the whole limit; after one request there is not enough left for another.
    expect((await ask(101)).status).to.equal(400);
    expect(upstream.calls).to.have.lengthOf(0);
    expect((await ask(100)).status).to.equal(200);
    expect((await ask(100)).status).to.equal(429);
  });

  it('is answered by the simulator on both wires', async () => {
    const request = { model: 'simulator/chat', query: 'ruby framework', documents };
    for (const path of ['/v1/rerank', '/v2/rerank'])
      expect((await rank(path, request)).results.map(({ index }) => index)).to.deep.equal([2, 0, 1]);
  });
});
