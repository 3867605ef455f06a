import { createLimitReader } from '../../core/api/codec.ts';

/** The limits of a minute, in each response: https://docs.mistral.ai/admin/user-management-finops/tier */
export const readLimits = createLimitReader([
  {
    unit: 'requests',
    limit: 'x-ratelimit-limit-req-minute',
    remaining: 'x-ratelimit-remaining-req-minute',
  },
  {
    unit: 'tokens',
    limit: 'x-ratelimit-limit-tokens-minute',
    remaining: 'x-ratelimit-remaining-tokens-minute',
  },
]);
