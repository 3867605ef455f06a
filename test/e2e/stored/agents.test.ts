import { GoogleGenAI, type Interactions } from '@google/genai';
import { expect } from 'chai';
import type { Json } from '../../matrix/wires.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { send } from '../../support/http.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream.ts';
import { createInteractionsVendor, type InteractionsVendor } from './interactions-vendor.ts';

const keys = {
  web: 'web-key-0123456789abcdef',
  small: 'small-key-0123456789abcdef',
  free: 'free-key-0123456789abcdef',
};
const AGENT = 'google/deep-research';
const VENDOR_NAME = 'deep-research-pro-preview-12-2025';
const bound = { inputTokens: 300_000, outputTokens: 60_000 };
const price = { input: 2, output: 12 };
const ofGoogle = [{ provider: 'google', model: VENDOR_NAME }];

const settings = (url: string): Json => ({
  providers: {
    google: { use: 'google', config: { apiKey: 'upstream-secret', baseUrl: url } },
    anthropic: { use: 'anthropic', config: { apiKey: 'upstream-secret', baseUrl: url } },
  },
  models: {
    [AGENT]: { targets: ofGoogle, price, capabilities: { agent: bound } },
    'google/gemini': { targets: [{ provider: 'google', model: 'gemini-3.5-flash' }], price },
    'anthropic/agent': {
      targets: [{ provider: 'anthropic', model: 'claude-sonnet-4-5' }],
      price,
      capabilities: { agent: bound },
    },
  },
  organizations: {
    acme: {
      projects: {
        web: { keys: { web: { key: keys.web, limits: [{ cost: 2, per: 'month' }] } } },
        free: { keys: { free: { key: keys.free } } },
        small: { keys: { small: { key: keys.small, limits: [{ cost: 1, per: 'month' }] } } },
      },
    },
  },
  plugins: [{ use: 'auth' }, { use: 'rate-limit' }, { use: 'ledger' }],
});

describe('agents of a vendor', () => {
  let gateway: TestGateway;
  let upstream: TestUpstream;
  let vendor: InteractionsVendor;
  before(async () => {
    upstream = await startUpstream();
    gateway = await startTestGateway(settings(upstream.url));
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });
  beforeEach(() => {
    vendor = createInteractionsVendor();
    upstream.answer = vendor.answer;
    upstream.calls.length = 0;
  });

  const clientOf = (key: string): GoogleGenAI['interactions'] =>
    new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: gateway.url, timeout: 20_000 } }).interactions;
  const run = {
    agent: AGENT,
    input: 'Who made the first loom?',
    background: true,
    agent_config: { type: 'deep-research', thinking_summaries: 'auto' },
  };
  const start = (key: string) => clientOf(key).create(run as Interactions.InteractionCreateParamsNonStreaming);
  const refusalOf = async (body: Json, key = keys.free, path = '/v1beta/interactions'): Promise<string> => {
    const calls = upstream.calls.length;
    const { status, text } = await send(gateway.url, {
      path,
      headers: { 'authorization': `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(upstream.calls, text).to.have.length(calls);
    return `${status} ${(JSON.parse(text) as { readonly error: { readonly message: string } }).error.message}`;
  };

  it('are started by their name, settled once by what they used, and reserve their bound until then', async () => {
    const { id, status } = await start(keys.web);
    expect(status).to.equal('in_progress');
    expect(upstream.calls.at(-1)?.body).to.deep.equal({
      agent: VENDOR_NAME,
      input: 'Who made the first loom?',
      background: true,
      agent_config: { type: 'deep-research', thinking_summaries: 'auto' },
    });
    // 300,000 x 2 + 60,000 x 12 millionths of a dollar are reserved of 2 dollars: a second run does not fit.
    expect(await refusalOf(run, keys.web)).to.match(/^429 Rate limit exceeded: 2 USD per month/);
    vendor.status.set(id, 'completed');
    expect(await clientOf(keys.web).get(id)).to.include({ status: 'completed', output_text: 'Good day.' });
    await clientOf(keys.web).get(id);
    const settled = gateway.exchanges().filter((line) => line['operation'] === 'background');
    expect(settled).to.have.length(1);
    // 12 x 2 + 40 x 12
    expect(settled[0]).to.include({ outcome: 'ok', tokens_in: 12, tokens_out: 40, cost_micro: 504 });
    expect((await start(keys.web)).status).to.equal('in_progress');
  });

  it('are refused where their bound is more than the whole limit', async () => {
    expect(await refusalOf(run, keys.small)).to.match(/^400 .*1 USD/);
  });

  it('are refused unless the catalog has them as agents', async () => {
    expect(await refusalOf({ agent: 'google/gemini', input: 'Hi' })).to.match(
      /^400 'google\/gemini' is no agent in the catalog .* Name it as 'model'/,
    );
    expect(await refusalOf({ agent: 'google/unknown', input: 'Hi' })).to.match(/^404 .*google\/unknown/);
    expect(await refusalOf({ agent: AGENT, model: AGENT, input: 'Hi' })).to.match(/^400 'agent' and 'model' exclude/);
  });

  it('keep a gateway from starting without a price, on the line of the agent', async () => {
    const models = { [AGENT]: { targets: ofGoogle, capabilities: { agent: bound } } };
    const failure = await startTestGateway({ ...settings(upstream.url), models }).then(({ stop }) => stop(), String);
    expect(failure).to.include(`models["${AGENT}"].capabilities.agent has no price`);
  });

  it('are no models, on any wire', async () => {
    const isAgent = /^400 'google\/deep-research' is an agent of the vendor: name it as 'agent'/;
    expect(await refusalOf({ model: AGENT, input: 'Hi' })).to.match(isAgent);
    const messages = [{ role: 'user', content: 'Hi' }];
    expect(await refusalOf({ model: AGENT, messages }, keys.free, '/v1/chat/completions')).to.match(isAgent);
    expect(await refusalOf({ agent: 'anthropic/agent', input: 'Hi' })).to.match(
      /^400 'agent' requests an agent, which only a vendor with the wire interactions can do/,
    );
  });
});
