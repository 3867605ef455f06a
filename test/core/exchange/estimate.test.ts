import { expect } from 'chai';
import { estimateTokens } from '../../../core/exchange/estimate.ts';
import type { Part } from '../../../core/index.ts';
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

  it('weighs media by their kind and size, not by the length of their base64', () => {
    const media = (mediaType: string, base64: string) => ({ type: 'media', media: { mediaType, base64 } }) as const;
    const count = (parts: readonly Part[], bytes: number) => estimateTokens('generate', bytes, { ...sampleRequest, turns: [{ role: 'user', parts }] }, {}).inputTokens;
    const base64 = 'A'.repeat(400_000);
    expect(count([media('image/png', base64)], 400_400)).to.equal(100 + 400);
    expect(count([media('image/png', 'AAAA')], 404)).to.equal(100 + 85);
    expect(count([media('image/png', 'A'.repeat(4_000_000))], 4_000_400)).to.equal(100 + 1_600);
    expect(count([{ type: 'tool-result', id: 'x', failed: false, parts: [media('application/pdf', base64)] }], 400_400)).to.equal(100 + 12_000);
    expect(count([{ type: 'media', media: { mediaType: 'image/*', url: 'https://x' } }], 400)).to.equal(100 + 1_600);
  });

  it('counts the tokens of a client that tokenised, and the bytes of texts', () => {
    const rest = { wire: 'embeddings', members: {} };
    expect(estimateTokens('embed', 400, { inputs: [[1, 2, 3], [4]], encoding: 'float', rest }, {})).to.deep.equal({ inputTokens: 4, outputTokens: 0 });
    expect(estimateTokens('embed', 400, { inputs: ['a', 'b'], encoding: 'float', rest }, {}).inputTokens).to.equal(100);
  });
});
