import { inputTotal, isObject, readCount, type JsonObject, type Usage } from '../../../core/index.ts';
import { readObject } from './shape.ts';

/**
 * Vendors disagree on what `completion_tokens` and `prompt_tokens` contain, and `total_tokens` tells: where the total is larger than their sum by
 * exactly the reasoning (xAI) or the audio (Mistral), that part was reported outside.
 */
const readOutside = (usage: Readonly<JsonObject>, part: number): number => {
  const beyond = readCount(usage['total_tokens']) - readCount(usage['prompt_tokens']) - readCount(usage['completion_tokens']);
  return part > 0 && beyond === part ? part : 0;
};

/** Cached input: OpenAI's details, DeepSeek's hits, Mistral's and Moonshot's members beside the totals. */
const readCached = (usage: Readonly<JsonObject>, details: Readonly<JsonObject>): number =>
  readCount(details['cached_tokens'] ?? usage['prompt_cache_hit_tokens'] ?? usage['num_cached_tokens'] ?? usage['cached_tokens']);

/** `undefined` when the value is no usage object. `prompt_tokens` contains what was read from and written to the cache. */
export const readUsage = (value: unknown, tier?: unknown): Usage | undefined => {
  if (!isObject(value)) return undefined;
  const input = readObject(value['prompt_tokens_details']);
  const output = readObject(value['completion_tokens_details']);
  const thought = readCount(output['reasoning_tokens']);
  const produced = readCount(value['completion_tokens']) + readOutside(value, thought);
  const prompt = readCount(value['prompt_tokens']) + readOutside(value, readCount(input['audio_tokens']));
  const cacheRead = readCached(value, input);
  const cacheWrite = readCount(input['cache_write_tokens']);
  return {
    inputUncached: Math.max(0, prompt - cacheRead - cacheWrite),
    cacheRead,
    cacheWrite5m: cacheWrite,
    cacheWrite1h: 0,
    output: produced,
    reasoning: Math.min(thought, produced),
    ...(typeof tier === 'string' && tier !== '' ? { tier } : {}),
    source: 'provider',
    raw: value,
  };
};

/** The usage of a whole chunk or answer; Groq puts it aside in streams. */
export const readUsageOf = (answer: Readonly<JsonObject>): Usage | undefined =>
  readUsage(answer['usage'], answer['service_tier']) ?? readUsage(readObject(answer['x_groq'])['usage'], answer['service_tier']);

/** `total_tokens` is always the sum of the two: mission.md. */
export const writeUsage = (usage: Usage): JsonObject => {
  const prompt = inputTotal(usage);
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: usage.cacheWrite5m + usage.cacheWrite1h },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  };
};
