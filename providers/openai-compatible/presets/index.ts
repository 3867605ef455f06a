import type { ProviderDefinition } from '../../../core/api/index.ts';

/** Each preset by the name in `use:`. A preset is loaded when a configuration uses it. */
export const presets: Readonly<Record<string, () => Promise<ProviderDefinition>>> = {
  'alibaba': async () => (await import('./alibaba.ts')).default,
  'cerebras': async () => (await import('./cerebras.ts')).default,
  'deepseek': async () => (await import('./deepseek.ts')).default,
  'fireworks': async () => (await import('./fireworks.ts')).default,
  'groq': async () => (await import('./groq.ts')).default,
  'huggingface': async () => (await import('./huggingface.ts')).default,
  'jina': async () => (await import('./rerankers.ts')).jina,
  'llama-cpp': async () => (await import('./own-servers.ts')).llamaCpp,
  'lm-studio': async () => (await import('./own-servers.ts')).lmStudio,
  'moonshot': async () => (await import('./moonshot.ts')).default,
  'nvidia': async () => (await import('./nvidia.ts')).default,
  'ollama-openai': async () => (await import('./own-servers.ts')).ollama,
  'openrouter': async () => (await import('./openrouter.ts')).default,
  'perplexity': async () => (await import('./perplexity.ts')).default,
  'sambanova': async () => (await import('./sambanova.ts')).default,
  'together': async () => (await import('./together.ts')).default,
  'vllm': async () => (await import('./own-servers.ts')).vllm,
  'voyage': async () => (await import('./rerankers.ts')).voyage,
  'xai': async () => (await import('./xai.ts')).default,
  'zai': async () => (await import('./zai.ts')).default,
};
