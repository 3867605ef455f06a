import type { JsonObject } from '../../../core/api/index.ts';

const MAX_STRING_LENGTH = 10_000;

const readBound = (schema: JsonObject, name: string): number | undefined => {
  const bound = schema[name];
  return typeof bound === 'number' && Number.isFinite(bound) ? bound : undefined;
};

/** An integer of at least 0, e.g. `minLength`. */
export function readSize(schema: JsonObject, name: string): number | undefined {
  const size = readBound(schema, name);
  return size === undefined ? undefined : Math.max(0, Math.floor(size));
}

/** "sample", as long as the schema requires. @param nth makes the items of a set differ */
export function sampleString(schema: JsonObject, nth: number): string {
  const word = nth === 0 ? 'sample' : `${nth}sample`;
  const least = Math.min(readSize(schema, 'minLength') ?? 0, MAX_STRING_LENGTH);
  return word.padEnd(least, 'sample').slice(0, readSize(schema, 'maxLength') ?? MAX_STRING_LENGTH);
}

/** 1, or another number that the bounds and `multipleOf` allow. */
export function sampleNumber(schema: JsonObject, integer: boolean, nth: number): number {
  const least = readBound(schema, 'minimum') ?? Number.NEGATIVE_INFINITY;
  const above = readBound(schema, 'exclusiveMinimum') ?? Number.NEGATIVE_INFINITY;
  const most = readBound(schema, 'maximum') ?? Number.POSITIVE_INFINITY;
  const below = readBound(schema, 'exclusiveMaximum') ?? Number.POSITIVE_INFINITY;
  const multiple = readBound(schema, 'multipleOf') ?? 0;
  const step = multiple > 0 ? multiple : integer ? 1 : 0;
  const low = Math.max(least, above);
  const high = Math.min(most, below);
  const snap = (value: number): number => (step > 0 ? Math.ceil(value / step) * step : value);
  const fits = (value: number): boolean =>
    Number.isFinite(value) && value >= least && value > above && value <= most && value < below;
  const first = [1, low, low + (step || 1), high - (step || 1), high, (low + high) / 2].map(snap).find(fits) ?? 1;
  const other = first + nth * (step || 1);
  return fits(other) ? other : first;
}
