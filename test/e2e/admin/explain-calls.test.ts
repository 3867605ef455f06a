import { createServer, type Server } from 'node:http';
import { expect } from 'chai';
import type { Explanation } from '../../../core/server/explain/explanation.ts';
import { askAdmin, readJson } from '../../support/admin.ts';
import { callOf } from '../../support/calls.ts';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { readError, send } from '../../support/http.ts';

const canaries = {
  openai: 'canary-openai-key-0123456789',
  anthropic: 'canary-anthropic-key-0123456789',
  google: 'canary-google-key-0123456789',
  query: 'canary-query-0123456789',
  header: 'canary-header-0123456789',
  team: 'canary-team-0123456789',
  variable: 'canary-variable-0123456789',
} as const;

const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const seeing = (url: string) => ({
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        { type: 'image_url', image_url: { url } },
      ],
    },
  ],
});

describe('explain with calls', () => {
  let gateway: TestGateway;
  let upstream: Server;
  let calls = 0;
  before(async () => {
    upstream = createServer((_request, response) => {
      calls += 1;
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"No such key."}}');
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    const address = upstream.address();
    const base = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
    Object.assign(process.env, {
      EXPLAIN_BASE: `${base}/v1?api-key=${canaries.query}`,
      EXPLAIN_ORGANIZATION: canaries.variable,
    });
    gateway = await startTestGateway({
      providers: {
        openai: {
          use: 'openai',
          config: { apiKey: canaries.openai, baseUrl: `${base}/v1`, organization: '${EXPLAIN_ORGANIZATION}' },
        },
        anthropic: { use: 'anthropic', config: { apiKey: canaries.anthropic, baseUrl: base } },
        google: { use: 'google', config: { apiKey: canaries.google, baseUrl: base }, fetchMedia: { enabled: true } },
        local: {
          use: 'openai-compatible',
          config: { baseUrl: '${EXPLAIN_BASE}', headers: { 'x-api-key': canaries.header, 'x-team': canaries.team } },
        },
        keyless: { use: 'openai', config: { apiKey: '' } },
      },
      models: {
        'house/talk': {
          wires: ['chat-completions', 'messages', 'responses', 'generate-content'],
          targets: [
            { provider: 'keyless', model: 'gpt-4.1' },
            { provider: 'anthropic', model: 'claude-sonnet-4-6' },
            { provider: 'openai', model: 'gpt-4.1' },
            { provider: 'google', model: 'gemini-2.5-flash' },
            { provider: 'local', model: 'llama' },
          ],
        },
        'house/blind': { targets: [{ provider: 'local', model: 'llama' }], capabilities: { vision: false } },
        'house/careful': {
          targets: [{ provider: 'openai', model: 'gpt-4.1' }],
          defaults: { max_tokens: 77, temperature: 0.2 },
        },
        'house/claude': { targets: [{ provider: 'anthropic', model: 'claude-sonnet-4-6' }] },
        'house/gemini': { targets: [{ provider: 'google', model: 'gemini-2.5-flash' }] },
        'house/vectors': {
          wires: ['embeddings', 'embed-content'],
          targets: [
            { provider: 'openai', model: 'text-embedding-3-small' },
            { provider: 'google', model: 'gemini-embedding-001' },
          ],
        },
      },
      organizations: {
        acme: {
          projects: { web: { keys: { alice: { key: KEY }, strict: { key: 'strict-0123456789', losses: 'reject' } } } },
        },
      },
      plugins: [{ use: 'metrics' }, { use: 'auth' }, { use: 'rate-limit' }, { use: 'ledger' }, { use: 'failover' }],
    });
  });
  after(async () => {
    await gateway?.stop();
    for (const name of ['EXPLAIN_BASE', 'EXPLAIN_ORGANIZATION']) delete process.env[name];
    upstream?.closeAllConnections();
    upstream?.close();
  });
  const explain = async (question: object): Promise<Explanation> =>
    readJson<Explanation>(await askAdmin(gateway, 'POST', '/admin/explain', { key: 'alice', ...question }));
  const metrics = async (): Promise<readonly string[]> =>
    (await askAdmin(gateway, 'GET', '/metrics')).text
      .split('\n')
      .filter((line) => line.startsWith('koine_') && !line.includes('event_loop'));

  it('explain shows method, address, headers and body for the first target, and for all on request', async () => {
    const { targets } = await explain({ model: 'house/talk', wire: 'messages' });
    const shown = targets.filter(({ upstream: call }) => call !== undefined);
    expect(shown.map(({ target }) => target)).to.deep.equal(['anthropic/claude-sonnet-4-6']);
    expect(shown[0]?.upstream).to.deep.include({
      method: 'POST',
      body: {
        model: 'claude-sonnet-4-6',
        max_tokens: 256,
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      },
    });
    expect(shown[0]?.upstream?.url).to.match(/^http:\/\/127\.0\.0\.1:\d+\/v1\/messages$/);
    expect(shown[0]?.upstream?.headers).to.include({ 'x-api-key': '***', 'content-type': 'application/json' });
    const all = (await explain({ model: 'house/talk', wire: 'messages', all: true })).targets;
    expect(all.filter(({ upstream: call }) => call !== undefined)).to.have.length(4);
    expect(all.find(({ target }) => target === 'keyless/gpt-4.1')?.unsent).to.equal(
      'there is no credential to send it with',
    );
  });

  it('explain shows the defaults of the model, in the call and in the estimate', async () => {
    const { model, request, targets } = await explain({
      model: 'house/careful',
      wire: 'chat-completions',
      body: { messages: [{ role: 'user', content: 'Hi' }] },
    });
    expect(model.defaults).to.deep.equal({ max_tokens: 77, temperature: 0.2 });
    expect(request.estimate).to.include({ outputTokens: 77, declared: true });
    expect(targets[0]?.upstream?.body).to.deep.include({ max_completion_tokens: 77, temperature: 0.2 });
  });

  it('explain shows the lane of each target and the reason', async () => {
    const { targets } = await explain({ model: 'house/talk', wire: 'messages' });
    expect(Object.fromEntries(targets.map(({ target, lane, why }) => [target, [lane, why]]))).to.deep.equal({
      'keyless/gpt-4.1': ['translated', 'the client speaks messages, the target chat-completions'],
      'anthropic/claude-sonnet-4-6': ['native', 'client and target speak messages'],
      'openai/gpt-4.1': ['translated', 'the client speaks messages, the target chat-completions'],
      'google/gemini-2.5-flash': ['translated', 'the client speaks messages, the target generate-content'],
      'local/llama': ['translated', 'the client speaks messages, the target chat-completions'],
    });
  });

  for (const [wire, model] of [
    ['chat-completions', 'house/talk'],
    ['messages', 'house/talk'],
    ['responses', 'house/talk'],
    ['generate-content', 'house/talk'],
    ['embeddings', 'house/vectors'],
    ['embed-content', 'house/vectors'],
  ] as const)
    it(`explain shows the calls of ${wire}, plain${model === 'house/talk' ? ' and streamed' : ''}, without a secret`, async () => {
      for (const stream of model === 'house/talk' ? [false, true] : [false]) {
        const explained = await explain({ model, wire, stream, all: true });
        expect(explained.route.stream).to.equal(stream);
        const usable = explained.targets.filter(({ skipped }) => skipped === undefined);
        expect(usable).to.have.length(model === 'house/talk' ? 4 : 2);
        for (const { target, upstream: call } of usable) {
          expect(call?.body, target).to.be.an('object');
          const streams =
            (call?.body as { stream?: boolean } | undefined)?.stream === true ||
            call?.url.includes(':streamGenerateContent') === true;
          expect(streams, target).to.equal(stream);
        }
        expect(JSON.stringify(explained)).to.not.include('canary-');
      }
    });

  it('explain shows how tokens would be counted, and which target cannot', async () => {
    const { route, targets } = await explain({
      model: 'house/talk',
      wire: 'messages',
      operation: 'count-tokens',
      all: true,
    });
    expect(route).to.deep.include({ operation: 'count-tokens', paths: ['/v1/messages/count_tokens'] });
    const of = (id: string) => targets.find(({ target }) => target === id);
    expect(of('anthropic/claude-sonnet-4-6')?.upstream?.url).to.match(/\/v1\/messages\/count_tokens$/);
    expect(of('google/gemini-2.5-flash')?.upstream?.url).to.match(/:countTokens$/);
    expect(of('local/llama')?.unsent).to.include('the gateway returns its own estimate');
    expect(of('anthropic/claude-sonnet-4-6')).to.not.have.property('estimatedCost');
  });

  it('explain shows no secret in addresses, headers or bodies', async () => {
    const body = { messages: [{ role: 'user', content: `Look: ${Object.values(canaries).join(' ')} and ${KEY}` }] };
    const explained = await explain({ model: 'house/talk', wire: 'chat-completions', all: true, body });
    const text = JSON.stringify(explained);
    for (const secret of [...Object.values(canaries), KEY]) expect(text).to.not.include(secret);
    const local = explained.targets.find(({ target }) => target === 'local/llama')?.upstream;
    expect(local?.url).to.match(/^http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions\?api-key=\*\*\*$/);
    expect(local?.headers).to.include({ 'x-api-key': '***', 'x-team': '***' });
    expect(explained.targets.find(({ target }) => target === 'openai/gpt-4.1')?.upstream?.headers).to.include({
      'openai-organization': '***',
    });
    expect(local?.body).to.deep.include({ messages: [{ role: 'user', content: `Look: ${'*** '.repeat(7)}and ***` }] });
  });

  it('explain lists the losses of each target', async () => {
    const body = { messages: [{ role: 'user', content: 'Hello' }], logit_bias: { 1: 1 }, max_tokens: 64 };
    const { targets } = await explain({ model: 'house/talk', wire: 'chat-completions', body });
    const lossesOf = (id: string) =>
      targets.find(({ target }) => target === id)?.losses.map(({ field, kind }) => `${field};${kind}`);
    expect(lossesOf('anthropic/claude-sonnet-4-6')).to.deep.equal(['logit_bias;dropped']);
    expect(lossesOf('openai/gpt-4.1')).to.deep.equal([]);
  });

  it('explain skips lossy targets when losses are rejected', async () => {
    const body = { messages: [{ role: 'user', content: 'Hello' }], logit_bias: { 1: 1 }, max_tokens: 64 };
    const { targets } = await explain({ key: 'strict', model: 'house/talk', wire: 'chat-completions', body });
    const claude = targets.find(({ target }) => target === 'anthropic/claude-sonnet-4-6');
    expect(claude?.skipped?.join()).to.include("'logit_bias' would be dropped").and.include('losses: reject');
    expect(claude?.losses).to.have.length(1);
    expect(targets.find(({ upstream: call }) => call !== undefined)?.target).to.equal('openai/gpt-4.1');
  });

  it('explain skips a model without vision for an image, on the native lane too', async () => {
    const { targets } = await explain({ model: 'house/blind', wire: 'chat-completions', body: seeing(pixel) });
    expect(targets[0]?.lane).to.equal('native');
    expect(targets[0]?.skipped?.join()).to.match(/image/);
    expect(targets[0]).to.not.have.property('upstream');
  });

  it('explain shows several calls for several choices', async () => {
    const { targets } = await explain({
      model: 'house/claude',
      wire: 'chat-completions',
      body: { messages: [{ role: 'user', content: 'Hello' }], n: 3 },
    });
    expect(targets[0]?.losses.find(({ kind }) => kind === 'injected')?.detail).to.include('3 times');
    expect(targets[0]?.upstream?.body).to.deep.include({ model: 'claude-sonnet-4-6' });
  });

  it('explain fetches no image and reports that the gateway would', async () => {
    const { targets } = await explain({
      model: 'house/gemini',
      wire: 'chat-completions',
      body: seeing('https://127.0.0.1/cat.png'),
    });
    expect(targets[0]).to.not.have.property('skipped');
    expect(targets[0]?.unsent).to.include('nothing is fetched while a request is explained');
  });

  it('explain calls no upstream, counts nothing, reserves nothing and writes nothing', async () => {
    await explain({ model: 'house/talk' });
    const before = await metrics();
    const rows = (await askAdmin(gateway, 'GET', '/admin/usage')).text;
    for (const wire of ['chat-completions', 'messages', 'responses', 'generate-content'])
      await explain({ model: 'house/talk', wire, all: true });
    expect(await metrics()).to.deep.equal(before);
    expect(before.length).to.be.greaterThan(5);
    expect((await askAdmin(gateway, 'GET', '/admin/usage')).text.replaceAll(/"(from|to)":"[^"]*"/g, '')).to.equal(
      rows.replaceAll(/"(from|to)":"[^"]*"/g, ''),
    );
    expect(gateway.exchanges()).to.deep.equal([]);
    expect(calls).to.equal(0);
  });

  it('explain skips a target in cooldown and shows when it ends', async () => {
    expect((await send(gateway.url, callOf('chat', 'house/claude'))).status).to.equal(502);
    const { targets } = await explain({ model: 'house/claude' });
    expect(targets[0]?.credentials[0]).to.deep.include({ credential: 'key-1', state: 'resting' });
    expect(targets[0]?.skipped?.join()).to.match(/^key-1: .*, until \d{4}-/);
    expect(targets[0]?.lane).to.equal('translated');
    const last = (await explain({ model: 'house/talk' })).targets
      .map(({ target, skipped }) => [target, skipped !== undefined])
      .slice(-2);
    expect(last).to.deep.equal([
      ['anthropic/claude-sonnet-4-6', true],
      ['keyless/gpt-4.1', true],
    ]);
  });

  it('explain rejects invalid input', async () => {
    for (const [question, param] of [
      [{ operation: 'count' }, 'operation'],
      [{ stream: 'yes' }, 'stream'],
      [{ all: 1 }, 'all'],
      [{ wire: 'messages', operation: 'count-tokens', stream: true }, 'stream'],
    ] as const) {
      const reply = await askAdmin(gateway, 'POST', '/admin/explain', {
        key: 'alice',
        model: 'house/talk',
        ...question,
      });
      expect([reply.status, readError(reply).error.param]).to.deep.equal([400, param]);
    }
  });
});
