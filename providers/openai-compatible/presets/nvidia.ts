import { definePreset } from './define-preset.ts';

/** The hosted models of NVIDIA. They are paid with credits, so no price is shipped. */
export default definePreset({
  name: 'nvidia',
  title: 'NVIDIA NIM',
  baseUrl: 'https://integrate.api.nvidia.com/v1',
  env: 'NVIDIA_API_KEY',
  suggested: ['openai/gpt-oss-120b'],
  // https://huggingface.co/openai/gpt-oss-120b
  reasoning: [{ models: ['openai/gpt-oss-'], efforts: ['low', 'medium', 'high'] }],
});
