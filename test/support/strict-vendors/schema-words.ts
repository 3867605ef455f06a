import { findWithin, isJson, rule, type Json, type Page, type Rule } from './rule.ts';

/** Whether a schema has a keyword, in any schema within it. Names of properties are not keywords. */
export const hasKeyword = (schema: unknown, keywords: readonly string[]): boolean =>
  findWithin(withoutNames(schema), (node) => keywords.some((keyword) => keyword in node));

/** The schema with lists in place of maps by name. */
const withoutNames = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNames);
  if (!isJson(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isMap(name) && isJson(inner) ? Object.values(inner).map(withoutNames) : withoutNames(inner),
    ]),
  );
};
const isMap = (name: string): boolean => ['properties', '$defs', 'definitions'].includes(name);

/** Whether an object of a schema does not say that it has no other members. */
export const hasOpenObject = (schema: unknown): boolean =>
  findWithin(withoutNames(schema), (node) => node['type'] === 'object' && node['additionalProperties'] !== false);

/** Whether an object of a schema has a member that is not required. */
export const hasOptional = (schema: unknown): boolean =>
  findWithin(schema, ({ properties, required }) =>
    isJson(properties)
      ? Object.keys(properties).some((name) => !Array.isArray(required) || !required.includes(name))
      : false,
  );

/** Values and sizes. */
export const bounds = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
];
/** Several schemas, or names of members, related to each other. */
export const relations = [
  'not',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'propertyNames',
];

/** A schema with one keyword in a property. */
export const schemaWith = (keyword: Json): Json => ({
  type: 'object',
  properties: { a: { type: 'string', ...keyword } },
  required: ['a'],
  additionalProperties: false,
});

/** Where a body has the schemas that a vendor compiles: how they are found, and a body with one. */
export interface SchemaPlace {
  readonly find: (body: Json) => readonly unknown[];
  readonly write: (schema: Json) => Json;
}

/** One rule for each keyword. */
export const keywordRules = (page: Page, { find, write }: SchemaPlace, names: readonly string[]): readonly Rule[] =>
  names.map((name) =>
    rule(
      page,
      `'${name}' is not permitted in a schema`,
      (body) => find(body).some((schema) => hasKeyword(schema, [name])),
      write(schemaWith({ [name]: {} })),
    ),
  );
