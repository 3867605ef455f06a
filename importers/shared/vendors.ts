/** How a vendor is configured here. */
export interface Vendor {
  /** The built-in provider, or a preset of openai-compatible. */
  readonly use: string;
  /** It has the settings of openai-compatible: no key is needed, and headers can be sent. */
  readonly isCompatible?: true;
  /** The default address; absent for a preset, which has its own. */
  readonly baseUrl?: string;
  /** The suffix that an address of the source lacks. */
  readonly suffix?: string;
  /** The usual variable of its key. */
  readonly key?: string;
  /** The same for its address. */
  readonly base?: string;
  /** The prefix that LiteLLM adds to names of models. */
  readonly modelPrefix?: string;
  /** By the name of a setting in LiteLLM, its name here. */
  readonly settings?: Readonly<Record<string, string>>;
}

const compatible = { use: 'openai-compatible', isCompatible: true } as const;
const hosted = (baseUrl: string, key: string): Vendor => ({ ...compatible, baseUrl, key });
/** A preset, which has the address. */
const preset = (use: string, key: string): Vendor => ({ use, isCompatible: true, key });
const own = (base: string, key: string, use = 'openai-compatible'): Vendor => ({ use, isCompatible: true, base, key });
const local = (baseUrl: string, base: string, suffix = '', use = 'openai-compatible'): Vendor => ({
  use,
  isCompatible: true,
  baseUrl,
  base,
  suffix,
});

/** By the names of LiteLLM, with the addresses that the vendors document for OpenAI-compatible clients. */
export const vendors: Readonly<Record<string, Vendor>> = {
  openai: { use: 'openai', key: 'OPENAI_API_KEY' },
  anthropic: { use: 'anthropic', key: 'ANTHROPIC_API_KEY' },
  gemini: { use: 'google', key: 'GEMINI_API_KEY' },
  // https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle: one API for all versions, in OpenAI's
  // own form
  azure: { use: 'openai', suffix: '/openai/v1', key: 'AZURE_API_KEY', base: 'AZURE_API_BASE' },
  bedrock: {
    use: 'bedrock',
    settings: {
      aws_region_name: 'region',
      aws_access_key_id: 'accessKeyId',
      aws_secret_access_key: 'secretAccessKey',
      aws_session_token: 'sessionToken',
      aws_profile_name: 'profile',
      aws_bedrock_runtime_endpoint: 'baseUrl',
    },
  },
  'vertex_ai': {
    use: 'vertex',
    settings: { vertex_project: 'project', vertex_location: 'location', vertex_credentials: 'credentials' },
  },
  // In other gateways.
  'vertex': { use: 'vertex' },
  'vertex-ai': { use: 'vertex' },
  cohere: { use: 'cohere', key: 'COHERE_API_KEY' },
  cohere_chat: { use: 'cohere', key: 'COHERE_API_KEY' },
  mistral: { use: 'mistral', key: 'MISTRAL_API_KEY' },

  cerebras: preset('cerebras', 'CEREBRAS_API_KEY'),
  codestral: hosted('https://codestral.mistral.ai/v1', 'CODESTRAL_API_KEY'),
  dashscope: preset('alibaba', 'DASHSCOPE_API_KEY'),
  deepinfra: hosted('https://api.deepinfra.com/v1/openai', 'DEEPINFRA_API_KEY'),
  deepseek: preset('deepseek', 'DEEPSEEK_API_KEY'),
  featherless_ai: hosted('https://api.featherless.ai/v1', 'FEATHERLESS_AI_API_KEY'),
  fireworks_ai: {
    ...preset('fireworks', 'FIREWORKS_AI_API_KEY'),
    modelPrefix: 'accounts/fireworks/models/',
  },
  groq: preset('groq', 'GROQ_API_KEY'),
  hyperbolic: hosted('https://api.hyperbolic.xyz/v1', 'HYPERBOLIC_API_KEY'),
  inference_net: hosted('https://api.inference.net/v1', 'INFERENCE_NET_API_KEY'),
  moonshot: preset('moonshot', 'MOONSHOT_API_KEY'),
  nebius: hosted('https://api.studio.nebius.ai/v1', 'NEBIUS_API_KEY'),
  novita: hosted('https://api.novita.ai/v3/openai', 'NOVITA_API_KEY'),
  nscale: hosted('https://inference.api.nscale.com/v1', 'NSCALE_API_KEY'),
  nvidia_nim: preset('nvidia', 'NVIDIA_NIM_API_KEY'),
  openrouter: preset('openrouter', 'OPENROUTER_API_KEY'),
  parasail: hosted('https://api.parasail.io/v1', 'PARASAIL_API_KEY'),
  perplexity: preset('perplexity', 'PERPLEXITYAI_API_KEY'),
  sambanova: preset('sambanova', 'SAMBANOVA_API_KEY'),
  siliconflow: hosted('https://api.siliconflow.cn/v1', 'SILICONFLOW_API_KEY'),
  together_ai: preset('together', 'TOGETHERAI_API_KEY'),
  upstage: hosted('https://api.upstage.ai/v1/solar', 'UPSTAGE_API_KEY'),
  volcengine: hosted('https://ark.cn-beijing.volces.com/api/v3', 'VOLCENGINE_API_KEY'),
  xai: preset('xai', 'XAI_API_KEY'),
  zai: preset('zai', 'ZAI_API_KEY'),

  custom_openai: compatible,
  databricks: own('DATABRICKS_API_BASE', 'DATABRICKS_API_KEY'),
  hosted_vllm: own('HOSTED_VLLM_API_BASE', 'HOSTED_VLLM_API_KEY', 'vllm'),
  huggingface: { ...own('HUGGINGFACE_API_BASE', 'HUGGINGFACE_API_KEY'), suffix: '/v1' },
  litellm_proxy: own('LITELLM_PROXY_API_BASE', 'LITELLM_PROXY_API_KEY'),
  lm_studio: own('LM_STUDIO_API_BASE', 'LM_STUDIO_API_KEY', 'lm-studio'),
  openai_like: compatible,
  sglang: own('SGLANG_API_BASE', 'SGLANG_API_KEY'),
  vllm: own('HOSTED_VLLM_API_BASE', 'HOSTED_VLLM_API_KEY', 'vllm'),
  xinference: local('http://127.0.0.1:9997/v1', 'XINFERENCE_API_BASE'),

  llamafile: local('http://127.0.0.1:8080/v1', 'LLAMAFILE_API_BASE'),
  ollama: local('http://localhost:11434', 'OLLAMA_API_BASE', '/v1', 'ollama-openai'),
  ollama_chat: local('http://localhost:11434', 'OLLAMA_API_BASE', '/v1', 'ollama-openai'),
};

/** The settings of a vendor alone: those of the source, with their names here. */
export const settingsOf = (vendor: string): Readonly<Record<string, string>> =>
  (Object.hasOwn(vendors, vendor) ? vendors[vendor]?.settings : undefined) ?? {};

/** Vendors whose models can be named without a vendor. */
const bare: readonly (readonly [pattern: RegExp, vendor: string])[] = [
  [/^(?:gpt-|chatgpt-|o\d(?:-|$)|text-embedding-|ft:|codex-|dall-e|whisper|tts-)/, 'openai'],
  [/^claude-/, 'anthropic'],
];

/** The vendor of a model that is named without one. */
export const vendorOfModel = (model: string): string | undefined => bare.find(([pattern]) => pattern.test(model))?.[1];
