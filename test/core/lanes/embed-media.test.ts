import { expect } from 'chai';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { answerJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';

const image = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } };
const body = JSON.stringify({
  requests: [{ model: 'models/gemini-embedding-2', content: { parts: [{ text: 'The logo' }, image] } }],
});

describe('an image in an embedding request', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  before(async () => {
    upstream = await startUpstream();
    gateway = await startTestGateway({
      providers: {
        google: { use: 'google', config: { apiKey: 'k', baseUrl: upstream.url } },
        openai: { use: 'openai', config: { apiKey: 'k', baseUrl: `${upstream.url}/v1` } },
      },
      models: {
        'x/own': { targets: [{ provider: 'google', model: 'gemini-embedding-2' }] },
        'x/other': { targets: [{ provider: 'openai', model: 'text-embedding-3-small' }] },
      },
      routes: [{ path: '/v1beta/models/{model}:batchEmbedContents', wire: 'embed-content' }],
    });
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });
  beforeEach(() => {
    upstream.calls.length = 0;
    upstream.answer = (response) => answerJson(response, { embeddings: [{ values: [1] }] });
  });
  const send = (model: string): Promise<Response> =>
    fetch(`${gateway.url}/v1beta/models/${model}:batchEmbedContents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body,
    });

  it('passes an image unchanged to a target that speaks the same wire', async () => {
    expect((await send('x/own')).status).to.equal(200);
    expect(upstream.calls[0]?.raw.toString()).to.equal(body);
  });
  it('refuses an image by name before anything is sent if the target can embed only text', async () => {
    const reply = await send('x/other');
    expect(reply.status).to.equal(400);
    expect(await reply.text()).to.include("'requests[0].content.parts[1]'");
    expect(upstream.calls).to.have.length(0);
  });
});
