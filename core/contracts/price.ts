/**
 * What a model's tokens cost, in nano-dollars (10⁻⁹ USD) per million tokens: USD 2.50 per million is 2_500_000_000n.
 */
export interface Price {
  readonly input: bigint;
  readonly output: bigint;
  readonly cacheRead: bigint;
  readonly cacheWrite5m: bigint;
  readonly cacheWrite1h: bigint;
}
