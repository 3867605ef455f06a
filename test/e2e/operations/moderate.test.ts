import { expect } from 'chai';
import { type OpenAI, BadRequestError, NotFoundError } from 'openai';
import { createChatClient } from '../../matrix/clients/client-chat.ts';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { answerJson, startUpstream, type TestUpstream, type UpstreamCall } from '../../support/upstream.ts';

const OMNI = 'openai/omni-moderation-latest';
const result = {
  flagged: true,
  categories: { violence: true, hate: false },
  category_scores: { violence: 0.92, hate: 1e-7 },
  category_applied_input_types: { violence: ['text'], hate: ['text'] },
};
const answer = { id: 'modr-1', model: 'omni-moderation-2024-09-26', results: [result], house: { a: 1.0 } };
const mistral = {
  id: 'mod-1',
  model: 'mistral-moderation-2603',
  results: [{ categories: { pii: true, law: false }, category_scores: { pii: 0.9, law: 0.01 } }],
  usage: { prompt_tokens: 9, completion_tokens: 0, total_tokens: 9 },
};

describe('moderation', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  let openai: OpenAI;
  before(async () => {
    upstream = await startUpstream();
    const config = { apiKey: 'upstream-secret', baseUrl: `${upstream.url}/v1` };
    gateway = await startTestGateway({
      providers: {
        openai: { use: 'openai', config: { ...config } },
        mistral: { use: 'mistral', config: { ...config } },
        local: { use: 'openai-compatible', config: { baseUrl: config.baseUrl, wires: ['moderations'] } },
        plain: { use: 'openai-compatible', config: { baseUrl: config.baseUrl } },
        simulator: { use: 'simulator' },
      },
      models: {
        [OMNI]: { targets: [{ provider: 'openai', model: 'omni-moderation-latest' }] },
        'mistral/mod': {
          targets: [{ provider: 'mistral', model: 'mistral-moderation-latest', price: { input: 100, output: 0 } }],
        },
        'local/guard': { targets: [{ provider: 'local', model: 'guard' }] },
        'plain/chat': { wires: ['chat-completions', 'moderations'], targets: [{ provider: 'plain', model: 'chat' }] },
        'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] },
        'mixed/mod': {
          targets: [
            { provider: 'mistral', model: 'mistral-moderation-latest' },
            { provider: 'openai', model: 'omni-moderation-latest' },
          ],
        },
      },
      aliases: { 'omni-moderation-latest': OMNI },
      plugins: [{ use: 'auth' }, { use: 'failover' }],
    });
    openai = createChatClient(gateway.url);
  });
  beforeEach(() => {
    upstream.calls.length = 0;
    upstream.answer = (response, { body }) =>
      answerJson(response, String(body['model']).startsWith('mistral') ? mistral : answer);
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
  const lastExchange = async () => {
    const count = gateway.exchanges().length;
    await gateway.settled(Math.max(1, count));
    return gateway.exchanges().at(-1) ?? {};
  };

  it('reaches OpenAI as it was sent, and comes back byte for byte', async () => {
    const body = `{ "input":["I want to harm", "Hi"], "model":"${OMNI}","seed":12345678901234567890}`;
    const reply = await fetch(`${gateway.url}/v1/moderations`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${KEY}`, 'content-type': 'application/json' },
      body,
    });
    expect(await reply.text()).to.equal(JSON.stringify(answer));
    expect(reply.headers.get('x-koine-lane')).to.equal('native');
    expect(lastCall()).to.deep.include({ path: '/v1/moderations' });
    expect(lastCall().raw.toString()).to.equal(body.replace(OMNI, 'omni-moderation-latest'));
  });

  it('is free at OpenAI, and is recorded as an operation of its own', async () => {
    await openai.moderations.create({ model: OMNI, input: 'Hi' });
    expect(await lastExchange()).to.deep.include({ operation: 'moderate', wire_in: 'moderations', cost_micro: 0 });
  });

  it('takes images from the SDK, and the default model of the vendor', async () => {
    const input = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
    ] as const;
    const { results } = await openai.moderations.create({ input: [...input] });
    expect(results[0]?.category_applied_input_types.violence).to.deep.equal(['text']);
    expect(lastCall().body).to.deep.equal({ model: 'omni-moderation-latest', input });
  });

  it('has `flagged` from Mistral, which sends none, and its price', async () => {
    const { results } = await openai.moderations.create({ model: 'mistral/mod', input: 'My number is 7' });
    expect(results[0]).to.deep.equal({ flagged: true, ...mistral.results[0] });
    expect(lastCall().body).to.deep.equal({ model: 'mistral-moderation-latest', input: 'My number is 7' });
    expect(await lastExchange()).to.deep.include({ tokens_in: 9, cost_micro: 900 });
  });

  it('refuses images for Mistral by name, and tries the next target of a model', async () => {
    const parts = [{ type: 'image_url' as const, image_url: { url: 'https://example.com/a.png' } }];
    const refused = await openai.moderations.create({ model: 'mistral/mod', input: parts }).catch((error) => error);
    expect(refused).to.be.instanceOf(BadRequestError).and.include({ param: 'input' });
    expect(upstream.calls).to.have.lengthOf(0);
    const { model } = await openai.moderations.create({ model: 'mixed/mod', input: parts });
    expect(model).to.equal(answer.model);
  });

  it('is served by a compatible server that has it, and refused for one that has not', async () => {
    await openai.moderations.create({ model: 'local/guard', input: 'Hi' });
    expect(lastCall()).to.deep.include({ path: '/v1/moderations', body: { model: 'guard', input: 'Hi' } });
    const refused = await openai.moderations.create({ model: 'plain/chat', input: 'Hi' }).catch((error) => error);
    expect(refused)
      .to.be.instanceOf(BadRequestError)
      .and.match(/does not serve the operation 'moderate'/);
    const unknown = await openai.moderations.create({ model: 'openai/gone', input: 'Hi' }).catch((error) => error);
    expect(unknown).to.be.instanceOf(NotFoundError);
  });

  it('is answered by the simulator', async () => {
    const { results } = await openai.moderations.create({ model: 'simulator/chat', input: ['Hello', 'violence!'] });
    expect(results.map(({ flagged }) => flagged)).to.deep.equal([false, true]);
  });
});
