import { definePreset } from './define-preset.ts';

/** A cancelled call of a server of one's own costs nothing more. */
const cancelEndsCharges = true;

/** Reasoning is in `reasoning_content` (llama--3b31f5db). */
export const llamaCpp = definePreset({
  name: 'llama-cpp',
  title: 'llama.cpp',
  baseUrl: 'http://127.0.0.1:8080/v1',
  quirks: { cancelEndsCharges },
});

/** It has the Responses API (lmstud-b569f932). */
export const lmStudio = definePreset({
  name: 'lm-studio',
  title: 'LM Studio',
  baseUrl: 'http://127.0.0.1:1234/v1',
  quirks: { wires: ['chat-completions', 'responses', 'embeddings'], cancelEndsCharges },
});

/**
 * The API of Ollama that is like OpenAI's. It cannot set the context window of a model (`num_ctx`). Reasoning is in
 * `reasoning` (ollama-8d92b8ef).
 */
export const ollama = definePreset({
  name: 'ollama-openai',
  title: 'Ollama (OpenAI API)',
  baseUrl: 'http://127.0.0.1:11434/v1',
  // https://github.com/ollama/ollama/blob/main/openai/openai.go
  reasoning: [{ models: [''], efforts: ['none', 'low', 'medium', 'high', 'max'] }],
  quirks: { cancelEndsCharges },
});

/** It refuses `encoding_format: null`, as the provider openai-compatible expects of every server. */
export const vllm = definePreset({
  name: 'vllm',
  title: 'vLLM',
  baseUrl: 'http://127.0.0.1:8000/v1',
  quirks: {
    wires: ['chat-completions', 'completions', 'embeddings', 'rerank', 'transcriptions', 'translations', 'tokenize'],
    cancelEndsCharges,
  },
});
