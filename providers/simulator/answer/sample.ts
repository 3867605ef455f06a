import type { JsonObject } from '../../../core/api/index.ts';
import { isObject, readList, readObject } from '../../../core/api/codec.ts';
import { MINIMAL_DEPTH, resolveNode, type Budget } from './schema-node.ts';

const MAX_STRING_LENGTH = 10_000;

const readBound = (schema: JsonObject, name: string): number | undefined => {
  const bound = schema[name];
  return typeof bound === 'number' && Number.isFinite(bound) ? bound : undefined;
};

/** An integer of at least 0, e.g. `minLength`. */
function readSize(schema: JsonObject, name: string): number | undefined {
  const size = readBound(schema, name);
  return size === undefined ? undefined : Math.max(0, Math.floor(size));
}

/** "sample", as long as the schema requires. @param nth makes the items of a set differ */
function sampleString(schema: JsonObject, nth: number): string {
  const word = nth === 0 ? 'sample' : `${nth}sample`;
  const least = Math.min(readSize(schema, 'minLength') ?? 0, MAX_STRING_LENGTH);
  return word.padEnd(least, 'sample').slice(0, readSize(schema, 'maxLength') ?? MAX_STRING_LENGTH);
}

/** 1, or another number that the bounds and `multipleOf` allow. */
function sampleNumber(schema: JsonObject, integer: boolean, nth: number): number {
  const least = readBound(schema, 'minimum') ?? Number.NEGATIVE_INFINITY;
  const above = readBound(schema, 'exclusiveMinimum') ?? Number.NEGATIVE_INFINITY;
  const most = readBound(schema, 'maximum') ?? Number.POSITIVE_INFINITY;
  const below = readBound(schema, 'exclusiveMaximum') ?? Number.POSITIVE_INFINITY;
  const multiple = readBound(schema, 'multipleOf') ?? 0;
  const step = multiple > 0 ? multiple : integer ? 1 : 0;
  const low = Math.max(least, above);
  const high = Math.min(most, below);
  const snap = (value: number): number => (step > 0 ? Math.ceil(value / step) * step : value);
  const fits = (value: number): boolean =>
    Number.isFinite(value) && value >= least && value > above && value <= most && value < below;
  const first = [1, low, low + (step || 1), high - (step || 1), high, (low + high) / 2].map(snap).find(fits) ?? 1;
  const other = first + nth * (step || 1);
  return fits(other) ? other : first;
}

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
  const properties = readObject(schema['properties']);
  const names = new Set(readList(schema['required']).filter((name) => typeof name === 'string'));
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
