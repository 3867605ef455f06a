import type { Usage } from '../../../core/api/index.ts';
import { defineKnownMembers, isObject, readCount, readObject, readParts } from '../../../core/api/codec.ts';

export const usageMembers = defineKnownMembers({
  billed_units: { input_tokens: true, output_tokens: true },
  tokens: { input_tokens: true, output_tokens: true, reasoning_tokens: true, image_tokens: true },
  cached_tokens: true,
});

/**
 * The vendor bills `billed_units`: the tokens of the request, and those of the answer. `tokens` counts its own prompt
 * around them too, often a thousand tokens, and a part of it is cached. Neither is billed, so `billed_units` is the
 * usage, and `tokens` is used where it is missing: https://docs.cohere.com/docs/how-does-cohere-pricing-work
 */
export function readUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const [billed, tokens] = [readObject(value['billed_units']), readObject(value['tokens'])];
  const isBilled = billed['input_tokens'] !== undefined || billed['output_tokens'] !== undefined;
  const counted = isBilled ? billed : tokens;
  const [input, output] = [readCount(counted['input_tokens']), readCount(counted['output_tokens'])];
  const cacheRead = isBilled ? 0 : Math.min(readCount(value['cached_tokens']), input);
  return {
    inputUncached: input - cacheRead,
    cacheRead,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    output,
    reasoning: Math.min(readCount(tokens['reasoning_tokens']), output),
    ...readParts(input - cacheRead, { inputImage: tokens['image_tokens'] }),
    source: 'provider',
    raw: value,
  };
}
