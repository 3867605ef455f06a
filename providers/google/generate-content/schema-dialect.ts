import type { JsonObject } from '../../../core/api/index.ts';
import { isObject, lookUp, readList, readObject, readObjects } from '../../../core/api/codec.ts';

type Change = (node: Readonly<JsonObject>) => JsonObject;

/** The members of a schema that hold schemas. Values under `enum`, `default` and so on are data and stay unchanged. */
const single = [
  'items',
  'additionalProperties',
  'not',
  'contains',
  'propertyNames',
  'if',
  'then',
  'else',
  'unevaluatedProperties',
  'unevaluatedItems',
] as const;
const listed = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const;
const named = ['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas'] as const;

const copyNode: Change = (node) => ({ ...node });

/**
 * Applies `change` to every schema inside a schema, innermost first. Bodies are at most 128 levels deep.
 * @param enter is applied to each schema before its inner ones
 */
const changeSchema = (schema: Readonly<JsonObject>, change: Change, enter = copyNode): JsonObject => {
  const inner = (value: unknown): unknown => (isObject(value) ? changeSchema(value, change, enter) : value);
  const next = enter(schema);
  for (const name of single) if (isObject(next[name])) next[name] = inner(next[name]);
  for (const name of listed) if (Array.isArray(next[name])) next[name] = readList(next[name]).map(inner);
  for (const name of named) {
    const schemas = next[name];
    if (isObject(schemas))
      next[name] = Object.fromEntries(Object.entries(schemas).map(([key, value]) => [key, inner(value)]));
  }
  return change(next);
};

/** The wire encodes 64-bit counts as strings. */
const countMembers = ['maxItems', 'minItems', 'maxLength', 'minLength', 'maxProperties', 'minProperties'] as const;

const readNumbers = (schema: JsonObject): JsonObject => {
  for (const name of countMembers) {
    const value = schema[name];
    if (typeof value === 'string' && /^\d+$/.test(value)) schema[name] = Number(value);
  }
  return schema;
};

/** The vendor's JSON mapper also accepts these spellings. */
const spelled: Readonly<Record<string, string>> = {
  any_of: 'anyOf',
  property_ordering: 'propertyOrdering',
  additional_properties: 'additionalProperties',
  max_items: 'maxItems',
  min_items: 'minItems',
  max_length: 'maxLength',
  min_length: 'minLength',
  max_properties: 'maxProperties',
  min_properties: 'minProperties',
};
const spell: Change = (node) =>
  Object.fromEntries(Object.entries(node).map(([name, value]) => [lookUp(spelled, name) ?? name, value]));

const NULL_TYPE: JsonObject = { type: 'null' };
/** Adds null to a list of alternatives. */
const admitNull = (schemas: unknown): unknown => {
  const listed = readList(schemas);
  return listed.some((schema) => isObject(schema) && schema['type'] === 'null') ? listed : [...listed, NULL_TYPE];
};

/** Reorders properties by `propertyOrdering`: JSON Schema has no such member. */
const orderProperties = (properties: unknown, ordering: unknown): unknown => {
  if (!isObject(properties)) return properties;
  const first = readList(ordering).filter(
    (name): name is string => typeof name === 'string' && Object.hasOwn(properties, name),
  );
  return first.length === 0
    ? properties
    : { ...Object.fromEntries(first.map((name) => [name, properties[name]])), ...properties };
};

/** The vendor's JSON mapper accepts enums as numbers: https://ai.google.dev/api/caching#Type */
const types: readonly string[] = [
  'type_unspecified',
  'string',
  'number',
  'integer',
  'boolean',
  'array',
  'object',
  'null',
];
const readType = (type: unknown): unknown => {
  if (typeof type === 'number') return types[type] ?? type;
  return typeof type === 'string' ? type.toLowerCase() : type;
};

const readNode: Change = ({ type, nullable, format, example, propertyOrdering, properties, anyOf, ...others }) => {
  const word = readType(type);
  const known = word === 'type_unspecified' ? undefined : word;
  const kind = nullable === true && typeof known === 'string' && known !== 'null' ? [known, 'null'] : known;
  return readNumbers({
    ...(kind === undefined ? {} : { type: kind }),
    ...(format === undefined || format === 'enum' ? {} : { format }),
    ...(properties === undefined ? {} : { properties: orderProperties(properties, propertyOrdering) }),
    ...(anyOf === undefined ? {} : { anyOf: nullable === true && kind === undefined ? admitNull(anyOf) : anyOf }),
    ...others,
    ...(example === undefined || 'examples' in others ? {} : { examples: [example] }),
    ...(nullable === true && Array.isArray(others['enum']) && !others['enum'].includes(null)
      ? { enum: [...readList(others['enum']), null] }
      : {}),
  });
};

/**
 * Converts the wire's own dialect to JSON Schema. The dialect is OpenAPI 3.0 with upper-case types:
 * https://ai.google.dev/api/caching#Schema
 */
export const readSchema = (schema: Readonly<JsonObject>): JsonObject => changeSchema(schema, readNode, spell);

const innerSchemas = (schema: Readonly<JsonObject>): readonly JsonObject[] => [
  ...single.flatMap((name) => readObjects([schema[name]])),
  ...listed.flatMap((name) => readObjects(schema[name])),
  ...named.flatMap((name) => readObjects(Object.values(readObject(schema[name])))),
];

/** Whether a schema, or one inside it, has a type of the dialect. */
const isDialect = (schema: Readonly<JsonObject>): boolean => {
  const { type } = schema;
  return (
    typeof type === 'number' ||
    (typeof type === 'string' && type !== type.toLowerCase()) ||
    innerSchemas(schema).some(isDialect)
  );
};

/** Gemini CLI sends the dialect in the members for JSON Schema as well. */
export const readJsonSchema = (schema: Readonly<JsonObject>): Readonly<JsonObject> =>
  isDialect(schema) ? readSchema(schema) : schema;

const writeNode: Change = ({ const: only, ...others }) => (only === undefined ? others : { ...others, enum: [only] });

/** Converts JSON Schema to the subset of `parametersJsonSchema` and `responseJsonSchema`, which lacks `const`. */
export const writeSchema = (schema: Readonly<JsonObject>): JsonObject => changeSchema(schema, writeNode);
