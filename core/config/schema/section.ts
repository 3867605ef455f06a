import type { JsonObject } from '../../canonical/wire.ts';

/** The text of a setting and what else is known of it. */
export const setting = (description: string, schema: JsonObject): JsonObject => ({ description, ...schema });

/** An object of named settings that knows no others. */
export const section = (description: string, properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  description,
  type: 'object',
  properties,
  additionalProperties: false,
  ...(required.length > 0 ? { required } : {}),
});

/** A section that may be left out: the defaults of its settings still hold. */
export const optional = (schema: JsonObject): JsonObject => ({ ...schema, default: {} });

/** An object whose keys are the operator's names. */
export const namedEntries = (
  description: string,
  entry: JsonObject,
  names: JsonObject = { $ref: '#/definitions/name' },
): JsonObject => ({
  description,
  type: 'object',
  propertyNames: names,
  additionalProperties: entry,
  default: {},
});
