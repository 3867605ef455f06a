import { definePreset } from './define-preset.ts';

/** SambaNova Cloud. */
export default definePreset({
  name: 'sambanova',
  title: 'SambaNova',
  baseUrl: 'https://api.sambanova.ai/v1',
  env: 'SAMBANOVA_API_KEY',
  suggested: ['gpt-oss-120b'],
  models: [{ prefix: 'gpt-oss-', capabilities: { vision: false } }],
  hasPrices: true,
  // https://docs.sambanova.ai/docs/en/features/responses
  reasoning: [{ models: ['gpt-oss-'], efforts: ['low', 'medium', 'high'] }],
});
