import type { WrittenPrice } from '../../../core/api/index.ts';
import { definePreset } from './define-preset.ts';
import { listPrices } from './list-prices.ts';

/** Input and output of prompts with more than `above` input tokens. */
type Step = readonly [above: number, input: number, output: number];

/**
 * Rates that depend on the length of the prompt. Cached input costs about a fifth, or a tenth in a cache that the
 * request marks, and the usage does not say which: none is set, so it costs as much as input.
 * https://www.alibabacloud.com/help/en/model-studio/context-cache
 */
const stepped = (input: number, output: number, ...steps: readonly Step[]): WrittenPrice => ({
  input,
  output,
  longContext: steps.map(([above, input, output]) => ({ above, input, output })),
});

const max = stepped(1.2, 6, [32_000, 2.4, 12], [128_000, 3, 15]);
const coderPlus = stepped(1, 5, [32_000, 1.8, 9], [128_000, 3, 15], [256_000, 6, 60]);
const coderFlash = stepped(0.3, 1.5, [32_000, 0.5, 2.5], [128_000, 0.8, 4], [256_000, 1.6, 9.6]);
const flash = stepped(0.05, 0.4, [256_000, 0.25, 2]);

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
  prices: listPrices('https://www.alibabacloud.com/help/en/model-studio/models', {
    'qwen3.8-max': [2, 6, 0.25],
    'qwen3.7-max': { input: 2.5, output: 7.5, cacheRead: 0.5, cacheWrite5m: 3.125 },
    'qwen3.8-flash': { input: 0.15, output: 0.47, cacheRead: 0.016, cacheWrite5m: 0.2 },
    'qwen3.5-plus': stepped(0.4, 2.4, [256_000, 0.5, 3]),
    'qwen3-max': max,
    'qwen3-max-2026-01-23': max,
    'qwen3-max-preview': max,
    'qwen3-coder-plus': coderPlus,
    'qwen3-coder-plus-2025-07-22': coderPlus,
    'qwen3-coder-flash': coderFlash,
    'qwen3-coder-flash-2025-07-28': coderFlash,
    'qwen3-next-80b-a3b-instruct': [0.15, 1.2],
    'qwen3-next-80b-a3b-thinking': [0.15, 1.2],
    'qwen3-vl-plus': stepped(0.2, 1.6, [32_000, 0.3, 2.4], [128_000, 0.6, 4.8]),
    'qwen3-vl-235b-a22b-instruct': [0.4, 1.6],
    'qwen3-vl-235b-a22b-thinking': [0.4, 4],
    'qwen3-vl-32b-instruct': [0.16, 0.64],
    'qwen-flash': flash,
    'qwen-flash-2025-07-28': flash,
    'qwen-max': [1.6, 6.4],
  }),
});
