import { expect } from 'chai';
import OpenAI from 'openai';
import { createTestExchange, createTestRequest } from '../../../core/testing/index.ts';
import { keyOf, isCacheable } from '../../../plugins/response-cache/key.ts';
import { MemoryResponses } from '../../../plugins/response-cache/store.ts';
import type { ResponseCacheOptions } from '../../../plugins/response-cache/schema.ts';
import { KEY, startTestGateway } from '../../support/gateway.ts';
import { CHAT, startScene } from '../../support/scene.ts';
import { requireRedis, startRedis, type RedisServer } from '../../support/servers/redis.ts';
import { until } from '../../support/until.ts';
import { say } from '../../extensions/guarded-upstream.ts';

describe('the memory of the response cache', () => {
  it('removes what was not used for longest, and stays within its bytes', () => {
    const store = new MemoryResponses({ now: () => 0 });
    store.maxBytes = 3_000;
    const text = 'x'.repeat(500);
    store.set('a', text, 1_000);
    store.set('b', text, 1_000);
    expect(store.get('a')).to.equal(text);
    store.set('c', text, 1_000);
    expect([store.get('a'), store.get('b'), store.get('c')]).to.deep.equal([text, undefined, text]);
    expect(store.bytes).to.be.at.most(3_000);
    store.set('d', 'x'.repeat(5_000), 1_000);
    expect(store.get('d')).to.equal(undefined);
    expect(store.bytes).to.equal(0);
  });

  it('returns nothing that has expired', () => {
    let now = 0;
    const store = new MemoryResponses({ now: () => now });
    store.maxBytes = 3_000;
    store.set('a', 'text', 1_000);
    now = 999;
    expect(store.get('a')).to.equal('text');
    now = 1_000;
    expect(store.get('a')).to.equal(undefined);
    expect(store.bytes).to.equal(0);
  });
});

describe('the requests that the response cache answers', () => {
  const options: ResponseCacheOptions = {
    when: 'deterministic',
    shared: 'project',
    models: [],
    ttl: '1h',
    store: 'memory',
    size: '1mb',
    maxResponse: '1mb',
  };
  const exchangeOf = (given: Parameters<typeof createTestRequest>[0]) =>
    createTestExchange({ request: createTestRequest({ temperature: 0, ...given }) });

  it('has temperature 0 and nothing that a vendor keeps or runs', () => {
    expect(isCacheable(exchangeOf({}), options)).to.equal(true);
    expect(isCacheable(exchangeOf({ temperature: 0.1 }), options)).to.equal(false);
    expect(isCacheable(exchangeOf({ tools: [{ kind: 'hosted', name: 'web_search' }] }), options)).to.equal(false);
    expect(isCacheable(exchangeOf({ vendorState: ['previous_response_id'] }), options)).to.equal(false);
    const always = { ...options, when: 'always' } as const;
    expect(isCacheable(exchangeOf({ temperature: 1 }), always)).to.equal(true);
    expect(isCacheable(exchangeOf({ vendorState: ['previous_response_id'] }), always)).to.equal(false);
    expect(isCacheable(exchangeOf({ deferred: 'background' }), always)).to.equal(false);
    expect(isCacheable(exchangeOf({}), { ...options, models: ['other/*'] })).to.equal(false);
  });

  it('has a key of its tenant, and of what plugins have changed', () => {
    const of = (organization: string, project: string, key: string) =>
      createTestExchange({ caller: { organization, project, key, models: [] } });
    const [one, otherKey, otherProject] = [of('a', 'b', 'c'), of('a', 'b', 'd'), of('a', 'e', 'c')];
    expect(keyOf(one, 'project')).to.equal(keyOf(otherKey, 'project'));
    expect(keyOf(one, 'key')).to.not.equal(keyOf(otherKey, 'key'));
    expect(keyOf(one, 'project')).to.not.equal(keyOf(otherProject, 'project'));
    expect(keyOf(one, 'organization')).to.equal(keyOf(otherProject, 'organization'));
    expect(keyOf(of('a', 'bc', ''), 'key')).to.not.equal(keyOf(of('ab', 'c', ''), 'key'));
    const rewritten = (text: string) =>
      createTestExchange({
        isRewritten: true,
        request: createTestRequest({ turns: [{ role: 'user', parts: [{ type: 'text', text }] }] }),
      });
    expect(keyOf(rewritten('x'), 'key')).to.not.equal(keyOf(rewritten('y'), 'key'));
  });
});

describe('the response cache without Redis', () => {
  it('does not start with store: redis, and says what to set', async () => {
    const plugins = [{ use: 'auth' }, { use: 'response-cache', config: { store: 'redis' } }];
    const thrown = await startTestGateway({ plugins, providers: { simulator: { use: 'simulator' } } }).then(
      () => 'started',
      (error: unknown) => String(error),
    );
    expect(thrown).to.include('store.redis is not set').and.to.include('store: memory');
  });
});

describe('the response cache in Redis', () => {
  let redis: RedisServer;
  before(async function () {
    requireRedis(this);
    redis = await startRedis();
  });
  after(() => redis?.stop());

  const start = async () => {
    const scene = await startScene({
      plugins: [{ use: 'auth' }, { use: 'response-cache', config: { store: 'redis' } }],
      store: { database: 'sqlite:./koine.db', redis: redis.url },
    });
    scene.upstream.answer = (response, call) => say({ text: ['Hello.'] }, response, call);
    return scene;
  };
  const ask = async (url: string): Promise<string | null> => {
    const client = new OpenAI({ apiKey: KEY, baseURL: `${url}/v1`, maxRetries: 0 });
    const body = { model: CHAT, temperature: 0, messages: [{ role: 'user' as const, content: 'Hi' }] };
    const { response } = await client.chat.completions.create(body).withResponse();
    return response.headers.get('x-koine-cache');
  };

  it('is shared by two gateways, and requests are sent while Redis does not respond', async () => {
    const scenes = [await start(), await start()] as const;
    expect(await ask(scenes[0].gateway.url)).to.equal('miss');
    // Stored after the response has been sent.
    await until('the other gateway answers', async () => (await ask(scenes[1].gateway.url)) === 'hit');
    redis.pause();
    expect(await ask(scenes[1].gateway.url)).to.equal('miss');
    redis.resume();
    for (const scene of scenes) await scene.stop(/redis/i);
  });
});
