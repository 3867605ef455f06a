import { expect } from 'chai';
import { APIError } from 'openai';
import { parseMetrics } from '../../support/parse-metrics.ts';
import { createChatClient } from '../../matrix/clients/client-chat.ts';
import { framesOf } from '../../matrix/vendors/vendors.ts';
import { goodDay } from '../../matrix/sample-bodies.ts';
import { askAdmin, readJson } from '../../support/admin.ts';
import { callOf, greet, streamEnds, wireAt } from '../../support/calls.ts';
import { until } from '../../support/until.ts';
import { failAt, modelOver, pluginsWith, refuse, startFailover, trailOf } from '../../support/failover-scene.ts';
import { send, type HttpReply } from '../../support/http.ts';
import { CHAT, entryOf, everyWire, MESSAGES, startScene, type Scene } from '../../support/scene.ts';

const MODEL = modelOver('chat', 'messages');

interface Circuit {
  readonly provider: string;
  readonly model: string;
  readonly credential: string;
  readonly state: string;
  readonly reason?: string;
  readonly until?: string;
  readonly callers?: readonly string[];
}
const circuitsOf = async (scene: Scene): Promise<readonly Circuit[]> =>
  readJson<{ circuits: Circuit[] }>(await askAdmin(scene.gateway, 'GET', '/admin/circuits')).circuits;

/** Two keys at OpenAI, and a target at Anthropic behind it. */
const startWithKeys = async (config: object = {}, models: object = {}): Promise<Scene> => {
  const scene = await startScene();
  const { url } = scene.upstream;
  await scene.gateway.stop();
  const own = await startScene({
    providers: {
      openai: { use: 'openai', config: { apiKeys: ['upstream-secret-1', 'upstream-secret-2'], baseUrl: `${url}/v1` } },
      anthropic: { use: 'anthropic', config: { apiKey: 'upstream-secret', baseUrl: url } },
    },
    models: {
      [MODEL]: {
        wires: everyWire,
        targets: [
          { provider: 'openai', model: 'gpt-4.1', wire: 'chat-completions' },
          { provider: 'anthropic', model: 'claude-sonnet-4-5' },
        ],
      },
      ...models,
    },
    plugins: pluginsWith(config),
  });
  await own.upstream.stop();
  const stop = async (expected?: RegExp): Promise<void> => {
    await own.stop(expected);
    await scene.upstream.stop();
  };
  return { ...own, upstream: scene.upstream, stop };
};

