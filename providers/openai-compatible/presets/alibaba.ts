import { definePreset } from './define-preset.ts';

/**
 * Alibaba Cloud Model Studio (Qwen), at its international address. Prices are those of that region. Reasoning is in
 * `reasoning_content` (alibab-3604425e). Models whose answers cost more after reasoning (`qwen-plus`, `qwen-turbo`)
 * have no price here: the usage of an answer does not say which applies.
 */
export default definePreset({
  name: 'alibaba',
  title: 'Alibaba Cloud Model Studio',
  baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
  env: 'DASHSCOPE_API_KEY',
  suggested: ['qwen3.8-max', 'qwen3.8-flash'],
  hasPrices: true,
  // https://www.alibabacloud.com/help/en/model-studio/deep-thinking: a switch, and a number of tokens.
  reasoning: [
    {
      models: ['qwen3', 'qwen-plus', 'qwen-turbo', 'qwen-flash'],
      efforts: ['none', 'enabled'],
      words: { none: { enable_thinking: false }, enabled: { enable_thinking: true } },
      budgetMember: 'thinking_budget',
      withBudget: { enable_thinking: true },
    },
    {
      models: ['qwen3-next-80b-a3b-instruct', 'qwen3-vl-235b-a22b-instruct', 'qwen3-vl-32b-instruct'],
      efforts: [],
      neverThinks: true,
    },
    { models: ['qwen3-coder-', 'qwen-max'], efforts: [], neverThinks: true },
    { models: ['qwen3-next-80b-a3b-thinking', 'qwen3-vl-235b-a22b-thinking'], efforts: [] },
  ],
});
