import { isObject, type JsonObject } from '../../core/index.ts';

/** Readers for a file that nothing has checked: what is of another type is not there. */

export const sectionOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== ''
    ? value.trim()
    : typeof value === 'number'
      ? String(value)
      : undefined;
/** Costs and limits are often written as text. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
/** Of figures that nothing can be below one of. */
export function countOf(value: unknown): number | undefined {
  const number = numberOf(value);
  return number !== undefined && number >= 1 ? Math.round(number) : undefined;
}

/** The first of several names that a section has. */
export function firstOf(
  section: JsonObject,
  ...names: readonly string[]
): readonly [name: string, value: unknown] | undefined {
  const name = names.find((candidate) => section[candidate] !== undefined && section[candidate] !== null);
  return name === undefined ? undefined : [name, section[name]];
}
