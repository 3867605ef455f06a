import { GoogleGenAI, type Interactions } from '@google/genai';
import { expect } from 'chai';
import { messagesBody } from '../../matrix/vendors/vendor-messages.ts';
import { someTokens, type Json } from '../../matrix/wires.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { send } from '../../support/http.ts';
import { until } from '../../support/until.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream.ts';
import { createInteractionsVendor, type InteractionsVendor } from './interactions-vendor.ts';

const keys = { web: 'web-key-0123456789abcdef', shop: 'shop-key-0123456789abcdef' };
const GEMINI = 'google/gemini-3.5-flash';
const CLAUDE = 'anthropic/claude-sonnet-4-5';
const CAP = 1_000;
const tools = [{ type: 'function', name: 'look_up', parameters: { type: 'object', properties: {} } }] as const;

const settings = (url: string, google: Json = {}): Json => ({
  providers: {
    google: { use: 'google', config: { apiKey: 'upstream-secret', baseUrl: url }, ...google },
    anthropic: { use: 'anthropic', config: { apiKey: 'upstream-secret', baseUrl: url } },
  },
  models: {
    [GEMINI]: { targets: [{ provider: 'google', model: 'gemini-3.5-flash' }], price: { input: 1, output: 10 } },
    [CLAUDE]: { targets: [{ provider: 'anthropic', model: 'claude-sonnet-4-5' }], price: { input: 1, output: 10 } },
  },
  organizations: {
    acme: {
      projects: {
        web: { keys: { web: { key: keys.web, limits: [{ outputTokens: 20 * CAP, per: '1h' }] } } },
        shop: { keys: { shop: { key: keys.shop } } },
      },
    },
  },
  plugins: [{ use: 'auth' }, { use: 'rate-limit' }, { use: 'ledger' }],
});

