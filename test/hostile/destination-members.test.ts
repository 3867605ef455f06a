import { expect } from 'chai';
import { refuses } from '../../providers/openai-compatible/refuses.ts';
import { callOf, greet } from '../support/calls.ts';
import { send, type HttpReply } from '../support/http.ts';
import { startScene, type Scene } from '../support/scene.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';
import type { Json, Wire } from '../matrix/wires.ts';

const AGGREGATOR = 'aggregator/model';
const OPENED = 'opened/model';
const FAILOVER = 'mixed/model';
const CLAUDE = 'anthropic/claude-sonnet-4-5';

describe('members with which a provider would choose models or addresses', () => {
  let scene: Scene;
  let upstream: TestUpstream;
  before(async () => {
    upstream = await startUpstream();
    const provider = { use: 'openai-compatible', config: { baseUrl: `${upstream.url}/v1`, apiKey: 'upstream-secret' } };
    const anthropic = { use: 'anthropic', config: { apiKey: 'upstream-secret', baseUrl: upstream.url } };
    const modelAt = (...providers: readonly string[]) => ({
      targets: providers.map((name) => ({
        provider: name,
        model: name === 'anthropic' ? 'claude-sonnet-4-5' : 'model',
      })),
    });
    scene = await startScene({
      providers: {
        anthropic,
        aggregator: { ...provider, refuseMembers: ['house_model', 'tier'] },
        opened: { ...provider, acceptMembers: ['Provider', 'plugins'] },
      },
      models: {
        [AGGREGATOR]: modelAt('aggregator'),
        [OPENED]: modelAt('opened'),
        [FAILOVER]: modelAt('anthropic', 'aggregator'),
        [CLAUDE]: modelAt('anthropic'),
      },
    });
    upstream.answer = greet;
  });
  beforeEach(() => {
    upstream.calls.length = 0;
  });
  after(async () => {
    await scene.stop();
    await upstream.stop();
  });

  const ask = (model: string, more: Json, client: Wire = 'chat'): Promise<HttpReply> =>
    send(scene.gateway.url, callOf(client, model, { more }));
  const expectRefused = async (reply: Promise<HttpReply>, path: string): Promise<void> => {
    const { status, text } = await reply;
    expect([status, upstream.calls.length], path).to.deep.equal([400, 0]);
    expect(text).to.include(path);
  };

  it('refuses each destination member by name, and sends nothing', async () => {
    for (const name of refuses) await expectRefused(ask(AGGREGATOR, { [name]: 'x' }), name);
  });

  it('refuses destination members in any spelling, and where a server would merge them in', async () => {
    for (const name of ['MODELS', 'Provider', 'apiBase', 'API_BASE', 'baseURL', 'fallBacks'])
      await expectRefused(ask(AGGREGATOR, { [name]: 'x' }), name);
    await expectRefused(ask(AGGREGATOR, { extra_body: { models: ['gpt-5'] } }), 'extra_body.models');
    await expectRefused(ask(AGGREGATOR, { extraBody: { Api_Base: 'http://10.0.0.1' } }), 'extraBody.Api_Base');
  });

  it('refuses destination members for clients of other wires, and if only a later target would read them', async () => {
    await expectRefused(ask(AGGREGATOR, { provider: { order: ['x'] } }, 'messages'), 'provider');
    await expectRefused(ask(FAILOVER, { models: ['x'] }), 'models');
    await expectRefused(ask(CLAUDE, { fallbacks: [{ model: 'claude-opus-4-5' }] }, 'messages'), 'fallbacks');
  });

  it('refuses more or fewer destination members if the operator configures it', async () => {
    await expectRefused(ask(AGGREGATOR, { HouseModel: 'x' }), 'HouseModel');
    await expectRefused(ask(AGGREGATOR, { tier: 'x' }), 'tier');
    expect((await ask(OPENED, { plugins: [{ id: 'web' }], tier: 'x' })).status).to.equal(200);
    expect(upstream.calls[0]?.body).to.deep.include({ plugins: [{ id: 'web' }], tier: 'x' });
    upstream.calls.length = 0;
    await expectRefused(ask(OPENED, { models: ['x'] }), 'models');
  });

  it('ignores the names of destination members where they are not members of the request', async () => {
    expect(
      (
        await ask(AGGREGATOR, {
          metadata: { models: 'x', provider: 'y' },
          extra_body: { google: { thinking_config: {} } },
        })
      ).status,
    ).to.equal(200);
  });
});
