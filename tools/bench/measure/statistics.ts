const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/** Of times in milliseconds, in milliseconds. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
}
export function describeLatency(samples: readonly number[]): Latency {
  const sorted = samples.toSorted((one, other) => one - other);
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
}

/** Of an even number of figures, the mean of the two in the middle; NaN of none. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}
