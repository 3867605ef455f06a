import type { JsonObject } from '../../canonical/wire.ts';

/** JSON Schemas for the descriptions of the core's calls. */
export const text: JsonObject = { type: 'string' };
export const time: JsonObject = { type: 'string', format: 'date-time' };
export const flag: JsonObject = { type: 'boolean' };
export const count: JsonObject = { type: 'integer' };
export const texts: JsonObject = { type: 'array', items: text };
export const optionalText: JsonObject = { type: ['string', 'null'] };

export const textMembers: JsonObject = { type: 'object', additionalProperties: text };

export const orNull = (schema: JsonObject): JsonObject => ({ anyOf: [schema, { type: 'null' }] });
export const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items });
/** @param required members that are always present */
export const objectOf = (
  properties: Readonly<Record<string, JsonObject>>,
  required: readonly string[] = [],
): JsonObject => ({ type: 'object', properties, ...(required.length === 0 ? {} : { required }) });
/** An object that always has all of its members. */
export const wholeOf = (properties: Readonly<Record<string, JsonObject>>): JsonObject =>
  objectOf(properties, Object.keys(properties));
/** An object that can have only these members. */
export const onlyThese = (
  properties: Readonly<Record<string, JsonObject>>,
  required: readonly string[] = [],
): JsonObject => ({ ...objectOf(properties, required), additionalProperties: false });
