/** @returns NaN if there are no values */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * The slope by least squares.
 * @returns NaN for fewer than two different x
 */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const [meanX, meanY] = [meanOf(points.map(([x]) => x)), meanOf(points.map(([, y]) => y))];
  const above = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return above / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

/**
 * The growth from the median of the second quarter to that of the last, as a share. The first quarter is the warm-up.
 */
export function growthOf(values: readonly number[]): number {
  const quarter = values.length / 4;
  const early = medianOf(values.slice(Math.floor(quarter), Math.floor(2 * quarter)));
  return medianOf(values.slice(Math.floor(3 * quarter))) / early - 1;
}
