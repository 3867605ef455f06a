import type { JsonObject } from '../wire.ts';

/** What a vendor accepts in a JSON Schema. What it does not accept is moved to the description, as a loss. */
export interface SchemaDialect {
  /** Accepted keywords. Absent: all but those of `refuses`. */
  readonly keywords?: readonly string[];
  /** Refused keywords. */
  readonly refuses?: readonly string[];
  /** Accepted values of `format`. Absent: all. */
  readonly formats?: readonly string[];
  /** Refused contents of `pattern`. */
  readonly pattern?: RegExp;
  /** The largest accepted `minItems`. */
  readonly mostMinItems?: number;
  /** `oneOf` is not accepted and means `anyOf`. */
  readonly oneOfAsAnyOf?: boolean;
  /** Objects must have `additionalProperties: false`. */
  readonly closedObjects?: boolean;
  /** All properties must be required. */
  readonly allRequired?: boolean;
  /** A schema that refers to itself is refused. */
  readonly refusesRecursion?: boolean;
  /** Nothing is accepted beside a `$ref`. */
  readonly bareRefs?: boolean;
  /** The type at the top must be `object`, without these keywords. */
  readonly rootRefuses?: readonly string[];
}

/** The dialects of a wire. */
export interface SchemaDialects {
  /** Of the format of the response. On a wire with `schemaNeedsStrict`: if it is strict. */
  readonly output?: SchemaDialect;
  /** Of strict tools. */
  readonly strictTools?: SchemaDialect;
  /** Of all other tools. */
  readonly tools?: SchemaDialect;
}

/** The members of a schema that hold schemas. Values under `enum`, `default` and so on are data and stay unchanged. */
export const innerSchemas = {
  single: [
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
  ],
  listed: ['anyOf', 'oneOf', 'allOf', 'prefixItems'],
  named: ['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas'],
} as const;

/** A schema in the dialect of a vendor. */
export interface WrittenSchema {
  readonly schema: Readonly<JsonObject>;
  /** Keywords that were moved to a description, or whose meaning has changed. Empty: the schema is unchanged. */
  readonly moved: readonly string[];
  /** Why the vendor cannot enforce the schema at all. */
  readonly obstacle?: string;
}
