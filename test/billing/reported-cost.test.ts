import { expect } from 'chai';
import { definePlugin, type Outcome } from '../../core/api/index.ts';
import { settledRow } from '../../plugins/ledger/row.ts';
import { callOf } from '../support/calls.ts';
import { builtIns } from '../support/gateway.ts';
import { send } from '../support/http.ts';
import { startScene, type Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';
import type { Wire } from '../matrix/wires.ts';
import { answer } from './scripted.ts';

const price = { input: 10, output: 100 };
const target = (wire: string): object => ({ targets: [{ provider: 'openai', model: 'unpriced-model', wire }] });
const ended: { readonly outcome: Outcome; readonly version: unknown }[] = [];
const recorder = definePlugin({
  kind: 'plugin',
  apiVersion: 1,
  name: 'recorder',
  schema: { type: 'object' },
  create: () => ({
    ended: ({ outcome, exchange }) => {
      const row = exchange === undefined ? [] : settledRow(exchange, outcome, 0, 1);
      ended.push({ outcome, version: row.find((column) => column === 'reported') });
    },
  }),
});

describe('the cost that a vendor reports', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene(
      {
        plugins: [{ use: 'auth' }, { use: 'recorder' }],
        models: {
          'none/chat': target('chat-completions'),
          'none/responses': target('responses'),
          'own/chat': { ...target('chat-completions'), price },
        },
      },
      { ...builtIns, plugin: { ...builtIns.plugin, recorder } },
    );
  });
  after(async () => scene.stop());

  const costOf = async (model: string, usage: object, client: Wire = 'chat', stream = false): Promise<unknown> => {
    ended.splice(0);
    scene.upstream.answer = answer({ usage });
    const { status } = await send(scene.gateway.url, callOf(client, model, { stream }));
    await until('the exchange has ended', () => ended.length === 1);
    const [found] = ended;
    return [status, found?.outcome.cost, found?.outcome.charges.at(-1)?.price?.version, found?.version];
  };
  const chat = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
  const responses = { input_tokens: 5, output_tokens: 2, total_tokens: 7 };

  for (const stream of [false, true])
    it(`is the cost of a model without a price, and the row names it as the source: ${stream ? 'streamed' : 'plain'}`, async () => {
      const isReported = [200, 5_370n, undefined, 'reported'];
      expect(await costOf('none/chat', { ...chat, cost: 5.37e-6, is_byok: false }, 'chat', stream)).to.deep.equal(
        isReported,
      );
      expect(await costOf('none/chat', { ...chat, cost: 5.37e-6 }, 'messages', stream)).to.deep.equal(isReported);
      expect(await costOf('none/responses', { ...responses, cost: 5.37e-6 }, 'chat', stream)).to.deep.equal(isReported);
    });

  it('has the cost of the vendor in addition where the key at the vendor is one of the operator', async () => {
    const usage = { ...chat, cost: 0.000_001, is_byok: true };
    const details = { cost_details: { upstream_inference_cost: 0.000_02 } };
    expect(await costOf('none/chat', { ...usage, ...details })).to.deep.equal([200, 21_000n, undefined, 'reported']);
    expect(await costOf('none/chat', usage)).to.deep.equal([200, undefined, undefined, undefined]);
  });

  it('is 0 for a call that is free, and unknown where it is no amount', async () => {
    expect(await costOf('none/chat', { ...chat, cost: 0 })).to.deep.equal([200, 0n, undefined, 'reported']);
    for (const cost of [-1, 1e9, '1', null, { total_cost: 1 }])
      expect(await costOf('none/chat', { ...chat, cost })).to.deep.equal([200, undefined, undefined, undefined]);
  });

  it('is not used where the catalog has a price', async () => {
    const found = (await costOf('own/chat', { ...chat, cost: 5.37e-6 })) as readonly unknown[];
    expect(found[1]).to.equal(250_000n);
    expect(found[3]).to.equal(undefined);
  });
});
