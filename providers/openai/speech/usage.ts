import { inputTotal, type JsonObject, type Usage } from '../../../core/api/index.ts';
import { defineKnownMembers, isObject, noTokens, readCount } from '../../../core/api/codec.ts';
import { countCodePoints } from '../../../core/api/internal.ts';
import { reportedCosts } from '../chat-completions/usage-members.ts';
import { readReportedCost } from '../usage-units.ts';

export const usageMembers = defineKnownMembers({
  input_tokens: true,
  output_tokens: true,
  total_tokens: true,
  ...reportedCosts,
});

/** The usage of a text of which no vendor has reported tokens: its characters. A file has no place for usage. */
export const measureUsage = (text: string): Usage => ({
  ...noTokens,
  units: { characters: countCodePoints(text) },
  source: 'estimated',
});

/**
 * The usage of the last event, whose output is audio:
 * https://platform.openai.com/docs/api-reference/audio/speech-audio-done-event
 * @param measured usage of the text: limits count its characters also where the vendor bills tokens
 */
export function readUsage(value: unknown, measured: Usage): Usage {
  if (!isObject(value)) return measured;
  const inputUncached = readCount(value['input_tokens']);
  const output = readCount(value['output_tokens']);
  const cost = readReportedCost(value);
  if (inputUncached + output === 0) return { ...measured, ...cost };
  return { ...measured, inputUncached, output, outputAudio: output, ...cost, source: 'provider', raw: value };
}

/** As it stands in the last event. */
export function writeUsage(usage: Usage): JsonObject {
  const input = inputTotal(usage);
  return { input_tokens: input, output_tokens: usage.output, total_tokens: input + usage.output };
}
