import type { Capabilities, ModelFamily } from '../../core/api/index.ts';

/**
 * What each generation added or removed, oldest first: https://platform.claude.com/docs/en/about-claude/models/overview
 */
const claude3: Capabilities = {
  thinking: 'none',
  efforts: [],
  vision: true,
  documents: false,
  schema: false,
  midSystem: false,
  maxOutput: 4_096,
  contextTokens: 200_000,
};
const claude35: Capabilities = { ...claude3, webSearch: true, documents: true, maxOutput: 8_192 };

/** Thinking has a budget in tokens. A call cannot be forced while the model thinks. */
const budget: Capabilities = {
  thinking: 'budget',
  thinksUnasked: false,
  vision: true,
  documents: true,
  schema: false,
  midSystem: false,
  forcedTool: 'not-with-thinking',
  webSearch: true,
};
const sonnet37: Capabilities = { ...budget, maxOutput: 64_000, contextTokens: 200_000 };
const sonnet4: Capabilities = { ...budget, maxOutput: 64_000 };
const opus4: Capabilities = { ...budget, maxOutput: 32_000, contextTokens: 200_000 };
const opus41: Capabilities = { ...opus4, temperatureWithTopP: false };
const claude45: Capabilities = { ...budget, schema: true, temperatureWithTopP: false, maxOutput: 64_000 };

/** From 4.6 on, the model adapts its thinking to an effort, and no longer continues a prefilled turn. */
const adaptive: Capabilities = {
  thinking: 'adaptive',
  thinksUnasked: false,
  efforts: ['low', 'medium', 'high', 'max'],
  vision: true,
  documents: true,
  schema: true,
  prefill: false,
  midSystem: false,
  temperatureWithTopP: false,
  forcedTool: 'not-with-thinking',
  webSearch: true,
  maxOutput: 128_000,
};
/** 4.7 removed sampling parameters, even at their defaults. */
const withoutSampling: Capabilities = {
  ...adaptive,
  efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
  sampling: false,
};
/** From Opus 4.8 on, models accept system messages between others. */
const current: Capabilities = { ...withoutSampling, midSystem: true };
/** Thinking cannot be turned off. */
const alwaysThinking: Capabilities = { ...current, thinkingOff: false };
const withoutForcedTools: Capabilities = { ...alwaysThinking, forcedTool: false };

/** From 4.6 on, prompts can have a million tokens at the same price. */
const withMillionTokens = (capabilities: Capabilities): Capabilities => ({ ...capabilities, contextTokens: 1_000_000 });

const family = (capabilities: Capabilities, ...prefixes: readonly string[]): readonly ModelFamily[] =>
  prefixes.map((prefix) => ({ prefix, capabilities }));

/** By the vendor's model ids. A dated snapshot matches its family. */
export const families: readonly ModelFamily[] = [
  ...family(claude3, 'claude-3-opus', 'claude-3-sonnet', 'claude-3-haiku'),
  ...family(claude35, 'claude-3-5-sonnet', 'claude-3-5-haiku'),
  ...family(sonnet37, 'claude-3-7-sonnet'),
  ...family(sonnet4, 'claude-sonnet-4'),
  ...family(opus4, 'claude-opus-4'),
  ...family(opus41, 'claude-opus-4-1'),
  ...family({ ...claude45, contextTokens: 200_000 }, 'claude-haiku-4-5'),
  ...family(claude45, 'claude-sonnet-4-5', 'claude-opus-4-5'),
  ...family(withMillionTokens(adaptive), 'claude-sonnet-4-6', 'claude-opus-4-6'),
  ...family(withMillionTokens(withoutSampling), 'claude-opus-4-7'),
  ...family(withMillionTokens(current), 'claude-opus-4-8', 'claude-haiku-5', 'claude-sonnet-5', 'claude-opus-5'),
  ...family(withMillionTokens(withoutForcedTools), 'claude-sonnet-5-5', 'claude-opus-5-5'),
  // `…-5-20` are the dated snapshots of 5, which would otherwise match 5.2.
  ...family(
    withMillionTokens(alwaysThinking),
    'claude-fable-5',
    'claude-fable-5-20',
    'claude-mythos-5',
    'claude-mythos-5-20',
  ),
  ...family(withMillionTokens(withoutForcedTools), 'claude-fable-5-1', 'claude-mythos-5-1'),
  ...family(withoutForcedTools, 'claude-fable-5-2', 'claude-mythos-5-2'),
];
