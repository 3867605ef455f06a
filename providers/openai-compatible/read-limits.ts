import { createLimitReader } from '../../core/api/codec.ts';

/**
 * The headers of OpenAI, which other servers also send:
 * https://platform.openai.com/docs/guides/rate-limits#rate-limits-in-headers
 */
export const readLimits = createLimitReader(
  ['requests', 'tokens'].map((unit) => ({
    unit,
    limit: `x-ratelimit-limit-${unit}`,
    remaining: `x-ratelimit-remaining-${unit}`,
  })),
);
