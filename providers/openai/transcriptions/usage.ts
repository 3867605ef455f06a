import { inputTotal, type JsonObject, type Usage } from '../../../core/api/index.ts';
import {
  defineKnownMembers,
  isObject,
  noTokens,
  OUTPUT_WEIGHT_PER_TOKEN,
  readCount,
  readObject,
  readParts,
  TOKENS_PER_SECOND,
} from '../../../core/api/codec.ts';
import { weighText } from '../../../core/api/internal.ts';
import { reportedCosts } from '../chat-completions/usage-members.ts';
import { readReportedCost } from '../usage-units.ts';

export const usageMembers = defineKnownMembers({
  type: true,
  seconds: true,
  input_tokens: true,
  input_token_details: { text_tokens: true, audio_tokens: true },
  output_tokens: true,
  total_tokens: true,
  // Mistral
  prompt_audio_seconds: true,
  prompt_tokens: true,
  prompt_tokens_details: { cached_tokens: true, audio_tokens: true },
  completion_tokens: true,
  service_tier: true,
  request_count: true,
  ...reportedCosts,
});

const readSeconds = (value: unknown): number =>
  typeof value === 'number' && value > 0 && value <= Number.MAX_SAFE_INTEGER ? value : 0;

/**
 * Tokens or seconds as OpenAI reports them, or both as Mistral does:
 * https://platform.openai.com/docs/api-reference/audio/json-object, https://docs.mistral.ai/api/endpoint/audio/transcriptions
 * @param measured seconds of the file: limits count them also where the vendor bills tokens
 */
export function readUsage(value: unknown, measured: number): Usage | undefined {
  if (!isObject(value)) return undefined;
  const inputUncached = readCount(value['input_tokens'] ?? value['prompt_tokens']);
  const details = readObject(value['input_token_details'] ?? value['prompt_tokens_details']);
  const seconds = readSeconds(value['seconds'] ?? value['prompt_audio_seconds']);
  const { service_tier: tier } = value;
  if (inputUncached === 0 && seconds === 0) return undefined;
  // Mistral counts the audio in the details only, beside the tokens of the prompt.
  const audio = readCount(details['audio_tokens']);
  const input = value['prompt_tokens'] === undefined ? inputUncached : Math.max(inputUncached, audio);
  return {
    ...noTokens,
    inputUncached: input,
    output: readCount(value['output_tokens'] ?? value['completion_tokens']),
    ...readParts(input, { inputAudio: audio }),
    units: { seconds: seconds || measured },
    ...(typeof tier === 'string' && tier !== '' ? { tier } : {}),
    ...readReportedCost(value),
    source: 'provider',
    raw: value,
  };
}

/** Tokens or seconds, as OpenAI reports them; absent if there is neither. */
export function writeUsage(usage: Usage | undefined): JsonObject | undefined {
  if (usage === undefined) return undefined;
  const { inputAudio = 0, output, units = {} } = usage;
  const input = inputTotal(usage);
  if (input + output > 0)
    return {
      type: 'tokens',
      input_tokens: input,
      input_token_details: { text_tokens: input - inputAudio, audio_tokens: inputAudio },
      output_tokens: output,
      total_tokens: input + output,
    };
  return units.seconds === undefined ? undefined : { type: 'duration', seconds: Math.ceil(units.seconds) };
}

/** The usage of a text whose vendor reports none: the seconds of the file, and the tokens that they are about. */
export const estimateUsage = (seconds: number, text: string): Usage => ({
  ...noTokens,
  inputUncached: Math.ceil(seconds * TOKENS_PER_SECOND),
  inputAudio: Math.ceil(seconds * TOKENS_PER_SECOND),
  output: Math.ceil(weighText(text) / OUTPUT_WEIGHT_PER_TOKEN),
  units: { seconds },
  source: 'estimated',
});
