import { definePreset } from './define-preset.ts';
import { listPrices } from './list-prices.ts';

/** Together AI. A text can end with the reason `eos` (togeth-9840f74b); cached input is in `cached_tokens`. */
export default definePreset({
  name: 'together',
  title: 'Together AI',
  baseUrl: 'https://api.together.xyz/v1',
  env: 'TOGETHER_API_KEY',
  suggested: ['zai-org/GLM-5.3', 'openai/gpt-oss-120b'],
  models: [{ prefix: 'openai/gpt-oss-', capabilities: { vision: false, contextTokens: 131_072 } }],
  prices: listPrices('https://www.together.ai/pricing', {
    'MiniMaxAI/MiniMax-M3.1-Flash': [0.15, 0.6, 0.015],
    'Qwen/Qwen3.5-9B': [0.17, 0.25],
    'Qwen/Qwen3.6-Plus': [0.5, 3],
    'Qwen/Qwen3.7-Plus': [0.32, 1.28],
    'Qwen/Qwen3.8-Flash': [0.15, 0.47],
    'deepseek-ai/DeepSeek-V4-Pro-0813': [1.32, 3.96, 0.13],
    'deepseek-ai/DeepSeek-V4.1-Flash': [0.3, 1.2, 0.006],
    'deepseek-ai/DeepSeek-V4.1-Flash-1017': [0.3, 1.2, 0.006],
    'meta-models/Muse-Glimmer-30B': [0.35, 1.5, 0.04],
    'meta-models/Muse-Spark-Open-816B-A42B': [1.25, 4.25, 0.15],
    'moonshotai/Kimi-K3': [3, 15, 0.3],
    'nvidia/NVIDIA-Nemotron-3.5-Super-VL': [0.15, 0.5, 0.02],
    'openai/gpt-oss-120b': [0.15, 0.6],
    'zai-org/GLM-5.2': [1.4, 4.4, 0.26],
    'zai-org/GLM-5.3': [1.4, 4.4, 0.26],
    'zai-org/GLM-5.3-Flash': [0.15, 0.5, 0.03],
  }),
});
