import type { JsonObject } from '../../canonical/wire.ts';

/** The words in which the calls of the core describe what goes in and out: JSON Schema. */
export const text: JsonObject = { type: 'string' };
export const time: JsonObject = { type: 'string', format: 'date-time' };
export const flag: JsonObject = { type: 'boolean' };
export const count: JsonObject = { type: 'integer' };
export const texts: JsonObject = { type: 'array', items: text };

export const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items });
/** @param required those that are always there */
export const objectOf = (
  properties: Readonly<Record<string, JsonObject>>,
  required: readonly string[] = [],
): JsonObject => ({ type: 'object', properties, ...(required.length === 0 ? {} : { required }) });
/** An object that may have these members and no others. */
export const onlyThese = (
  properties: Readonly<Record<string, JsonObject>>,
  required: readonly string[] = [],
): JsonObject => ({ ...objectOf(properties, required), additionalProperties: false });
