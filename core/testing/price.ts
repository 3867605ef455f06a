import type { Price } from '../contracts/price.ts';

/** A price for tests, in nano-dollars per million tokens. Cache rates default to the input rate. */
export const createTestPrice = (given: Pick<Price, 'input' | 'output'> & Partial<Price>): Price => ({
  cacheRead: given.input,
  cacheWrite5m: given.input,
  cacheWrite1h: given.input,
  version: 'of-a-test',
  source: { page: 'a test' },
  ...given,
});
