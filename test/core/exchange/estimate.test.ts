import { expect } from 'chai';
import { estimateTokens } from '../../../core/exchange/request/estimate.ts';
import type { Part } from '../../../core/api/index.ts';
import { createTestRequest } from '../../../core/testing/index.ts';

describe('the token estimate', () => {
  it('counts a token per four bytes, rounded up', () => {
    expect(
      [0, 1, 4, 5, 400].map((bytes) => estimateTokens('generate', bytes, createTestRequest(), {}).inputTokens),
    ).to.deep.equal([0, 1, 1, 2, 100]);
  });

  interface Case {
    readonly own?: number;
    readonly declaredCap?: number;
    readonly maxOutput?: number;
    readonly choices?: number;
  }
  const outputs: readonly (readonly [given: Case, output: number, declared: boolean])[] = [
    [{ own: 50, maxOutput: 1_000 }, 50, true],
    [{ own: 50, choices: 3 }, 150, true],
    [{ own: 50_000, maxOutput: 1_000, choices: 2 }, 2_000, true],
    [{ own: 1, declaredCap: 10_000 }, 10_000, true],
    [{ own: 1, declaredCap: 10_000, choices: 4 }, 40_000, true],
    [{ own: 1, declaredCap: 10_000, maxOutput: 8_000 }, 8_000, true],
    [{ maxOutput: 1_000 }, 1_000, false],
    [{ maxOutput: 1_000, choices: 2 }, 2_000, false],
    [{ maxOutput: 64_000 }, 4_096, false],
    [{}, 4_096, false],
    [{ declaredCap: 10_000 }, 10_000, true],
    [{ declaredCap: 1 }, 4_096, false],
    [{ declaredCap: 1, maxOutput: 100 }, 100, false],
  ];
  for (const [given, output, declared] of outputs) {
    it(`estimates ${output} output tokens for ${JSON.stringify(given)}`, () => {
      const { own, choices = 1, ...caps } = given;
      const request = { ...createTestRequest(), choices, ...(own === undefined ? {} : { maxTokens: own }) };
      expect(estimateTokens('generate', 4, request, caps)).to.deep.equal({
        inputTokens: 1,
        outputTokens: output,
        declared,
      });
    });
  }

  it('estimates no output for counting tokens, and that of a response for compactions', () => {
    const request = { ...createTestRequest(), maxTokens: 5 };
    expect(estimateTokens('count-tokens', 8, request, {})).to.deep.equal({
      inputTokens: 2,
      outputTokens: 0,
      declared: false,
    });
    expect(estimateTokens('compact', 8, request, {})).to.include({ inputTokens: 2, outputTokens: 5 });
  });

  it('weighs media by kind and size, not by the length of their base64', () => {
    const media = (mediaType: string, base64: string) => ({ type: 'media', media: { mediaType, base64 } }) as const;
    const count = (parts: readonly Part[], bytes: number) =>
      estimateTokens('generate', bytes, { ...createTestRequest(), turns: [{ role: 'user', parts }] }, {}).inputTokens;
    const base64 = 'A'.repeat(400_000);
    expect(count([media('image/png', base64)], 400_400)).to.equal(100 + 400);
    expect(count([media('image/png', 'AAAA')], 404)).to.equal(100 + 85);
    expect(count([media('image/png', 'A'.repeat(4_000_000))], 4_000_400)).to.equal(100 + 1_600);
    expect(
      count([{ type: 'tool-result', id: 'x', failed: false, parts: [media('application/pdf', base64)] }], 400_400),
    ).to.equal(100 + 12_000);
    expect(count([{ type: 'media', media: { mediaType: 'image/*', url: 'https://x' } }], 400)).to.equal(100 + 1_600);
  });

  it('counts the tokens of tokenized inputs, and the bytes of texts', () => {
    const extra = { wire: 'embeddings', members: {} };
    expect(estimateTokens('embed', 400, { inputs: [[1, 2, 3], [4]], encoding: 'float', extra }, {})).to.deep.equal({
      inputTokens: 4,
      outputTokens: 0,
      declared: false,
    });
    expect(estimateTokens('embed', 400, { inputs: ['a', 'b'], encoding: 'float', extra }, {}).inputTokens).to.equal(
      100,
    );
  });
});
