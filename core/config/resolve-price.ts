import type { Price } from '../contracts/price.ts';
import type { DraftPrice } from './draft.ts';

const NANO = 1e9;
const toNano = (dollars: number): bigint => BigInt(Math.round(dollars * NANO));

/** USD per million tokens as nano-dollars per million tokens. */
export const resolvePrice = ({ input, output, cacheRead = input, cacheWrite5m = input, cacheWrite1h = cacheWrite5m }: DraftPrice): Price => ({
  input: toNano(input),
  output: toNano(output),
  cacheRead: toNano(cacheRead),
  cacheWrite5m: toNano(cacheWrite5m),
  cacheWrite1h: toNano(cacheWrite1h),
});
