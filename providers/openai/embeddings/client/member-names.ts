import { defineSpelling } from '../../../../core/api/codec.ts';

/** Members that limit, price or route a request. */
export const spelling = defineSpelling({
  model: true,
  input: true,
  dimensions: true,
  models: true,
  fallbacks: true,
  provider: true,
  api_base: true,
  api_key: true,
  base_url: true,
});
