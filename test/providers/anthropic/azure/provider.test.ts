import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createMessagesClient } from '../../../matrix/clients/client-messages.ts';
import { goodDay } from '../../../matrix/sample-bodies.ts';
import { textOf } from '../../../matrix/vendors/vendors.ts';
import { everyWire, startScene, type Scene } from '../../../support/scene.ts';
import { answerJson, startUpstream, type TestUpstream } from '../../../support/upstream.ts';
import azureAnthropic from '../../../../providers/anthropic/azure/index.ts';

const question = [{ role: 'user' as const, content: 'Hello' }];

/** The token endpoint of Microsoft Entra ID for one app. */
const startEntra = async () => {
  const forms: URLSearchParams[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    forms.push(form);
    const isKnown =
      request.url === '/made-up-tenant/oauth2/v2.0/token' &&
      form.get('client_id') === 'made-up-app' &&
      form.get('client_secret') === 'entra-secret-1' &&
      form.get('scope') === 'https://cognitiveservices.azure.com/.default';
    response
      .writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' })
      .end(JSON.stringify(isKnown ? { access_token: 'eyJ.made-up', expires_in: 3599, token_type: 'Bearer' } : {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forms,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

describe('the azure-anthropic provider', () => {
  let scene: Scene | undefined;
  let upstream: TestUpstream;
  let entra: Awaited<ReturnType<typeof startEntra>>;

  beforeEach(async () => {
    upstream = await startUpstream();
    entra = await startEntra();
    upstream.answer = (response, { path, body }) => {
      if (path.endsWith('/count_tokens')) return answerJson(response, { input_tokens: 7 });
      const mode = body['stream'] === true ? 'streamed' : 'plain';
      response
        .writeHead(200, { 'content-type': mode === 'streamed' ? 'text/event-stream' : 'application/json' })
        .end(textOf('messages', mode, goodDay));
    };
  });
  afterEach(async () => {
    await scene?.stop();
    scene = undefined;
    await upstream.stop();
    await entra.stop();
  });

  const start = async (config: object) => {
    scene = await startScene({
      providers: { foundry: { use: 'azure-anthropic', config: { endpoint: upstream.url, ...config } } },
      models: {
        'foundry/claude': { wires: everyWire, targets: [{ provider: 'foundry', model: 'claude-sonnet-4-5' }] },
      },
    });
    return createMessagesClient(scene.gateway.url);
  };
  const request = { model: 'foundry/claude', max_tokens: 100, messages: question };

  it('serves Claude natively with the key of the resource, plain, streamed and for counting', async () => {
    const client = await start({ apiKey: 'upstream-secret-azure' });
    const { data, response } = await client.messages.create(request).withResponse();
    expect(data.content).to.deep.equal([{ type: 'text', text: 'Good day.' }]);
    expect(response.headers.get('x-koine-lane')).to.equal('native');
    expect((await client.messages.stream(request).finalMessage()).content).to.have.length(1);
    expect((await client.messages.countTokens({ model: 'foundry/claude', messages: question })).input_tokens).to.equal(
      7,
    );
    expect(upstream.calls.map(({ path }) => path)).to.deep.equal([
      '/anthropic/v1/messages',
      '/anthropic/v1/messages',
      '/anthropic/v1/messages/count_tokens',
    ]);
    for (const { headers, body } of upstream.calls) {
      expect(headers['x-api-key']).to.equal('upstream-secret-azure');
      expect(headers['anthropic-version']).to.be.a('string');
      expect(body['model']).to.equal('claude-sonnet-4-5');
    }
  });

  it('names the deployment of a model on both lanes', async () => {
    const client = await start({ apiKey: 'k', deployments: { 'claude-sonnet-4-5': 'my-sonnet' } });
    await client.messages.create(request);
    await fetch(`${scene?.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${client.apiKey ?? ''}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'foundry/claude', messages: question }),
    });
    expect(upstream.calls.map(({ body }) => body['model'])).to.deep.equal(['my-sonnet', 'my-sonnet']);
  });

  it('sends one token of Microsoft Entra ID for all calls', async () => {
    const client = await start({
      entra: {
        identity: 'client-secret',
        tenantId: 'made-up-tenant',
        clientId: 'made-up-app',
        clientSecret: 'entra-secret-1',
        authority: entra.url,
      },
    });
    await Promise.all([client.messages.create(request), client.messages.create(request)]);
    expect(entra.forms).to.have.length(1);
    for (const { headers } of upstream.calls) {
      expect(headers.authorization).to.equal('Bearer eyJ.made-up');
      expect(headers['x-api-key']).to.equal(undefined);
    }
    const lines = JSON.stringify(scene?.gateway.lines);
    for (const secret of ['entra-secret-1', 'eyJ.made-up']) expect(lines).not.to.contain(secret);
  });

  it('refuses an endpoint with the path that the provider adds', () => {
    const check = (endpoint: string) =>
      azureAnthropic.check?.({ endpoint }, { models: [] }).map(({ path }) => path.join('.'));
    expect(check('https://made-up.services.ai.azure.com/anthropic/v1/messages')).to.deep.equal(['endpoint']);
    expect(check('https://made-up.services.ai.azure.com')).to.deep.equal([]);
  });
});
