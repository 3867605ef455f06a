import { expect } from 'chai';
import { estimateTokens } from '../../../core/exchange/estimate.ts';
import { sampleRequest } from './sample-exchange.ts';

describe('the estimate of an exchange', () => {
  it('takes four bytes for a token, rounded up', () => {
    expect([0, 1, 4, 5, 400].map((bytes) => estimateTokens('generate', bytes, sampleRequest, {}).inputTokens)).to.deep.equal([0, 1, 1, 2, 100]);
  });

  const outputs: readonly (readonly [asked: number | undefined, most: number | undefined, choices: number, output: number])[] = [
    [50, 1_000, 1, 50],
    [50, undefined, 3, 150],
    [undefined, 1_000, 1, 1_000],
    [undefined, 1_000, 2, 2_000],
    [undefined, undefined, 1, 4_096],
  ];
  for (const [asked, most, choices, output] of outputs) {
    it(`takes ${output} tokens of output for ${choices} answers of ${String(asked)} where the model has at most ${String(most)}`, () => {
      const request = { ...sampleRequest, choices, ...(asked === undefined ? {} : { maxTokens: asked }) };
      expect(estimateTokens('generate', 4, request, most === undefined ? {} : { maxOutput: most }).outputTokens).to.equal(output);
    });
  }

  it('takes no output where nothing is generated', () => {
    expect(estimateTokens('count-tokens', 8, { ...sampleRequest, maxTokens: 5 }, {})).to.deep.equal({ inputTokens: 2, outputTokens: 0 });
  });
});
