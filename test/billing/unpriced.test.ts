import { expect } from 'chai';
import { definePlugin } from '../../core/api/index.ts';
import { callOf } from '../support/calls.ts';
import { builtIns, startTestGateway } from '../support/gateway.ts';
import { readError, send } from '../support/http.ts';
import { entryOf, startScene } from '../support/scene.ts';
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
      message: 'Two plugins provide an account of the prompt cache: keep only one of them in the configuration.',
    });
  });
});
