import { malformedBody } from '../../../core/api/codec.ts';

/** A number that a float of 32 bits can hold. */
const isValue = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(Math.fround(value));
const isVector = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.length > 0 && value.every(isValue);

/** @throws GatewayError if the value is not a list of vectors */
export function readVectors(value: unknown): readonly Float32Array[] {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isVector)) throw malformedBody('has no vectors');
  return value.map((vector) => Float32Array.from(vector));
}