describe('stored interactions', () => {
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
  const create = (params: Json, key = keys.web): Promise<{ id: string; status: string; steps: Interactions.Step[] }> =>
    clientOf(key).create(params as unknown as Interactions.InteractionCreateParamsNonStreaming);
  const ask = (body: Json, key = keys.web) =>
    send(gateway.url, {
      path: '/v1beta/interactions',
      headers: { 'x-goog-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ model: GEMINI, input: 'Hello', ...body }),
    });
  const refusalOf = async (body: Json, key?: string): Promise<string> => {
    const { status, text } = await ask(body, key);
    expect(status, text).to.be.within(400, 404);
    const { error } = JSON.parse(text) as { readonly error: { readonly code: string; readonly message: string } };
    return `${status} ${error.code}: ${error.message}`;
  };
  const rows = async (): Promise<readonly Json[]> => {
    const { text } = await send(gateway.gateway.admin.url, { method: 'GET', path: '/admin/requests' });
    return (JSON.parse(text) as { readonly requests: readonly Json[] }).requests;
  };

  it('are retrieved, cancelled and deleted by the project that owns them, and by no other', async () => {
    const { id } = await create({ model: GEMINI, input: 'Hello' });
    expect(await clientOf(keys.web).get(id)).to.include({ id, status: 'completed', output_text: 'Good day.' });
    for (const attempt of [
      () => clientOf(keys.shop).get(id),
      () => clientOf(keys.shop).cancel(id),
      () => clientOf(keys.shop).delete(id),
    ]) {
      const error = await attempt().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(String(error)).to.match(/404|There is no response with this id/);
    }
    expect(vendor.status.has(id)).to.equal(true);
    expect(await clientOf(keys.web).cancel(id)).to.include({ status: 'cancelled' });
    await clientOf(keys.web).delete(id);
    expect(vendor.status.has(id)).to.equal(false);
  });

  it('are continued at Google by the project that owns them, and by no other', async () => {
    const { id } = await create({ model: GEMINI, input: 'Hello' });
    await create({ model: GEMINI, input: 'Go on', previous_interaction_id: id });
    expect(upstream.calls.at(-1)?.body).to.deep.equal({
      model: 'gemini-3.5-flash',
      input: 'Go on',
      previous_interaction_id: id,
    });
    expect(await refusalOf({ previous_interaction_id: id }, keys.shop)).to.match(
      /^404 not_found: 'previous_interaction_id'/,
    );
  });

  it('are continued on another wire from what the gateway has kept, through a loop of four calls', async () => {
    let calls = 0;
    upstream.answer = (response) => {
      calls += 1;
      const content =
        calls < 5
          ? [{ type: 'tool_use', id: `toolu_${calls}`, name: 'look_up', input: { page: calls } }]
          : [{ type: 'text', text: 'Found.' }];
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(messagesBody({ content, finish: calls < 5 ? 'tool_use' : 'end_turn' }, someTokens));
    };
    let interaction = await create({ model: CLAUDE, input: 'Look it up', tools });
    while (interaction.status === 'requires_action') {
      const results = interaction.steps.flatMap((step) =>
        step.type === 'function_call'
          ? [{ type: 'function_result', call_id: step.id, name: step.name, result: `page ${calls}` }]
          : [],
      );
      interaction = await create({ model: CLAUDE, input: results, tools, previous_interaction_id: interaction.id });
    }
    expect(interaction).to.include({ status: 'completed', output_text: 'Found.' });
    const turns = upstream.calls.at(-1)?.body['messages'] as readonly { readonly role: string }[];
    expect(turns.map(({ role }) => role).join(' ')).to.equal(
      'user assistant user assistant user assistant user assistant user',
    );
    expect(await refusalOf({ model: CLAUDE, previous_interaction_id: interaction.id }, keys.shop)).to.match(
      /^40[04] \w+: 'previous_interaction_id'/,
    );
  });

  it('are kept as a whole: no step has a record of its own', async () => {
    const call = { type: 'tool_use', id: 'toolu_own', name: 'look_up', input: {} };
    upstream.answer = (response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(messagesBody({ content: [{ type: 'text', text: 'Hi.' }, call], finish: 'tool_use' }, someTokens));
    const { id } = await create({ model: CLAUDE, input: 'Hello', tools });
    expect(await refusalOf({ model: CLAUDE, previous_interaction_id: 'toolu_own' })).to.contain('previous_interaction');
    await create({
      model: CLAUDE,
      input: [{ type: 'function_result', call_id: 'toolu_own', result: 'a' }],
      tools,
      previous_interaction_id: id,
    });
    expect(upstream.calls.at(-1)?.body['messages']).to.have.length(3);
  });

  it('are not kept if the client asked for that', async () => {
    upstream.answer = (response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(messagesBody({ content: [{ type: 'text', text: 'Hi.' }], finish: 'end_turn' }, someTokens));
    const { id } = await create({ model: CLAUDE, input: 'Hello', store: false });
    expect(await refusalOf({ model: CLAUDE, previous_interaction_id: id })).to.contain("'previous_interaction_id'");
  });

  it('of the background are settled once, with thoughts in the output', async () => {
    const { id, status } = await create({
      model: GEMINI,
      input: 'Hello',
      background: true,
      generation_config: { max_output_tokens: CAP },
    });
    expect(status).to.equal('in_progress');
    expect(await clientOf(keys.web).get(id)).to.include({ status: 'in_progress' });
    vendor.status.set(id, 'completed');
    expect(await clientOf(keys.web).get(id)).to.include({ status: 'completed' });
    await clientOf(keys.web).get(id);
    const settled = gateway.exchanges().filter((line) => line['operation'] === 'background');
    expect(settled).to.have.length(1);
    expect(settled[0]).to.include({ outcome: 'ok', tokens_in: 12, tokens_out: 40 });
    let row: Json | undefined;
    await until('the ledger has it', async () => ([row] = await rows())[0]?.['state'] === 'settled', 50);
    expect(row).to.include({ outcome: 'ok', operation: 'generate', key: 'web' });
  });

  it('are refused by name where they are not possible', async () => {
    expect(await refusalOf({ model: CLAUDE, background: true })).to.match(/^400 invalid_request: 'background'/);
    expect(await refusalOf({ model: undefined, agent: 'deep-research' })).to.match(/^404 model_not_found: .*deep-res/);
    expect(await refusalOf({ model: CLAUDE, input: 5 })).to.match(/^400 invalid_request: 'input' must be a text/);
    const webhook_config = { uris: ['https://example.com/hook'] };
    expect(await refusalOf({ webhook_config }))
      .to.contain("'webhook_config'")
      .and.to.contain('acceptMembers');
    expect(await refusalOf({ model: CLAUDE, webhook_config })).to.match(/^400 invalid_request: 'webhook_config'/);
    expect(upstream.calls).to.have.length(0);
  });

  it('name no file of the vendor that this gateway has not seen, also in a result among what the user sends', async () => {
    const uri = 'https://generativelanguage.googleapis.com/v1beta/files/abc';
    const result = { type: 'function_result', call_id: 'a', name: 'f', result: [{ type: 'image', uri }] };
    expect(await refusalOf({ input: [result] })).to.match(/^404 not_found: 'input\[0\]\.result\[0\]\.uri'/);
    const input = [{ type: 'user_input', content: [result] }];
    expect(await refusalOf({ input })).to.match(/^404 not_found: 'input\[0\]\.content\[0\]\.result\[0\]\.uri'/);
    expect(upstream.calls).to.have.length(0);
  });

  it('can have a webhook if the operator accepts the member', async () => {
    const open = await startTestGateway(settings(upstream.url, { acceptMembers: ['webhook_config'] }));
    try {
      const webhook_config = { uris: ['https://example.com/hook'] };
      const { status } = await send(open.url, {
        path: '/v1/interactions',
        headers: { 'authorization': `Bearer ${keys.web}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: GEMINI, input: 'Hello', webhook_config }),
      });
      expect(status).to.equal(200);
      expect(upstream.calls[0]?.body).to.deep.include({ webhook_config });
    } finally {
      await open.stop();
    }
  });
});
