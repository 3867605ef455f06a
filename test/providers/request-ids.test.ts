import { expect } from 'chai';
import { KEY, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { answerJson, startUpstream, type TestUpstream } from '../support/upstream.ts';

/** Headers as in recorded responses of the vendors. The first has the id that is kept. */
const vendors: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  cohere: { 'x-debug-trace-id': 'd4c663ab3b0c86bd19c7a45e13b37dff', 'x-envoy-upstream-service-time': '1366' },
  mistral: { 'mistral-correlation-id': '019f8077-0c73-74d4-992e', 'x-kong-request-id': '019f8077-0c73-74d4-992f' },
  'azure-openai': {
    'apim-request-id': 'e53e714e-5c47-4d46',
    'x-request-id': '8b0fb6a3-60b6',
    'x-ms-region': 'West US',
  },
  'azure-anthropic': { 'apim-request-id': 'a04ac4e5-6f3d-4bd1', 'request-id': 'req_011CUyz' },
  anthropic: { 'request-id': 'req_011CUyy' },
};
const names = Object.keys(vendors);

describe("the vendor's id of a call", () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  before(async () => {
    upstream = await startUpstream();
    upstream.answer = (response, { path, body }) => {
      const vendor = String(body['model'] ?? path);
      for (const [name, value] of Object.entries(vendors[vendor] ?? {})) response.setHeader(name, value);
      answerJson(response, { message: 'no such model' }, 404);
    };
    const configOf = (name: string) => ({
      apiKey: 'k',
      [name.startsWith('azure-') ? 'endpoint' : 'baseUrl']: upstream.url,
    });
    gateway = await startTestGateway({
      providers: Object.fromEntries(names.map((name) => [name, { use: name, config: configOf(name) }])),
      models: Object.fromEntries(
        names.map((name) => [
          `vendor/${name}`,
          { targets: [{ provider: name, model: name }], wires: ['chat-completions'] },
        ]),
      ),
    });
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  for (const [index, name] of names.entries())
    it(`is read from the header that ${name} sends with each response`, async () => {
      await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model: `vendor/${name}`,
          messages: [{ role: 'user', content: 'Hello' }],
          max_tokens: 5,
        }),
      });
      await gateway.settled(index + 1);
      const attempts = gateway.exchanges().at(-1)?.['attempts'] as readonly unknown[] | undefined;
      expect(attempts?.[0]).to.include({ status: 404, upstream_request_id: Object.values(vendors[name] ?? {})[0] });
    });
});
