import { expect } from 'chai';
import { definePlugin } from '../../core/api/index.ts';
import { wireNames, wires, type Wire } from '../matrix/wires.ts';
import { askAdmin } from '../support/admin.ts';
import { callOf, greet } from '../support/calls.ts';
import { builtIns, startTestGateway } from '../support/gateway.ts';
import { readError, send, type HttpReply } from '../support/http.ts';
import { entryOf, everyWire, startScene, type Scene } from '../support/scene.ts';
import { answerJson } from '../support/upstream.ts';
import { answer } from './scripted.ts';

const unknown = (more: object = {}): object => ({
  targets: [{ provider: 'openai', model: 'unpriced-model', wire: 'chat-completions' }],
  ...more,
});
const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };

describe('a model without a price', () => {
  it('does not use a model without a price with unpriced: reject, unless the model overrides it', async () => {
    const scene = await startScene({
      unpriced: 'reject',
      models: {
        'none/chat': unknown(),
        'none/allowed': unknown({ unpriced: 'allow' }),
        'shipped/chat': entryOf('openai/gpt-4.1', 'chat'),
      },
    });
    try {
      scene.upstream.answer = answer({ usage });
      const statusOf = async (model: string): Promise<number> =>
        (await send(scene.gateway.url, callOf('chat', model))).status;
      expect([await statusOf('none/allowed'), await statusOf('shipped/chat')]).to.deep.equal([200, 200]);
      scene.upstream.calls.splice(0);
      const refused = await send(scene.gateway.url, callOf('chat', 'none/chat'));
      expect([refused.status, readError(refused).error.code, scene.upstream.calls.length]).to.deep.equal([
        503,
        'no_target_available',
        0,
      ]);
      expect(scene.gateway.lines.filter(({ text }) => text.startsWith('these models have no price'))).to.deep.equal([]);
    } finally {
      await scene.stop();
    }
  });
});

const secretOf = (name: string): string => `sk-${name}-0123456789abcdef`;
const key = (name: string, settings: object): object => ({ [name]: { key: secretOf(name), ...settings } });
const target = { provider: 'openai', model: 'unpriced-model' };
const priced = { ...target, model: 'own', price: { input: 1, output: 2 } };
const open = { wires: [...everyWire, 'embeddings'] };
const dear = { cost: 5, per: 'month' };

describe('a model without a price under a limit of cost', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene({
      unpriced: 'allow',
      models: {
        'none/chat': { ...open, targets: [target] },
        'none/named': { ...open, targets: [target], unpriced: 'allow' },
        'none/half': { ...open, targets: [target, priced] },
        'none/later': { ...open, targets: [target], price: [{ from: '2999-01-01', input: 1, output: 2 }] },
      },
      organizations: {
        acme: {
          projects: {
            web: {
              keys: Object.assign(
                {},
                key('limited', { limits: [{ requests: 600, per: '1m' }, dear] }),
                key('other', { limits: [{ ...dear, models: ['none/half'] }] }),
                key('shadow', { limits: [{ ...dear, enforce: false }] }),
                key('free', { limits: [] }),
              ) as object,
            },
            shop: { limits: [dear], keys: key('shop', { limits: [] }) },
          },
        },
      },
      plugins: [{ use: 'auth' }, { use: 'rate-limit' }],
    });
  });
  beforeEach(() => {
    scene.upstream.calls.splice(0);
    scene.upstream.answer = greet;
  });
  after(() => scene.stop());
  const ask = (name: string, model: string, wire: Wire = 'chat', stream = false): Promise<HttpReply> =>
    send(scene.gateway.url, { ...callOf(wire, model, { stream }), headers: headersFor(secretOf(name)) });
  const headersFor = (secret: string): Record<string, string> => ({
    'content-type': 'application/json',
    'anthropic-version': '2023-06-01',
    'authorization': `Bearer ${secret}`,
  });

  for (const wire of wires)
    it(`is refused on the wire ${wireNames[wire]}, with the model, the limit and the settings`, async () => {
      for (const stream of [false, true]) {
        const { status, text } = await ask('limited', 'none/chat', wire, stream);
        expect([status, scene.upstream.calls.length], text).to.deep.equal([403, 0]);
        for (const word of ['none/chat', 'the key acme/web/limited', 'USD 5 per month', 'price', 'unpriced: allow'])
          expect(text).to.include(word);
      }
    });

  it('is refused for embeddings as well, and under a limit of the project', async () => {
    const body = JSON.stringify({ model: 'none/chat', input: 'x' });
    const sent = { path: '/v1/embeddings', body, headers: headersFor(secretOf('limited')) };
    expect((await send(scene.gateway.url, sent)).status).to.equal(403);
    const { status, text } = await ask('shop', 'none/chat');
    expect([status, text.includes('the project acme/shop')]).to.deep.equal([403, true]);
  });

  it('is used if the model itself allows it, and by keys that no limit of cost refuses', async () => {
    const statuses = [
      await ask('limited', 'none/named'),
      await ask('other', 'none/chat'),
      await ask('shadow', 'none/chat'),
      await ask('free', 'none/chat'),
    ].map(({ status }) => status);
    expect(statuses).to.deep.equal([200, 200, 200, 200]);
    expect(scene.upstream.calls).to.have.length(4);
  });

  it('is refused while none of its prices is valid', async () => {
    expect((await ask('limited', 'none/later')).status).to.equal(403);
  });

  it('has its tokens counted, which costs nothing', async () => {
    scene.upstream.answer = (response) => answerJson(response, { input_tokens: 3 });
    const { path, body } = callOf('messages', 'none/chat');
    const sent = { path: `${path}/count_tokens`, body, headers: headersFor(secretOf('limited')) };
    expect((await send(scene.gateway.url, sent)).status).to.not.equal(403);
  });

  it('is served by its targets with a price only', async () => {
    const modelsOf = async (name: string): Promise<readonly unknown[]> => {
      await ask(name, 'none/half');
      return scene.upstream.calls.splice(0).map(({ body }) => body['model']);
    };
    expect([await modelsOf('limited'), await modelsOf('free')]).to.deep.equal([['own'], ['unpriced-model']]);
  });

  it('is refused, and its targets are named, by explain', async () => {
    const explain = async (name: string, model: string): Promise<string> =>
      (await askAdmin(scene.gateway, 'POST', '/admin/explain', { key: name, model })).text;
    expect(await explain('limited', 'none/chat')).to.include('the key acme/web/limited has a limit of cost');
    expect(await explain('limited', 'none/half')).to.include('openai/unpriced-model is not used: it has no price');
    expect(await explain('free', 'none/half')).to.not.include('is not used');
  });
});

describe('two plugins with an account hook', () => {
  const accountPlugin = (name: string) =>
    definePlugin({
      kind: 'plugin',
      apiVersion: 1,
      name,
      schema: { type: 'object' },
      create: () => ({ account: () => undefined }),
    });

  it('fails the start with two plugins that have an account hook', async () => {
    const start = startTestGateway(
      {
        providers: { simulator: { use: 'simulator' } },
        models: { 'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] } },
        plugins: [{ use: 'auth' }, { use: 'one' }, { use: 'other' }],
      },
      { ...builtIns, plugin: { ...builtIns.plugin, one: accountPlugin('one'), other: accountPlugin('other') } },
    );
    const thrown: unknown = await start.then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(thrown).to.include({
      code: 'KOINE_EXTENSION_DUPLICATE',
      message: 'Two plugins provide an account of the prompt cache: keep only one of them. `koine check` names them.',
    });
  });
});
