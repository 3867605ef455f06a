import type { JsonObject } from '../../../core/api/index.ts';
import { isObject } from '../../../core/api/codec.ts';
import { readSize, sampleNumber, sampleString } from './sample-scalar.ts';
import { MINIMAL_DEPTH, resolveNode, type Budget } from './schema-node.ts';

/** Limits the values and schemas of one sample. */
const MAX_STEPS = 10_000;
const MAX_DEPTH = 64;

interface SampleContext {
  readonly root: unknown;
  readonly depth: number;
  /** The index of the item in a set, so that its items differ. */
  readonly nth: number;
  readonly budget: Budget;
}
type Sampler = (schema: JsonObject, context: SampleContext) => unknown;

const sampleObject: Sampler = (schema, context) => {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required'])
    ? schema['required'].filter((name) => typeof name === 'string')
    : [];
  const names = new Set(required);
  const least = readSize(schema, 'minProperties') ?? 0;
  for (const name of Object.keys(properties)) if (names.size < least) names.add(name);
  const schemaOf = (name: string): unknown =>
    Object.hasOwn(properties, name) ? properties[name] : schema['additionalProperties'];
  const inner = { ...context, depth: context.depth + 1 };
  return Object.fromEntries([...names].map((name) => [name, sampleNode(schemaOf(name), inner)]));
};

const sampleArray: Sampler = (schema, context) => {
  const tuple = [schema['prefixItems'], schema['items']].find((list): list is unknown[] => Array.isArray(list)) ?? [];
  const others = Array.isArray(schema['items']) ? schema['additionalItems'] : schema['items'];
  const wanted = Math.max(
    readSize(schema, 'minItems') ?? 0,
    context.depth < MINIMAL_DEPTH ? Math.max(tuple.length, isObject(others) ? 1 : 0) : 0,
  );
  const length = Math.min(wanted, readSize(schema, 'maxItems') ?? wanted, Math.max(0, context.budget.left));
  const nthOf = (index: number): number => (schema['uniqueItems'] === true ? index : context.nth);
  const inner = { ...context, depth: context.depth + 1 };
  return Array.from({ length }, (_, index) =>
    sampleNode(index < tuple.length ? tuple[index] : others, { ...inner, nth: nthOf(index) }),
  );
};

const samplers: Readonly<Record<string, Sampler>> = {
  object: sampleObject,
  array: sampleArray,
  string: (schema, { nth }) => sampleString(schema, nth),
  number: (schema, { nth }) => sampleNumber(schema, false, nth),
  integer: (schema, { nth }) => sampleNumber(schema, true, nth),
  boolean: (_, { nth }) => nth % 2 === 0,
  null: () => null,
};

/** The `type`, or the type that the other keywords imply. */
const readType = (schema: JsonObject): string => {
  const { type } = schema;
  if (typeof type === 'string') return type;
  if (Array.isArray(type))
    return type.find((name): name is string => typeof name === 'string' && name !== 'null') ?? 'null';
  if (schema['properties'] !== undefined || schema['required'] !== undefined || schema['minProperties'] !== undefined)
    return 'object';
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined || schema['minItems'] !== undefined)
    return 'array';
  return ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].some(
    (name) => schema[name] !== undefined,
  )
    ? 'number'
    : 'string';
};

const sampleNode = (schema: unknown, context: SampleContext): unknown => {
  if (context.depth > MAX_DEPTH) return null;
  const node = resolveNode(schema, context.root, context.depth, context.budget);
  if (Object.hasOwn(node, 'const')) return node['const'];
  const { enum: values } = node;
  if (Array.isArray(values) && values.length > 0) return values[context.nth % values.length] as unknown;
  return samplers[readType(node)]?.(node, context) ?? null;
};

/**
 * A value that a JSON Schema accepts, always the same: required members only, "sample", 1, true. `pattern`, `format`,
 * `not`, `contains` and conditions are ignored.
 */
export const sampleSchema = (schema: unknown): unknown =>
  sampleNode(schema, { root: schema, depth: 0, nth: 0, budget: { left: MAX_STEPS } });
