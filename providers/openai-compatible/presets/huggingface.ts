import { definePreset } from './define-preset.ts';

/**
 * The router of Hugging Face, with the models of many providers. Some of them leave the reasoning in the text, between
 * tags (huggin-402a84a3), others send `reasoning` (huggin-70606752). The price depends on the provider that serves a
 * call, so none is shipped.
 */
export default definePreset({
  name: 'huggingface',
  title: 'Hugging Face',
  baseUrl: 'https://router.huggingface.co/v1',
  env: 'HF_TOKEN',
  suggested: ['openai/gpt-oss-120b'],
  // https://huggingface.co/openai/gpt-oss-120b
  reasoning: [{ models: ['openai/gpt-oss-'], efforts: ['low', 'medium', 'high'] }],
  quirks: { wires: ['chat-completions'], thinkTags: true },
});