describe('health of targets', () => {
  let scene: Scene;
  let trails: (readonly string[])[];
  const ask = async (client: 'chat' | 'messages' = 'chat', more: Record<string, unknown> = {}): Promise<HttpReply> => {
    const before = scene.gateway.exchanges().length;
    const reply = await send(scene.gateway.url, callOf(client, MODEL, { more }));
    await scene.gateway.settled(before + 1);
    trails.push(trailOf(scene.gateway.exchanges()[before]));
    return reply;
  };
  beforeEach(() => {
    trails = [];
  });

  it('a refused credential moves requests to the next one, logs one alert, and never shows a key', async () => {
    scene = await startWithKeys({ circuit: { open: '1m' } });
    scene.upstream.answer = (response, call) =>
      call.headers.authorization === 'Bearer upstream-secret-1'
        ? refuse(401, {
            error: { message: 'Incorrect API key provided: upstream-secret-1.', code: 'invalid_api_key' },
          })(response)
        : greet(response, call);
    const replies: HttpReply[] = [];
    for (let index = 0; index < 8; index += 1)
      replies.push(await ask('chat', { messages: [{ role: 'user', content: `Conversation ${index}` }] }));
    expect(replies.map(({ status }) => status)).to.deep.equal(replies.map(() => 200));
    expect(trails.filter((trail) => trail.length === 2)).to.deep.equal([
      [`${CHAT} key-1 credential`, `${CHAT} key-2 ok`],
    ]);
    const alerts = scene.gateway.lines.filter(({ text }) => text.startsWith('a provider refuses a credential'));
    expect(
      alerts.map(({ level, fields }) => [level, fields['provider'], fields['credential'], fields['model']]),
    ).to.deep.equal([['error', 'openai', 'key-1', '*']]);
    expect(await circuitsOf(scene)).to.deep.include.members([
      {
        provider: 'openai',
        model: '*',
        credential: 'key-1',
        state: 'open',
        reason: 'credential',
        until: (await circuitsOf(scene))[0]?.until,
        callers: ['acme/web/alice'],
      },
    ]);
    await scene.stop(/a provider refuses a credential/);
  });

  it('a rate-limited credential cools down for as long as the vendor asks, and explain shows it', async () => {
    scene = await startWithKeys({ sticky: false });
    scene.upstream.answer = failAt(
      'chat',
      refuse(429, { error: { message: 'Slow down.', code: 'rate_limit_exceeded' } }, { 'retry-after': '30' }),
    );
    expect((await ask()).status).to.equal(200);
    expect(trails[0]).to.have.length(3);
    await ask();
    expect(trails[1]).to.deep.equal([`${MESSAGES} key-1 ok`]);
    const circuits = await circuitsOf(scene);
    expect(
      circuits.map(({ provider, model, credential, state, reason }) => [provider, model, credential, state, reason]),
    ).to.deep.equal([
      ['openai', 'gpt-4.1', 'key-1', 'cooling', 'rate-limit'],
      ['openai', 'gpt-4.1', 'key-2', 'cooling', 'rate-limit'],
    ]);
    expect(Date.parse(circuits[0]?.until ?? '') - Date.now()).to.be.within(15_000, 30_000);

    const explained = readJson<{
      plugins: {
        use: string;
        says: {
          routing: string;
          candidates: { target: string; credential: string; state: string; reason?: string; until?: string }[];
        };
      }[];
    }>(await askAdmin(scene.gateway, 'POST', '/admin/explain', { key: 'alice', model: MODEL }));
    const says = explained.plugins.find(({ use }) => use === 'failover')?.says;
    expect(says?.routing).to.equal('order');
    expect(says?.candidates.map(({ target, state, reason }) => [target, state, reason])).to.deep.equal([
      [MESSAGES, 'ready', undefined],
      [CHAT, 'resting', 'it is cooling down (rate-limit)'],
      [CHAT, 'resting', 'it is cooling down (rate-limit)'],
    ]);
    await scene.stop();
  });

  it('a failing target is skipped once its circuit opens, and found again by a probe', async () => {
    scene = await startFailover({ circuit: { calls: 3, open: '5s' } });
    scene.upstream.answer = failAt('chat', refuse(500));
    for (let index = 0; index < 5; index += 1) expect((await ask()).status).to.equal(200);
    expect(trails.map(({ length }) => length)).to.deep.equal([2, 2, 2, 1, 1]);
    expect((await circuitsOf(scene)).map(({ provider, state, reason }) => [provider, state, reason])).to.deep.equal([
      ['openai', 'open', 'transient'],
    ]);

    const { text } = await send(scene.gateway.gateway.admin.url, { method: 'GET', path: '/metrics', headers: {} });
    const families = parseMetrics(text);
    const samples = (name: string): readonly unknown[] =>
      families.get(name)?.samples.map(({ labels, value }) => [...Object.values(labels), value]) ?? [];
    expect(samples('koine_circuit_state')).to.deep.equal([['openai', 'gpt-4.1', 2]]);
    expect(samples('koine_circuit_transitions_total')).to.deep.equal([['openai', 'gpt-4.1', 'open', 1]]);
    expect(samples('koine_fallbacks_total')).to.deep.equal([['/v1/chat/completions', CHAT, MESSAGES, 'transient', 3]]);

    scene.upstream.answer = greet;
    await new Promise((resolve) => setTimeout(resolve, 6_100));
    for (let index = 0; index < 3; index += 1) await ask();
    expect(trails.slice(-3)).to.deep.equal([0, 1, 2].map(() => [`${CHAT} key-1 ok`]));
    expect((await circuitsOf(scene)).map(({ state }) => state)).to.deep.equal(['closed']);
    const turns = scene.gateway.lines
      .filter(({ text: line }) => line.startsWith('a circuit'))
      .map(({ fields }) => fields['to']);
    expect(turns).to.deep.equal(['open', 'half-open', 'closed']);
    await scene.stop();
  });

  it('streams that break after content open the circuit', async () => {
    scene = await startFailover({ circuit: { calls: 3, open: '1m' } });
    scene.upstream.answer = failAt(
      'chat',
      (response) =>
        void response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end(framesOf('chat', goodDay).slice(0, 2).join('')),
    );
    for (let index = 0; index < 3; index += 1) await send(scene.gateway.url, callOf('chat', MODEL, { stream: true }));
    await scene.gateway.settled(3);
    await ask();
    expect(trails).to.deep.equal([[`${MESSAGES} key-1 ok`]]);
    await scene.stop();
  });

  it('a vendor that reports few remaining requests is ordered last, and the figure is a metric', async () => {
    scene = await startFailover();
    scene.upstream.answer = (response, call) => {
      if (wireAt(call.path) === 'chat')
        response.setHeader('x-ratelimit-limit-requests', '100').setHeader('x-ratelimit-remaining-requests', '4');
      void greet(response, call);
    };
    await ask();
    await ask();
    expect(trails).to.deep.equal([[`${CHAT} key-1 ok`], [`${MESSAGES} key-1 ok`]]);
    const { text } = await send(scene.gateway.gateway.admin.url, { method: 'GET', path: '/metrics', headers: {} });
    expect(text).to.include('koine_upstream_ratelimit_remaining{provider="openai",model="gpt-4.1",unit="requests"} 4');
    await scene.stop();
  });

  it('an opened stream can fail over to the next target and end well', async () => {
    scene = await startFailover({}, { stream: { openAfter: '50ms', keepaliveEvery: '20ms' } });
    scene.upstream.answer = failAt('chat', (response) => void setTimeout(() => refuse(503)(response), 200));
    for (const client of ['chat', 'messages', 'responses', 'google'] as const) {
      const reply = await send(scene.gateway.url, callOf(client, MODEL, { stream: true }));
      expect(reply.status).to.equal(200);
      expect(reply.text)
        .to.match(/^(?:: keep-alive\n\n)+/)
        .and.match(streamEnds[client])
        .and.not.match(/"error":\{/);
    }
    await scene.stop();
  });

  it('no further attempt is made after the client leaves', async () => {
    scene = await startFailover({ retries: 3 });
    scene.upstream.answer = () => {};
    const controller = new AbortController();
    const { path, body } = callOf('chat', MODEL, { stream: true });
    const gone = fetch(scene.gateway.url + path, {
      method: 'POST',
      headers: { 'authorization': 'Bearer test-key-0123456789abcdef', 'content-type': 'application/json' },
      body,
      signal: controller.signal,
    }).catch(() => {});
    await until('a call', () => scene.upstream.calls.length === 1);
    controller.abort();
    await gone;
    await until('the upstream call is cut', () => scene.upstream.cut.count === 1);
    await scene.gateway.settled(1);
    expect(scene.gateway.exchanges()[0]).to.include({ outcome: 'client_closed' });
    expect(scene.upstream.calls).to.have.length(1);
    await scene.stop();
  });

  it('SDKs do not retry what the gateway has retried', async () => {
    scene = await startFailover();
    scene.upstream.answer = refuse(503) as Scene['upstream']['answer'];
    const client = createChatClient(scene.gateway.url).withOptions({ maxRetries: 2 });
    const error: unknown = await client.chat.completions
      .create({ model: MODEL, messages: [{ role: 'user', content: 'Hello' }] })
      .catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(APIError);
    expect(scene.upstream.calls, 'one of each target').to.have.length(2);
    await scene.stop();
  });

  it('the pause before a retry is logged and does not count as overhead', async () => {
    scene = await startFailover({ retries: 1, backoff: { base: '300ms', cap: '300ms' } });
    let failed = 0;
    scene.upstream.answer = failAt('chat', (response) =>
      (failed += 1) === 1 ? refuse(503)(response) : void greet(response, scene.upstream.calls.at(-1)!),
    );
    const reply = await ask();
    expect(reply.status).to.equal(200);
    expect(trails).to.deep.equal([[`${CHAT} key-1 overloaded`, `${CHAT} key-1 ok`]]);
    const line = scene.gateway.exchanges()[0] as {
      readonly ms_total: number;
      readonly ms_overhead: number;
      readonly attempts: readonly { readonly ms_waited?: number }[];
    };
    const waitedMs = line.attempts[1]?.ms_waited ?? -1;
    expect(waitedMs).to.be.within(0, 300);
    expect(line.ms_overhead).to.be.below(line.ms_total - waitedMs + 1);
    await scene.stop();
  });

  it('targets that refuse every call get about one a second; other requests get the vendor’s error without names', async () => {
    scene = await startFailover({ wait: '0s', cooldown: { rateLimit: '20s' }, circuit: { open: '1m' } });
    scene.upstream.answer = refuse(429) as Scene['upstream']['answer'];
    const firstWaits = (await ask()).headers['retry-after'];
    expect(firstWaits, 'another call may be answered').to.equal('1');
    for (let index = 0; index < 40; index += 1) await ask();
    const calls = scene.upstream.calls.length;
    expect(calls, 'of 82 without a limit').to.be.below(60);
    for (const client of ['chat', 'messages'] as const) {
      const reply = await ask(client);
      expect([reply.status, reply.headers['x-should-retry']]).to.deep.equal([429, undefined]);
      expect(Number(reply.headers['retry-after'])).to.be.within(1, 20);
      expect(reply.text).to.not.include('gpt-4.1').and.not.include('key-1').and.not.include('alice');
    }
    expect(scene.upstream.calls.length - calls).to.be.at.most(2);
    await scene.stop();
  });
});

describe('failover of other operations', () => {
  const operations = {
    'embed/both': {
      wires: ['embeddings', 'embed-content'],
      targets: [
        { provider: 'openai', model: 'text-embedding-3-small' },
        { provider: 'google', model: 'gemini-embedding-001' },
      ],
    },
    [MODEL]: {
      wires: everyWire,
      targets: [
        ...(entryOf(MESSAGES) as { targets: object[] }).targets,
        { provider: 'google', model: 'gemini-2.5-flash' },
      ],
    },
  };
  let scene: Scene;
  before(async () => {
    scene = await startScene({ models: operations, plugins: pluginsWith({}) });
  });
  after(() => scene.stop());
  beforeEach(() => {
    scene.upstream.calls.length = 0;
  });

  it('embeddings fail over to the next target', async () => {
    scene.upstream.answer = (response, { path }) =>
      path.startsWith('/v1beta')
        ? refuse(200, { embeddings: [{ values: [0.5, -0.25] }], embedding: { values: [0.5, -0.25] } })(response)
        : refuse(502)(response);
    const reply = await send(scene.gateway.url, {
      path: '/v1/embeddings',
      body: JSON.stringify({ model: 'embed/both', input: 'Hello' }),
    });
    expect(reply.status, reply.text).to.equal(200);
    expect((JSON.parse(reply.text) as { data: { embedding: number[] }[] }).data[0]?.embedding).to.deep.equal([
      0.5, -0.25,
    ]);
    expect(reply.headers['x-koine-attempts']).to.equal('2');
  });

  it('token counts fail over to the next target', async () => {
    scene.upstream.answer = (response, { path }) =>
      path.startsWith('/v1beta') ? refuse(200, { totalTokens: 16 })(response) : refuse(529)(response);
    const reply = await send(scene.gateway.url, {
      path: '/v1/messages/count_tokens',
      body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hello' }] }),
    });
    expect(reply.status, reply.text).to.equal(200);
    expect(JSON.parse(reply.text)).to.deep.equal({ input_tokens: 16 });
    expect(reply.headers['x-koine-attempts']).to.equal('2');
  });
});
