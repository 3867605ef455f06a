import { expect } from 'chai';
import { verify } from '../../providers/identity/aws/verify-signature.ts';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { answerJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';

const SECRET = 'wJalrXUtnFEMI0K7MDENG0bPxRfiCYEXAMPLEKEY';
const COHERE = 'cohere.rerank-v3-5:0';
const AMAZON = 'arn:aws:bedrock:eu-central-1::foundation-model/amazon.rerank-v1:0';
const AZURE = 'Cohere-rerank-v4.0-pro';
const documents = ['Ruby is a programming language', 'Paris is in France', 'Rails is a Ruby framework'];
const results = [
  { index: 2, relevance_score: 0.75 },
  { index: 0, relevance_score: 0.5 },
];
const perSearch = (searches: number) => ({ input: 0, output: 0, units: { searches } });

describe('reranking at Bedrock and Azure', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  before(async () => {
    upstream = await startUpstream();
    const region = { region: 'eu-central-1', baseUrl: upstream.url };
    const azure = { endpoint: upstream.url, apiKey: 'azure-key-1', deployments: { [AZURE]: 'team-rerank' } };
    const target = (provider: string, model: string, price?: object) => ({ targets: [{ provider, model, price }] });
    gateway = await startTestGateway({
      providers: {
        bedrock: { use: 'bedrock', config: { ...region, accessKeyId: 'AKIDEXAMPLE', secretAccessKey: SECRET } },
        keyed: { use: 'bedrock', config: { ...region, apiKey: 'bedrock-api-key-1' } },
        azure: { use: 'azure-openai', config: azure },
        versions: { use: 'azure-openai', config: { ...azure, api: 'deployments' } },
      },
      models: {
        'a/cohere': target('bedrock', COHERE, perSearch(0.002)),
        'a/amazon': target('keyed', AMAZON, perSearch(0.001)),
        'a/azure': target('azure', AZURE, perSearch(0.0025)),
        'a/versions': target('versions', AZURE),
        'a/both': {
          targets: [
            { provider: 'bedrock', model: COHERE },
            { provider: 'azure', model: AZURE },
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
                poor: { key: `${KEY}-poor`, limits: [{ cost: 0.003, per: 'hour' }] },
                strict: { key: `${KEY}-strict`, losses: 'reject' },
              },
            },
          },
        },
      },
    });
  });
  beforeEach(() => {
    upstream.calls.length = 0;
    upstream.answer = (response, { path, headers, raw }) => {
      const isAzure = path.startsWith('/providers/');
      const isAllowed = isAzure
        ? headers['api-key'] === 'azure-key-1'
        : headers.authorization === 'Bearer bedrock-api-key-1' || verify({ path, headers, body: raw }, SECRET);
      if (!isAllowed) return answerJson(response, { message: 'The signature does not match.' }, 403);
      const meta = { api_version: { version: '2' }, billed_units: { search_units: 3 } };
      return answerJson(response, isAzure ? { id: 'az-1', results, meta } : { results });
    };
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  const post = (path: string, body: object, key = KEY): Promise<Response> =>
    fetch(gateway.url + path, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const sent = () => upstream.calls.map(({ path, body }) => ({ path, body }));
  const lastExchange = async () => {
    await gateway.settled(gateway.exchanges().length);
    return gateway.exchanges().at(-1) ?? {};
  };

  it('Cohere at Bedrock gets a signed InvokeModel, and clients of both wires find its results', async () => {
    const request = { model: 'a/cohere', query: 'ruby', documents, top_n: 2 };
    const reply = await post('/v2/rerank', request);
    expect(reply.status).to.equal(200);
    expect(await reply.json()).to.deep.include({ results, meta: { api_version: { version: '2' } } });
    const { results: ranked } = (await (await post('/v1/rerank', request)).json()) as { readonly results: unknown };
    expect(ranked).to.deep.equal(results.map((result) => ({ ...result, document: { text: documents[result.index] } })));
    const call = {
      path: `/model/${encodeURIComponent(COHERE)}/invoke`,
      body: { query: 'ruby', documents, top_n: 2, api_version: 2 },
    };
    expect(sent()).to.deep.equal([call, call]);
  });

  it('a model of Amazon gets no version, by its ARN and with a key', async () => {
    expect((await post('/v2/rerank', { model: 'a/amazon', query: 'ruby', documents })).status).to.equal(200);
    expect(sent()).to.deep.equal([
      { path: `/model/${encodeURIComponent(AMAZON)}/invoke`, body: { query: 'ruby', documents } },
    ]);
  });

  it('Bedrock reports no usage: each search of up to 100 documents costs its price', async () => {
    const many = Array.from({ length: 201 }, () => 'a');
    await post('/v2/rerank', { model: 'a/cohere', query: 'q', documents: many });
    // Three searches at USD 0.002.
    expect(await lastExchange()).to.deep.include({ operation: 'rerank', cost_micro: 6_000 });
    await post('/v1/rerank', { model: 'a/amazon', query: 'q', documents: many.slice(101) });
    // One search at USD 0.001.
    expect(await lastExchange()).to.deep.include({ cost_micro: 1_000 });
    expect(
      (await post('/v2/rerank', { model: 'a/cohere', query: 'q', documents: many }, `${KEY}-poor`)).status,
    ).to.equal(400);
    expect(upstream.calls).to.have.lengthOf(2);
  });

  it('members that Bedrock does not have are named, or refused', async () => {
    const request = { model: 'a/cohere', query: 'q', documents, max_tokens_per_doc: 512 };
    expect((await post('/v2/rerank', request)).headers.get('x-koine-losses')).to.match(/max_tokens_per_doc/);
    expect(sent()[0]?.body).to.not.have.property('max_tokens_per_doc');
    expect((await post('/v2/rerank', request, `${KEY}-strict`)).status).to.equal(400);
    expect(upstream.calls).to.have.lengthOf(1);
  });

  it('Azure gets the bytes of a client of Cohere with the deployment as the model, and no version', async () => {
    const request = { model: 'a/azure', query: 'ruby', documents, max_tokens_per_doc: 512 };
    const reply = await post('/v2/rerank', request);
    expect(reply.headers.get('x-koine-lane')).to.equal('native');
    expect(await reply.json()).to.deep.include({ id: 'az-1', results });
    // Three searches, which the vendor reports, at USD 0.0025.
    expect(await lastExchange()).to.deep.include({ wire_in: 'cohere-rerank', cost_micro: 7_500 });
    expect((await post('/v1/rerank', { model: 'a/versions', query: 'ruby', documents })).status).to.equal(200);
    const path = '/providers/cohere/v2/rerank';
    expect(sent()).to.deep.equal([
      { path, body: { ...request, model: 'team-rerank' } },
      { path, body: { model: 'team-rerank', query: 'ruby', documents } },
    ]);
    expect(upstream.calls[0]?.headers).to.include({ 'content-length': `${upstream.calls[0]?.raw.length}` });
  });

  it('a request moves from Bedrock to Azure when Bedrock is overloaded', async () => {
    const { answer } = upstream;
    upstream.answer = (response, call) =>
      call.path.startsWith('/model/')
        ? answerJson(
            response.setHeader('x-amzn-errortype', 'ThrottlingException'),
            { message: 'Too many requests' },
            429,
          )
        : answer(response, call);
    const reply = await post('/v2/rerank', { model: 'a/both', query: 'ruby', documents });
    expect(await reply.json()).to.deep.include({ id: 'az-1', results });
    expect(upstream.calls).to.have.lengthOf.at.least(2);
  });

  it('a model that reranks does nothing else', async () => {
    for (const model of ['a/cohere', 'a/azure']) {
      const reply = await post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hi' }] });
      expect(reply.status).to.equal(400);
      expect(await reply.text())
        .to.match(/is not offered|does not serve/)
        .and.to.include(model);
    }
    expect(upstream.calls).to.have.lengthOf(0);
  });
});
