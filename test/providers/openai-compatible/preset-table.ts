/** What one preset should be: the tests call a strict server that plays the vendor. */
export interface PresetCase {
  /** Address of generation calls, as the vendor documents it. */
  readonly url: string;
  /** The variable of its key. Absent: a server of one's own, which needs none. */
  readonly variable?: string;
  /** A name that the vendor has. */
  readonly model: string;
  /** Members that the vendor refuses. */
  readonly refused?: readonly string[];
  /** It refuses `name` in messages. */
  readonly refusesNames?: true;
  /** It refuses tool calls without the reasoning before them. */
  readonly needsReasoning?: true;
}

const penalties = ['frequency_penalty', 'presence_penalty'];

export const presetTable: Readonly<Record<string, PresetCase>> = {
  'alibaba': {
    url: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1/chat/completions',
    variable: 'DASHSCOPE_API_KEY',
    model: 'qwen3.8-max',
  },
  'cerebras': {
    url: 'https://api.cerebras.ai/v1/chat/completions',
    variable: 'CEREBRAS_API_KEY',
    model: 'gpt-oss-120b',
    refused: [...penalties, 'logit_bias'],
  },
  'deepseek': {
    url: 'https://api.deepseek.com/chat/completions',
    variable: 'DEEPSEEK_API_KEY',
    model: 'deepseek-flash',
    needsReasoning: true,
  },
  'fireworks': {
    url: 'https://api.fireworks.ai/inference/v1/chat/completions',
    variable: 'FIREWORKS_API_KEY',
    model: 'accounts/fireworks/models/glm-5p3',
  },
  'groq': {
    url: 'https://api.groq.com/openai/v1/chat/completions',
    variable: 'GROQ_API_KEY',
    model: 'openai/gpt-oss-120b',
    refused: ['logprobs', 'logit_bias', 'top_logprobs'],
    refusesNames: true,
  },
  'huggingface': {
    url: 'https://router.huggingface.co/v1/chat/completions',
    variable: 'HF_TOKEN',
    model: 'openai/gpt-oss-120b',
  },
  'llama-cpp': { url: 'http://127.0.0.1:8080/v1/chat/completions', model: 'qwen3' },
  'lm-studio': { url: 'http://127.0.0.1:1234/v1/chat/completions', model: 'qwen3' },
  'moonshot': {
    url: 'https://api.moonshot.ai/v1/chat/completions',
    variable: 'MOONSHOT_API_KEY',
    model: 'kimi-k3',
    needsReasoning: true,
  },
  'nvidia': {
    url: 'https://integrate.api.nvidia.com/v1/chat/completions',
    variable: 'NVIDIA_API_KEY',
    model: 'openai/gpt-oss-120b',
  },
  'ollama-openai': { url: 'http://127.0.0.1:11434/v1/chat/completions', model: 'qwen3:8b' },
  'openrouter': {
    url: 'https://openrouter.ai/api/v1/chat/completions',
    variable: 'OPENROUTER_API_KEY',
    model: 'openai/gpt-oss-120b',
  },
  'perplexity': {
    url: 'https://api.perplexity.ai/v1/responses',
    variable: 'PERPLEXITY_API_KEY',
    model: 'perplexity/sonar',
  },
  'sambanova': {
    url: 'https://api.sambanova.ai/v1/chat/completions',
    variable: 'SAMBANOVA_API_KEY',
    model: 'gpt-oss-120b',
  },
  'together': {
    url: 'https://api.together.xyz/v1/chat/completions',
    variable: 'TOGETHER_API_KEY',
    model: 'openai/gpt-oss-120b',
  },
  'vllm': { url: 'http://127.0.0.1:8000/v1/chat/completions', model: 'Qwen/Qwen3-8B' },
  'xai': {
    url: 'https://api.x.ai/v1/chat/completions',
    variable: 'XAI_API_KEY',
    model: 'grok-4.7',
    refused: [...penalties, 'stop'],
  },
  'zai': { url: 'https://api.z.ai/api/paas/v4/chat/completions', variable: 'ZAI_API_KEY', model: 'glm-5.3' },
};

/** Presets of vendors that rerank and do not generate. */
export const rerankTable: Readonly<Record<string, PresetCase>> = {
  'jina': {
    url: 'https://api.jina.ai/v1/rerank',
    variable: 'JINA_API_KEY',
    model: 'jina-reranker-v2-base-multilingual',
  },
  'voyage': { url: 'https://api.voyageai.com/v1/rerank', variable: 'VOYAGE_API_KEY', model: 'rerank-2.5' },
};
