import type { JsonObject } from '../../canonical/wire.ts';

/** A setting with its description. */
export const setting = (description: string, schema: JsonObject): JsonObject => ({ description, ...schema });

/** An object of named settings, which refuses any other. */
export const section = (description: string, properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  description,
  type: 'object',
  properties,
  additionalProperties: false,
  ...(required.length > 0 ? { required } : {}),
});

/** A section that can be left out. The defaults of its settings still apply. */
export const optional = (schema: JsonObject): JsonObject => ({ ...schema, default: {} });

/** An object whose keys are names that the operator chooses. */
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
