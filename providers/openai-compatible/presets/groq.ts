import { GatewayError } from '../../../core/api/index.ts';
import { readText } from '../../../core/api/codec.ts';
import { removeNames } from './chat-edits.ts';
import { definePreset } from './define-preset.ts';
import type { Edit } from '../edits.ts';

/** https://console.groq.com/docs/text-to-speech/orpheus: WAV only, and other voices than OpenAI. */
const voices: ReadonlyMap<string, readonly string[]> = new Map([
  ['canopylabs/orpheus-v1-english', ['autumn', 'diana', 'hannah', 'austin', 'daniel', 'troy']],
  ['canopylabs/orpheus-arabic-saudi', ['abdullah', 'fahad', 'sultan', 'lulwa', 'noura', 'aisha']],
]);
/** The only format of files. */
const FORMAT = 'wav';

const unsupported = (param: string, message: string): GatewayError =>
  new GatewayError('unsupported_parameter', message, { param });

/** @throws GatewayError `unsupported_parameter` for what the model cannot do */
const editSpeech =
  (model: string): Edit =>
  (body, { lose }) => {
    const known = voices.get(model);
    const voice = readText(body['voice']);
    if (known !== undefined && voice !== '' && !known.includes(voice))
      throw unsupported('voice', `${model} has no voice '${voice}'. It has ${known.join(', ')}.`);
    const asked = readText(body['response_format']);
    if (asked === FORMAT) return [];
    if (asked !== '')
      throw unsupported('response_format', `${model} does not write '${asked}'. Set 'response_format' to ${FORMAT}.`);
    lose('response_format', 'approximated', `the model does not write mp3, the usual format: the audio is ${FORMAT}`);
    return [{ member: 'response_format', value: FORMAT }];
  };

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
  hasPrices: true,
  // https://console.groq.com/docs/reasoning
  reasoning: [
    { models: ['openai/gpt-oss-'], efforts: ['low', 'medium', 'high'] },
    { models: ['qwen/qwen3'], efforts: ['none', 'default'] },
    { models: ['llama-', 'meta-llama/'], efforts: [], neverThinks: true },
  ],
  quirks: {
    wires: ['chat-completions', 'transcriptions', 'translations', 'speech'],
    plainWires: ['transcriptions', 'speech'],
    body: { remove: ['logprobs', 'logit_bias', 'top_logprobs'] },
  },
  chat: () => ({ edits: removeNames }),
  speech: (model) => ({ edits: editSpeech(model) }),
});
