import { expect } from 'chai';
import type { Capabilities } from '../../../core/api/index.ts';
import {
  canTurnReasoningOff,
  isReasoning,
  isResponsesOnly,
  neverReasons,
  openAiModels,
} from '../../../providers/openai/models.ts';

/** The longest prefix wins. */
const of = (model: string): Capabilities =>
  openAiModels.filter(({ prefix }) => model.startsWith(prefix)).sort((a, b) => b.prefix.length - a.prefix.length)[0]
    ?.capabilities ?? {};

describe('OpenAI: model capabilities', () => {
  it('the table of models has each prefix once', () => {
    const prefixes = openAiModels.map(({ prefix }) => prefix);
    expect(new Set(prefixes).size).to.equal(prefixes.length);
  });

  it('lists the models with vision', () => {
    for (const model of ['gpt-3.5-turbo', 'gpt-4', 'gpt-4-0613', 'o3-mini', 'o3-mini-2025-01-31'])
      expect(of(model).vision, model).to.equal(false);
    for (const model of [
      'gpt-4o',
      'gpt-4o-mini',
      'gpt-4-turbo',
      'gpt-4-vision-preview',
      'gpt-4.1-nano',
      'o1',
      'o3',
      'o4-mini',
      'gpt-5',
      'gpt-5.6',
      'gpt-6',
    ])
      expect(of(model).vision, model).to.equal(true);
  });

  it('lists the models with structured output', () => {
    for (const model of ['gpt-3.5-turbo', 'gpt-4', 'gpt-4-turbo']) expect(of(model).schema, model).to.equal(false);
    for (const model of ['gpt-4o-2024-11-20', 'gpt-4.1', 'o3', 'gpt-5'])
      expect(of(model).schema, model).to.equal(undefined);
  });

  const efforts: readonly (readonly [string, readonly string[]])[] = [
    ['gpt-4o', []],
    ['gpt-4.1', []],
    ['o3', ['low', 'medium', 'high']],
    ['gpt-5-mini', ['minimal', 'low', 'medium', 'high']],
    ['gpt-5-codex', ['low', 'medium', 'high']],
    ['gpt-5.1', ['none', 'low', 'medium', 'high']],
    ['gpt-5.2', ['none', 'low', 'medium', 'high', 'xhigh']],
    ['gpt-5.5', ['none', 'low', 'medium', 'high', 'xhigh']],
    ['gpt-5.6', ['none', 'low', 'medium', 'high', 'xhigh', 'max']],
    ['gpt-6', ['low', 'medium', 'high', 'xhigh', 'max']],
    ['gpt-6-sol', ['none', 'low', 'medium', 'high', 'xhigh', 'max']],
    ['gpt-6.1-terra', ['none', 'low', 'medium', 'high', 'xhigh', 'max']],
  ];
  for (const [model, known] of efforts) {
    it(`lists the efforts of ${model}, and disables thinking only where none is one of them`, () => {
      expect(of(model).efforts).to.deep.equal(known);
      if (known.length > 0) expect(of(model).thinkingOff !== false).to.equal(known.includes('none'));
      expect(of(model).sampling).to.equal(known.length > 0 ? false : undefined);
    });
  }

  it('lists o3 and o4-mini as models without stop sequences', () => {
    expect([of('o3').stop, of('o4-mini').stop, of('gpt-4o').stop, of('o1').stop]).to.deep.equal([
      false,
      false,
      undefined,
      undefined,
    ]);
  });
  it('distinguishes models that reason, that never reason, and that take the effort none', () => {
    for (const model of ['o3', 'o4-mini', 'gpt-5-codex', 'gpt-6'])
      expect([isReasoning(model), neverReasons(model), canTurnReasoningOff(model)], model).to.deep.equal([
        true,
        false,
        false,
      ]);
    for (const model of ['gpt-4.1', 'gpt-4o-mini', 'gpt-3.5-turbo'])
      expect([isReasoning(model), neverReasons(model), canTurnReasoningOff(model)], model).to.deep.equal([
        false,
        true,
        false,
      ]);
    for (const model of ['gpt-5.1', 'gpt-5.5', 'gpt-6-luna'])
      expect([isReasoning(model), neverReasons(model), canTurnReasoningOff(model)], model).to.deep.equal([
        true,
        false,
        true,
      ]);
    expect([isReasoning('gpt-9'), neverReasons('gpt-9'), canTurnReasoningOff('gpt-9')]).to.deep.equal([
      false,
      false,
      false,
    ]);
  });
  it('lists the models that only responses serves', () => {
    for (const model of [
      'gpt-5-codex',
      'o1-pro-2025-03-19',
      'o3-pro',
      'o3-deep-research',
      'o4-mini-deep-research',
      'gpt-5-pro-2025-10-06',
      'gpt-5.1-codex-max',
      'gpt-5.5-pro',
      'gpt-6-cyber',
      'gpt-5.6-cyber',
    ])
      expect(isResponsesOnly(model), model).to.equal(true);
    for (const model of [
      'gpt-5',
      'gpt-5.1-codex',
      'gpt-5.2-pro',
      'o3',
      'o3-mini',
      'o1',
      'gpt-4.1',
      'gpt-6-sol',
      'o4-mini',
    ])
      expect(isResponsesOnly(model), model).to.equal(false);
  });
  it('an unknown model has no capabilities', () => {
    expect(of('gpt-9')).to.deep.equal({});
  });
});
