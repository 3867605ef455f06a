/* Readers for a file that nothing has validated. A value of the wrong type counts as absent. */

/** A string that is not empty, or a number as text. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== ''
    ? value.trim()
    : typeof value === 'number'
      ? String(value)
      : undefined;
/** A number, or text that is one: costs and limits are often written as text. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
/** A whole number of at least 1. What is too large to be counted exactly is the largest that can be. */
export function countOf(value: unknown): number | undefined {
  const number = numberOf(value);
  return number !== undefined && number >= 1 ? Math.min(Math.round(number), Number.MAX_SAFE_INTEGER) : undefined;
}
