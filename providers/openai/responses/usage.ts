import { inputTotal, type JsonObject, type Usage } from '../../../core/api/index.ts';
import { isObject, readCount, readObject, readParts } from '../../../core/api/codec.ts';

/** Tokens written to the prompt cache: for half an hour, except those that the details list as twelve hours. */
const readWrites = (details: Readonly<JsonObject>): { readonly short: number; readonly long: number } => {
  const all = readCount(details['cache_write_tokens']);
  const long = Math.min(all, readCount(readObject(details['cache_write_tokens_details'])['ttl_12h_tokens']));
  return { short: all - long, long };
};

/**
 * `undefined` when the value is not an object. `input_tokens` includes the tokens read from and written to the cache;
 * `output_tokens` includes the reasoning.
 */
export function readUsage(value: unknown, tier?: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const input = readObject(value['input_tokens_details']);
  const details = readObject(value['output_tokens_details']);
  const output = readCount(value['output_tokens']);
  const reasoning = Math.min(output, readCount(details['reasoning_tokens']));
  const cacheRead = readCount(input['cached_tokens']);
  const writes = readWrites(input);
  const inputUncached = Math.max(0, readCount(value['input_tokens']) - cacheRead - writes.short - writes.long);
  return {
    inputUncached,
    cacheRead,
    cacheWrite5m: writes.short,
    cacheWrite1h: writes.long,
    output,
    reasoning,
    ...readParts(inputUncached, { inputAudio: input['audio_tokens'], inputImage: input['image_tokens'] }),
    ...readParts(output - reasoning, { outputAudio: details['audio_tokens'], outputImage: details['image_tokens'] }),
    ...(typeof tier === 'string' && tier !== '' ? { tier } : {}),
    source: 'provider',
    raw: value,
  };
}

/** Clients of this wire require both details objects. */
export function writeUsage(usage: Usage): JsonObject {
  const input = inputTotal(usage);
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.cacheRead,
      cache_write_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
    },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: input + usage.output,
  };
}
