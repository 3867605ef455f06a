import { expect } from 'chai';
import type { Order } from '../../../core/api/index.ts';
import type { PluginDefinition } from '../../../core/contracts/plugin.ts';
import { askAdmin } from '../../support/admin.ts';
import { callOf, greet, wireAt } from '../../support/calls.ts';
import { modelOver, pluginsWith, refuse } from '../../support/failover-scene.ts';
import { builtIns } from '../../support/gateway.ts';
import { goodHeaders, readError, send, type HttpReply } from '../../support/http.ts';
import { everyWire, modelIds, sceneModels, startScene, type Scene } from '../../support/scene.ts';

/** A router of a third party, inside failover: plugins/failover and the hook `order`. */
describe('an order of targets by a plugin', () => {
  const model = modelOver('chat', 'messages');
  let scene: Scene | undefined;
  let order: Order;
  const router: PluginDefinition = {
    kind: 'plugin',
    apiVersion: 1,
    name: 'router',
    schema: { type: 'object' },
    create: () => ({ order: (exchange, targets) => order(exchange, targets) }),
  };
  const start = async (plugins = pluginsWith({}), settings: object = {}): Promise<void> => {
    const targets = (['chat', 'messages'] as const).map((wire) => {
      const [provider, name] = modelIds[wire].split('/');
      return { provider, model: name };
    });
    scene = await startScene(
      {
        models: { ...sceneModels, [model]: { wires: everyWire, targets } },
        plugins: [...plugins, { use: 'router', ...settings }],
      },
      { ...builtIns, plugin: { ...builtIns.plugin, router } },
    );
    scene.upstream.answer = greet;
  };
  const ask = (headers: Readonly<Record<string, string>> = goodHeaders): Promise<HttpReply> =>
    send(scene?.gateway.url ?? '', { ...callOf('chat', model), headers });
  const called = (): readonly string[] => (scene?.upstream.calls ?? []).map(({ path }) => wireAt(path));
  afterEach(async () => {
    await scene?.stop(/a plugin failed/);
    scene = undefined;
  });

  for (const [name, plugins] of [
    ['failover', pluginsWith({})],
    ['no strategy', [{ use: 'auth' }]],
  ] as const) {
    it(`the first target of the order is called first, with ${name}`, async () => {
      order = (_exchange, targets) => targets.toReversed();
      await start([...plugins]);
      expect((await ask()).status).to.equal(200);
      expect(called()).to.deep.equal(['messages']);
    });

    it(`a target that is left out is not called, and without any the request is refused, with ${name}`, async () => {
      order = () => [];
      await start([...plugins]);
      const reply = await ask();
      expect([reply.status, readError(reply).error.code]).to.deep.equal([503, 'no_target_available']);
      expect(called()).to.deep.equal([]);
    });

    it(`an order that fails refuses the request, or with onError skip is left out, with ${name}`, async () => {
      order = () => {
        throw new Error('it broke');
      };
      await start([...plugins]);
      expect((await ask()).status).to.equal(500);
      expect(called()).to.deep.equal([]);
      await scene?.stop(/a plugin failed/);
      await start([...plugins], { onError: 'skip' });
      expect((await ask()).status).to.equal(200);
      expect(called()).to.deep.equal(['chat']);
    });
  }

  it('a target that fails is left for the next of the order, and its failure is seen by the next request', async () => {
    const states: string[][] = [];
    order = (_exchange, targets) => {
      states.push(targets.map(({ target, state }) => `${target.provider} ${state}`));
      return targets.toSorted((one) => (one.target.provider === 'anthropic' ? -1 : 1));
    };
    await start(pluginsWith({ cooldown: { rateLimit: '1h', quota: '1h' } }));
    scene!.upstream.answer = (response, call) =>
      wireAt(call.path) === 'messages' ? refuse(429)(response) : greet(response, call);
    expect((await ask()).status).to.equal(200);
    expect(called()).to.deep.equal(['messages', 'chat']);
    expect((await ask()).status).to.equal(200);
    expect(called()).to.deep.equal(['messages', 'chat', 'chat']);
    expect(states).to.deep.equal([
      ['openai ready', 'anthropic ready'],
      ['openai ready', 'anthropic resting'],
    ]);
  });

  it('the order sees prices, tags and how long responses take to begin', async () => {
    const seen: unknown[] = [];
    order = ({ attribution }, targets) => {
      seen.push([
        attribution?.tags,
        targets.map(({ target, usualMs }) => [target.price !== undefined, typeof usualMs]),
      ]);
      return targets;
    };
    await start();
    await ask({ ...goodHeaders, 'x-koine-tags': 'tier=batch' });
    await ask();
    expect(seen).to.deep.equal([
      [
        { tier: 'batch' },
        [
          [true, 'undefined'],
          [true, 'undefined'],
        ],
      ],
      [
        undefined,
        [
          [true, 'number'],
          [true, 'undefined'],
        ],
      ],
    ]);
  });

  it('koine explain shows the targets in the order of the plugin', async () => {
    order = (_exchange, targets) => targets.toReversed();
    await start();
    const question = { key: 'alice', model, wire: 'chat-completions' };
    const { text } = await askAdmin(scene!.gateway, 'POST', '/admin/explain', question);
    const { targets } = JSON.parse(text) as { readonly targets: readonly { readonly target: string }[] };
    expect(targets.map(({ target }) => target)).to.deep.equal([modelIds.messages, modelIds.chat]);
  });

  const wrongs: Readonly<Record<string, () => unknown>> = {
    'is a promise': () => Promise.reject(new Error('later')),
    'is no list': () => 'first',
    'has a target of its own': () => [{ target: { id: 'mine/model' }, state: 'ready' }],
  };
  for (const [name, value] of Object.entries(wrongs))
    it(`an order that ${name} is a failure of the plugin`, async () => {
      order = () => value() as ReturnType<Order>;
      await start();
      expect((await ask()).status).to.equal(500);
      expect(called()).to.deep.equal([]);
    });
});

describe('the catalog in the hook rewrite', () => {
  it('a plugin finds models by alias and lists their targets', async () => {
    const seen: unknown[] = [];
    const picker: PluginDefinition = {
      kind: 'plugin',
      apiVersion: 1,
      name: 'picker',
      schema: { type: 'object' },
      create: () => ({
        rewrite: ({ catalog, model }) => {
          const cheapest = catalog.models
            .filter(({ targets: [target] }) => target?.provider === 'anthropic')
            .map(({ id }) => id);
          seen.push(
            model,
            catalog.find('fast')?.targets.map(({ id }) => id),
            catalog.find('none'),
          );
          return { model: cheapest[0] ?? model };
        },
      }),
    };
    const scene = await startScene(
      { aliases: { fast: modelIds.google }, plugins: [{ use: 'auth' }, { use: 'picker' }] },
      { ...builtIns, plugin: { ...builtIns.plugin, picker } },
    );
    scene.upstream.answer = greet;
    const { status } = await send(scene.gateway.url, callOf('chat', modelIds.chat));
    expect(status).to.equal(200);
    expect(seen).to.deep.equal([modelIds.chat, [modelIds.google], undefined]);
    expect(scene.upstream.calls.map(({ path }) => wireAt(path))).to.deep.equal(['messages']);
    await scene.stop();
  });
});
