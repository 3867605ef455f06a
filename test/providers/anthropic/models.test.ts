import { expect } from 'chai';
import type { Capabilities } from '../../../core/api/index.ts';
import { findFamily } from '../../../core/catalog/capabilities.ts';
import { families } from '../../../providers/anthropic/models.ts';

const of = (model: string): Capabilities => findFamily(families, model);

describe('capabilities of Claude models', () => {
  it('the table of models has the kind of thinking of each generation', () => {
    const kinds = {
      none: ['claude-3-haiku-20240307', 'claude-3-5-sonnet-20241022', 'claude-3-5-haiku-latest'],
      budget: [
        'claude-3-7-sonnet-20250219',
        'claude-sonnet-4-20250514',
        'claude-opus-4-1-20250805',
        'claude-haiku-4-5',
        'claude-opus-4-5-20251101',
      ],
      adaptive: [
        'claude-sonnet-4-6',
        'claude-opus-4-7',
        'claude-opus-4-8',
        'claude-sonnet-5',
        'claude-opus-5-5',
        'claude-fable-5-2',
        'claude-mythos-5',
      ],
    };
    for (const [kind, models] of Object.entries(kinds))
      for (const model of models) expect(of(model).thinking, model).to.equal(kind);
  });

  it('the table of models marks those that reject sampling, a prefill, and temperature beside top_p', () => {
    expect(of('claude-opus-4-6').sampling).to.equal(undefined);
    for (const model of ['claude-opus-4-7', 'claude-sonnet-5', 'claude-fable-5'])
      expect(of(model).sampling, model).to.equal(false);
    expect(of('claude-sonnet-4-5').prefill).to.equal(undefined);
    expect(of('claude-sonnet-4-6').prefill).to.equal(false);
    expect(of('claude-sonnet-4-20250514').temperatureWithTopP).to.equal(undefined);
    for (const model of ['claude-opus-4-1', 'claude-sonnet-4-5'])
      expect(of(model).temperatureWithTopP, model).to.equal(false);
  });

  it('the table of models has the maximum output of each model', () => {
    const caps = {
      'claude-3-opus-20240229': 4_096,
      'claude-opus-4-20250514': 32_000,
      'claude-sonnet-4-0': 64_000,
      'claude-haiku-4-5-20251001': 64_000,
      'claude-opus-4-6': 128_000,
      'claude-opus-5': 128_000,
    };
    for (const [model, cap] of Object.entries(caps)) expect(of(model).maxOutput, model).to.equal(cap);
  });

  it('the table of models marks those that take a schema, a late system message, and a forced call', () => {
    expect(of('claude-opus-4-1').schema).to.equal(false);
    expect(of('claude-sonnet-4-5').schema).to.equal(true);
    expect(of('claude-opus-4-7').midSystem).to.equal(false);
    expect(of('claude-opus-4-8').midSystem).to.equal(true);
    expect(of('claude-opus-5').forcedTool).to.equal('not-with-thinking');
    for (const model of ['claude-sonnet-5-5', 'claude-opus-5-5', 'claude-fable-5-1', 'claude-fable-5-2'])
      expect(of(model).forcedTool, model).to.equal(false);
  });

  it('the table of models marks those that always think, and matches a dated snapshot to its family', () => {
    for (const model of ['claude-sonnet-5-5', 'claude-opus-5-5', 'claude-fable-5'])
      expect(of(model).thinkingOff, model).to.equal(false);
    expect(of('claude-opus-5').thinkingOff).to.equal(undefined);
    expect(of('claude-fable-5-20260701')).to.deep.equal(of('claude-fable-5'));
    expect(of('claude-fable-5-2-20261001').forcedTool).to.equal(false);
  });

  it('the table of models permits everything for an unknown model', () => {
    expect(of('claude-next')).to.deep.equal({});
  });
});
