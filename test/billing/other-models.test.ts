import { expect } from 'chai';
import type { Scene } from '../support/scene.ts';
import { consult, startOracle } from './oracle.ts';
import { answer } from './scripted.ts';

/** Claude Opus 4.6 has a shipped price of USD 5 and 25 per million tokens, and no target. */
const adviser = { type: 'advisor_message', model: 'claude-opus-4-6', input_tokens: 1_000, output_tokens: 100 };
const own = { type: 'message', input_tokens: 10, output_tokens: 5 };
const answerWith = (...iterations: readonly object[]) =>
  answer({ usage: { input_tokens: 10, output_tokens: 5, iterations } });

describe('a call for which the vendor uses another model as well', () => {
  let scene: Scene;
  before(async () => {
    scene = await startOracle();
  });
  after(() => scene.stop());

  it('costs what that model costs, beside the call itself', async () => {
    const { charges } = await consult(scene, {
      name: 'adviser',
      client: 'messages',
      model: 'plain/messages',
      answers: [answerWith(own, adviser)],
      usage: { inputUncached: 1_010, output: 105 },
      nano: 7_500_000n + 70_000n,
      charges: [7_500_000n, 70_000n],
    });
    expect(charges.map(({ price }) => price?.source.page)).to.deep.equal([
      'https://platform.claude.com/docs/en/about-claude/pricing',
      'gateway.yaml',
    ]);
  });

  it('is unpriced in part if that model has no price, never free and never at the price of the target', async () => {
    const { charges } = await consult(scene, {
      name: 'unknown adviser',
      client: 'messages',
      model: 'plain/messages',
      answers: [answerWith(own, { ...adviser, model: 'claude-unheard-of' })],
      usage: { inputUncached: 1_010, output: 105 },
      nano: 70_000n,
    });
    expect(charges.map(({ price, cost }) => [price === undefined, cost])).to.deep.equal([
      [true, undefined],
      [false, 70_000n],
    ]);
  });
});
