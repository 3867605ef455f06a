import { expect } from 'chai';
import type { Capabilities } from '../../../core/api/index.ts';
import { googleModels, isGemma, readGeneration } from '../../../providers/google/models.ts';

/** As the catalog chooses: the longest prefix. */
const capabilitiesOf = (model: string): Capabilities | undefined =>
  googleModels.filter(({ prefix }) => model.startsWith(prefix)).toSorted((a, b) => b.prefix.length - a.prefix.length)[0]
    ?.capabilities;

describe("capabilities of Google's models", () => {
  it('models of Gemini 2.5 have thinking budgets with limits of their own', () => {
    const budgetOf = (model: string) => {
      const { thinking, minBudget, maxBudget, thinkingOff } = capabilitiesOf(model) ?? {};
      return [thinking, minBudget, maxBudget, thinkingOff];
    };
    expect(budgetOf('gemini-2.5-pro-preview-03-25')).to.deep.equal(['budget', 128, 32_768, false]);
    expect(budgetOf('gemini-2.5-flash')).to.deep.equal(['budget', 1, 24_576, undefined]);
    expect(budgetOf('gemini-2.5-flash-lite')).to.deep.equal(['budget', 512, 24_576, undefined]);
    expect(budgetOf('gemini-2.5-flash-image')[0]).to.equal('none');
    expect(budgetOf('gemini-2.0-flash-001')[0]).to.equal('none');
  });

  it('models from Gemini 3 on have thinking levels, and no way to turn thinking off', () => {
    expect(capabilitiesOf('gemini-3-flash-preview')).to.deep.include({
      thinking: 'adaptive',
      thinkingOff: false,
      efforts: ['minimal', 'low', 'medium', 'high'],
    });
    expect(capabilitiesOf('gemini-3.1-pro-preview')).to.deep.include({
      thinking: 'adaptive',
      thinkingOff: false,
      efforts: ['low', 'medium', 'high'],
    });
    expect(capabilitiesOf('gemini-3-pro-preview')?.efforts).to.deep.equal(['low', 'high']);
    expect(capabilitiesOf('gemini-3-pro-image-preview')?.efforts).to.deep.equal([]);
  });

  it('models from Gemini 3 on accept URLs, and JSON beside tools', () => {
    for (const model of ['gemini-1.5-pro', 'gemini-2.0-flash', 'gemini-2.5-pro', 'gemini-2.5-flash-lite'])
      expect(capabilitiesOf(model), model).to.include({ mediaUrls: false, jsonWithTools: false });
    expect(capabilitiesOf('gemini-3-flash-preview')).to.not.have.any.keys('mediaUrls', 'jsonWithTools');
  });

  it('models without a generation in their name are unknown', () => {
    expect(capabilitiesOf('learnlm')).to.equal(undefined);
    expect(
      ['gemini-2.5-pro', 'models/gemini-3-flash-preview', 'gemini-flash-latest', 'gemma-3-27b-it', 'my-gemini-3'].map(
        readGeneration,
      ),
    ).to.deep.equal([2.5, 3, undefined, undefined, undefined]);
    expect(['gemma-3-27b-it', 'models/gemma-3n', 'gemini-3'].map(isGemma)).to.deep.equal([true, true, false]);
  });
});
