import { readPriceFile } from '../../../core/api/internal.ts';
import { removeNames } from './chat-edits.ts';
import { definePreset } from './define-preset.ts';
import { unknownEfforts } from '../reasoning.ts';
import { createSpeechEdits } from '../speech-edits.ts';

/** https://console.groq.com/docs/text-to-speech/orpheus: WAV only, and other voices than OpenAI. */
const voices: ReadonlyMap<string, readonly string[]> = new Map([
  ['canopylabs/orpheus-v1-english', ['autumn', 'diana', 'hannah', 'austin', 'daniel', 'troy']],
  ['canopylabs/orpheus-arabic-saudi', ['abdullah', 'fahad', 'sultan', 'lulwa', 'noura', 'aisha']],
]);

/**
 * Groq. It refuses the members in `remove`, names of messages, and more than one choice:
 * https://console.groq.com/docs/openai. Usage of a stream is also in `x_groq` (groq-db083999), reasoning in `reasoning`
 * (groq-34979a34), and a stream that fails has no `[DONE]` (groq-38dea5d7).
 */
export default definePreset({
  name: 'groq',
  title: 'Groq',
  baseUrl: 'https://api.groq.com/openai/v1',
  env: 'GROQ_API_KEY',
  suggested: ['openai/gpt-oss-120b', 'openai/gpt-oss-20b'],
  models: [
    { prefix: '', capabilities: { choices: false } },
    { prefix: 'openai/gpt-oss-', capabilities: { vision: false, contextTokens: 131_072 } },
    { prefix: 'qwen/qwen3.8-27b', capabilities: { contextTokens: 131_072 } },
  ],
  prices: readPriceFile(new URL('./prices/groq.yaml', import.meta.url)),
  // https://console.groq.com/docs/reasoning
  reasoning: [
    { models: ['openai/gpt-oss-'], efforts: ['low', 'medium', 'high'] },
    { models: ['qwen/qwen3'], efforts: ['none', 'default'] },
    { models: ['llama-', 'meta-llama/'], efforts: [], neverThinks: true },
    unknownEfforts,
  ],
  quirks: {
    wires: ['chat-completions', 'transcriptions', 'translations', 'speech'],
    plainWires: ['transcriptions', 'speech'],
    body: { remove: ['logprobs', 'logit_bias', 'top_logprobs'] },
  },
  chat: () => ({ edits: removeNames }),
  speech: (model) => ({ edits: createSpeechEdits(model, { format: 'wav', voices: voices.get(model) }) }),
});
