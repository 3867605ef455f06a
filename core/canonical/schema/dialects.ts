import type { SchemaDialect, SchemaDialects } from './dialect.ts';

/** Values and sizes of what is generated. */
const bounds = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
] as const;

/** Several schemas, or the names of members, related to each other. */
const relations = [
  'not',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
  'prefixItems',
  'contains',
  'minContains',
  'maxContains',
] as const;

/**
 * A schema that is compiled to a grammar:
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations,
 * https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html
 */
const grammar: SchemaDialect = {
  refuses: [...bounds, ...relations],
  formats: ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'],
  // Lookarounds, back references and word boundaries.
  pattern: /\(\?[=!<]|\\[bB1-9]/,
  mostMinItems: 1,
  oneOfAsAnyOf: true,
  closedObjects: true,
  refusesRecursion: true,
};

/**
 * "input_schema does not support oneOf, allOf, or anyOf at the top level":
 * https://github.com/anthropics/claude-code/issues/5319
 */
const plainRoot: SchemaDialect = { rootRefuses: ['oneOf', 'allOf', 'anyOf'] };

/** Strict mode: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas */
const strict: SchemaDialect = {
  refuses: ['allOf', 'oneOf', 'uniqueItems', 'minProperties', 'maxProperties', ...relations],
  closedObjects: true,
  allRequired: true,
  rootRefuses: ['anyOf'],
};

/** `responseJsonSchema`: https://ai.google.dev/api/generate-content#GenerationConfig */
const listed: SchemaDialect = {
  keywords: [
    '$id',
    // They say nothing about values.
    '$schema',
    '$comment',
    '$defs',
    '$ref',
    '$anchor',
    'type',
    'format',
    'title',
    'description',
    'enum',
    // The codec writes it as an `enum` of one value.
    'const',
    'items',
    'prefixItems',
    'minItems',
    'maxItems',
    'minimum',
    'maximum',
    'anyOf',
    'oneOf',
    'properties',
    'additionalProperties',
    'required',
    'propertyOrdering',
  ],
  bareRefs: true,
};

/** https://docs.cohere.com/docs/parameter-types-in-json */
const withoutBounds: SchemaDialect = {
  refuses: [...bounds, ...relations, 'minItems', 'allOf'],
  formats: ['date-time', 'uuid', 'date', 'time'],
  pattern: /[$^]|\(\?[=!]/,
  oneOfAsAnyOf: true,
};

/** What the vendors of wires accept in schemas, one row for each. */
export const schemaDialects = {
  messages: { output: grammar, strictTools: { ...grammar, ...plainRoot }, tools: plainRoot },
  converse: { output: grammar, strictTools: { ...grammar, ...plainRoot }, tools: plainRoot },
  strictMode: { output: strict, strictTools: strict },
  generateContent: { output: listed },
  cohere: { output: withoutBounds, strictTools: withoutBounds },
} satisfies Record<string, SchemaDialects>;
