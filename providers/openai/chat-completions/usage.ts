import { inputTotal, type JsonObject, type Usage } from '../../../core/api/index.ts';
import { isObject, readCount, readObject, readParts } from '../../../core/api/codec.ts';

/**
 * Vendors differ in what `completion_tokens` and `prompt_tokens` include. If `total_tokens` exceeds their sum by
 * exactly the reasoning (xAI) or the audio (Mistral), that part was not included.
 */
const readOutside = (usage: Readonly<JsonObject>, part: number): number => {
  const beyond =
    readCount(usage['total_tokens']) - readCount(usage['prompt_tokens']) - readCount(usage['completion_tokens']);
  return part > 0 && beyond === part ? part : 0;
};

/** Cached input of OpenAI, DeepSeek, Mistral and Moonshot, in this order. */
const readCached = (usage: Readonly<JsonObject>, details: Readonly<JsonObject>): number =>
  readCount(
    details['cached_tokens'] ??
      usage['prompt_cache_hit_tokens'] ??
      usage['num_cached_tokens'] ??
      usage['cached_tokens'],
  );

const counts = ['prompt_tokens', 'completion_tokens', 'total_tokens'] as const;

/** `undefined` without any count. `prompt_tokens` includes the tokens read from and written to the cache. */
export function readUsage(value: unknown, tier?: unknown): Usage | undefined {
  if (!isObject(value) || !counts.some((name) => typeof value[name] === 'number')) return undefined;
  const input = readObject(value['prompt_tokens_details']);
  const output = readObject(value['completion_tokens_details']);
  const thought = readCount(output['reasoning_tokens']);
  const produced = readCount(value['completion_tokens']) + readOutside(value, thought);
  const prompt = readCount(value['prompt_tokens']) + readOutside(value, readCount(input['audio_tokens']));
  const cacheRead = readCached(value, input);
  const cacheWrite = readCount(input['cache_write_tokens']);
  const inputUncached = Math.max(0, prompt - cacheRead - cacheWrite);
  const reasoning = Math.min(thought, produced);
  return {
    inputUncached,
    cacheRead,
    cacheWrite5m: cacheWrite,
    cacheWrite1h: 0,
    output: produced,
    reasoning,
    ...readParts(inputUncached, { inputAudio: input['audio_tokens'], inputImage: input['image_tokens'] }),
    ...readParts(produced - reasoning, { outputAudio: output['audio_tokens'], outputImage: output['image_tokens'] }),
    ...(typeof tier === 'string' && tier !== '' ? { tier } : {}),
    source: 'provider',
    raw: value,
  };
}

/**
 * Reads the usage of one response, plain or chunk by chunk. The tier can be in an earlier chunk than the usage. Groq
 * sends the usage of a stream in `x_groq`.
 */
export function createUsageReader(): (response: Readonly<JsonObject>) => Usage | undefined {
  let tier: unknown;
  return (response) => {
    tier = response['service_tier'] ?? tier;
    return readUsage(response['usage'], tier) ?? readUsage(readObject(response['x_groq'])['usage'], tier);
  };
}

/** A kind of tokens is written only where it was reported. */
const writePart = (name: string, count: number | undefined): JsonObject =>
  count === undefined ? {} : { [name]: count };

/** `total_tokens` is always the sum of the two. */
export function writeUsage(usage: Usage): JsonObject {
  const prompt = inputTotal(usage);
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: {
      cached_tokens: usage.cacheRead,
      cache_write_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
      ...writePart('audio_tokens', usage.inputAudio),
      ...writePart('image_tokens', usage.inputImage),
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      ...writePart('audio_tokens', usage.outputAudio),
      ...writePart('image_tokens', usage.outputImage),
    },
  };
}
