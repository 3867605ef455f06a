import { definePreset } from './define-preset.ts';
import { listPrices } from './list-prices.ts';

/**
 * Alibaba Cloud Model Studio (Qwen), at its international address. Prices are those of that region. Reasoning is in
 * `reasoning_content` (alibab-3604425e).
 */
export default definePreset({
  name: 'alibaba',
  title: 'Alibaba Cloud Model Studio',
  baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
  env: 'DASHSCOPE_API_KEY',
  suggested: ['qwen3.8-max', 'qwen3.8-flash'],
  prices: listPrices('https://www.alibabacloud.com/help/en/model-studio/models', {
    'qwen3.8-max': [2, 6, 0.25],
    'qwen3.7-max': [2.5, 7.5, 0.5],
    'qwen3.8-flash': [0.15, 0.47, 0.016],
  }),
});
