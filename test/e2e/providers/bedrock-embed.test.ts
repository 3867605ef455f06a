import Anthropic from '@anthropic-ai/sdk';
import { expect } from 'chai';
import OpenAI, { APIError, BadRequestError } from 'openai';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { answerJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';

const COUNT = 'x-amzn-bedrock-input-token-count';
const CLAUDE = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0';

describe('bedrock: vectors and counts of tokens', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  let openai: OpenAI;

  before(async () => {
    upstream = await startUpstream();
    const target = (model: string, wires = ['embeddings', 'embed-content']): object => ({
      wires,
      targets: [{ provider: 'bedrock', model }],
    });
    gateway = await startTestGateway({
      providers: {
        bedrock: { use: 'bedrock', config: { region: 'eu-west-1', baseUrl: upstream.url, apiKey: 'bedrock-key-1' } },
      },
      models: {
        'a/titan-1': target('amazon.titan-embed-text-v1'),
        'a/titan-2': target('amazon.titan-embed-text-v2:0'),
        'a/cohere': target('us.cohere.embed-v4:0'),
        'a/nova': target('amazon.nova-2-multimodal-embeddings-v1:0'),
        'a/claude': target(CLAUDE, ['messages']),
      },
    });
    openai = new OpenAI({ apiKey: KEY, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
  });
  beforeEach(() => {
    upstream.calls.length = 0;
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  const respond = (body: object, count?: string): void => {
    upstream.answer = (response) => {
      if (count !== undefined) response.setHeader(COUNT, count);
      answerJson(response, body);
    };
  };
  const embed = async (model: string, input: string | string[], dimensions?: number, more: object = {}) => {
    const sized = dimensions === undefined ? {} : { dimensions };
    const { data, usage } = await openai.embeddings.create({
      model,
      input,
      encoding_format: 'float',
      ...sized,
      ...more,
    });
    return { vectors: data.map(({ embedding }) => embedding), tokens: usage.prompt_tokens };
  };
  const sent = () => ({ path: upstream.calls[0]?.path, body: upstream.calls[0]?.body });

  it('Titan gets one text and its dimensions, and its body has the tokens', async () => {
    respond({ embedding: [0.5, 1], inputTextTokenCount: 3 }, '9');
    expect(await embed('a/titan-2', 'Hello', 256)).to.deep.equal({ vectors: [[0.5, 1]], tokens: 3 });
    expect(sent()).to.deep.equal({
      path: '/model/amazon.titan-embed-text-v2%3A0/invoke',
      body: { inputText: 'Hello', dimensions: 256 },
    });
    await embed('a/titan-1', 'Hello', 256);
    expect(upstream.calls[1]?.body).to.deep.equal({ inputText: 'Hello' });
  });

  it('Cohere gets all texts, and the tokens are in a header', async () => {
    respond({ embeddings: { float: [[0.5], [1]] }, response_type: 'embeddings_by_type' }, '7');
    expect(await embed('a/cohere', ['one', 'two'], 512, { input_type: 'search_query' })).to.deep.equal({
      vectors: [[0.5], [1]],
      tokens: 7,
    });
    expect(sent().body).to.deep.equal({
      texts: ['one', 'two'],
      output_dimension: 512,
      truncate: 'NONE',
      input_type: 'search_query',
    });
    respond({ embeddings: [[0.5]] }, '2');
    expect(await embed('a/cohere', 'one')).to.deep.equal({ vectors: [[0.5]], tokens: 2 });
    expect(upstream.calls[1]?.body).to.include({ input_type: 'search_document' });
  });

  it('Nova gets one text in its own body', async () => {
    respond({ embeddings: [{ embeddingType: 'TEXT', embedding: [0.25] }] }, '4');
    expect(await embed('a/nova', 'Hello', 256)).to.deep.equal({ vectors: [[0.25]], tokens: 4 });
    expect(sent().body).to.deep.equal({
      taskType: 'SINGLE_EMBEDDING',
      singleEmbeddingParams: {
        embeddingPurpose: 'GENERIC_INDEX',
        embeddingDimension: 256,
        text: { truncationMode: 'NONE', value: 'Hello' },
      },
    });
  });

  it('token ids are refused by name, without a call', async () => {
    for (const model of ['a/titan-2', 'a/nova', 'a/cohere']) {
      const request = openai.embeddings.create({ model, input: [[1, 2], [3]] });
      expect(await request.catch((thrown: unknown) => thrown))
        .to.be.instanceOf(BadRequestError)
        .with.property('param', 'input');
    }
    expect(upstream.calls).to.have.length(0);
  });

  it('a response without vectors is an error of the gateway', async () => {
    respond({ embeddings: [] });
    expect(await embed('a/cohere', 'one').catch((thrown: unknown) => thrown)).to.be.instanceOf(APIError);
  });

  it('the tokens of a prompt for Claude are counted by the vendor, as Converse would send it', async () => {
    respond({ inputTokens: 11 });
    const anthropic = new Anthropic({ apiKey: KEY, baseURL: gateway.url, maxRetries: 0 });
    const counted = await anthropic.messages.countTokens({
      model: 'a/claude',
      system: 'Be brief.',
      messages: [{ role: 'user', content: 'Hello' }],
    });
    expect(counted.input_tokens).to.equal(11);
    expect(sent()).to.deep.equal({
      path: `/model/${encodeURIComponent(CLAUDE)}/count-tokens`,
      body: {
        input: {
          converse: {
            system: [{ text: 'Be brief.' }],
            messages: [{ role: 'user', content: [{ text: 'Hello' }] }],
          },
        },
      },
    });
  });
});
