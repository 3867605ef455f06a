import { expect } from 'chai';
import { goodDay } from '../matrix/sample-bodies.ts';
import { textOf } from '../matrix/vendors/vendors.ts';
import { presetTable } from '../providers/openai-compatible/preset-table.ts';
import { pluginsWith } from '../support/failover-scene.ts';
import { send } from '../support/http.ts';
import { everyWire, startScene } from '../support/scene.ts';
import { answerJson, startUpstream, type TestUpstream } from '../support/upstream.ts';

const apiKey = 'upstream-secret';

/** A model of each provider, and the settings by which it calls the given address. */
const vendorsAt = (url: string): Readonly<Record<string, { readonly model: string; readonly config: object }>> => ({
  'anthropic': { model: 'claude-sonnet-5-5', config: { apiKey, baseUrl: url } },
  'azure-anthropic': { model: 'claude-sonnet-5-5', config: { apiKey, endpoint: url } },
  'azure-openai': { model: 'gpt-4.1', config: { apiKey, endpoint: url } },
  'bedrock': { model: 'us.amazon.nova-2-lite-v1:0', config: { apiKey, baseUrl: url, region: 'us-east-1' } },
  'cohere': { model: 'command-a-03-2025', config: { apiKey, baseUrl: url } },
  'google': { model: 'gemini-3.8-flash', config: { apiKey, baseUrl: url } },
  'mistral': { model: 'mistral-medium-latest', config: { apiKey, baseUrl: `${url}/v1` } },
  'ollama': { model: 'llama3.2', config: { baseUrl: url } },
  'openai': { model: 'gpt-4.1', config: { apiKey, baseUrl: `${url}/v1` } },
  'vertex': { model: 'gemini-3.8-flash', config: { apiKey, baseUrl: url } },
  ...Object.fromEntries(
    Object.entries(presetTable).map(([name, { model }]) => [
      name,
      { model: model ?? 'a-model', config: { apiKey, baseUrl: `${url}/v1` } },
    ]),
  ),
});

const startVendors = async (url: string) => {
  const vendors = vendorsAt(url);
  const scene = await startScene({
    plugins: pluginsWith({}),
    providers: {
      ...Object.fromEntries(Object.entries(vendors).map(([name, { config }]) => [name, { use: name, config }])),
      spare: { use: 'openai-compatible', config: { apiKey, baseUrl: `${url}/spare` } },
    },
    models: Object.fromEntries(
      Object.entries(vendors).map(([name, { model }]) => [
        `${name}/m`,
        {
          wires: everyWire,
          targets: [
            { provider: name, model },
            { provider: 'spare', model: 'm' },
          ],
        },
      ]),
    ),
  });
  return { scene, names: Object.keys(vendors) };
};

/** What an upstream does, and the outcome of the attempt in the log. */
const outages = [
  ['429', 'rate_limited', 429],
  ['500', 'upstream_error', 500],
  ['502', 'upstream_error', 502],
  ['503', 'upstream_error', 503],
  ['504', 'timeout', 504],
  ['529', 'upstream_error', 529],
  ['401', 'auth', 401],
  ['a closed connection', 'upstream_error', 0],
] as const;

describe('an outage of any vendor', () => {
  let upstream: TestUpstream;
  beforeEach(async () => {
    upstream = await startUpstream();
  });
  afterEach(() => upstream.stop());

  for (const [what, outcome, status] of outages)
    it(`an outage of any vendor by ${what} is classified, and another target serves the call`, async () => {
      upstream.answer = (response, { path }) => {
        if (path.startsWith('/spare/'))
          return void response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(textOf('chat', 'plain', goodDay));
        if (status === 0) return void response.destroy();
        return answerJson(response, { error: { message: 'It does not work.' }, message: 'It does not work.' }, status);
      };
      const { scene, names } = await startVendors(upstream.url);
      try {
        for (const name of names) {
          upstream.calls.length = 0;
          const { status: got, text } = await send(scene.gateway.url, {
            path: '/v1/chat/completions',
            body: JSON.stringify({ model: `${name}/m`, messages: [{ role: 'user', content: 'Hello' }] }),
          });
          expect([got, text.includes('Good day.')], `${name}: ${text}`).to.deep.equal([200, true]);
          expect(upstream.calls[0]?.path, name).not.to.match(/^\/spare/);
          const attempts = scene.gateway.exchanges().at(-1)?.['attempts'] as readonly { readonly outcome: string }[];
          expect(attempts[0]?.outcome, name).to.equal(outcome);
        }
        expect(names).to.have.length.above(25);
      } finally {
        await scene.stop(/credential/);
      }
    });
});
