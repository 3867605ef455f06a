import { createLimitReader } from '../../core/api/codec.ts';

/** https://platform.claude.com/docs/en/api/rate-limits#response-headers */
export const readLimits = createLimitReader(
  ['requests', 'tokens', 'input-tokens', 'output-tokens'].map((name) => ({
    unit: name.replace('-', '_'),
    limit: `anthropic-ratelimit-${name}-limit`,
    remaining: `anthropic-ratelimit-${name}-remaining`,
  })),
);
