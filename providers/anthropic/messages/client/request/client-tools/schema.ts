import type { JsonObject } from '../../../../../../core/api/index.ts';

/** Parts of a JSON Schema. */
export const text = (description: string): JsonObject => ({ type: 'string', description });
export const integer = (description: string): JsonObject => ({ type: 'integer', description });
export const number = (description: string): JsonObject => ({ type: 'number', description });
export const integers = (count: number, description: string): JsonObject => ({
  type: 'array',
  items: { type: 'integer' },
  minItems: count,
  maxItems: count,
  description,
});
export const choice = (values: readonly string[], description: string): JsonObject => ({
  type: 'string',
  enum: values,
  description,
});
export const objectOf = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: 'object',
  properties,
  required,
});
