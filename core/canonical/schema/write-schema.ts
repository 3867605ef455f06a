import { isObject } from '../json/members.ts';
import { omitUndefined } from '../json/omit-undefined.ts';
import { readList, readObject } from '../json/read.ts';
import type { JsonObject } from '../wire.ts';
import { innerSchemas, type SchemaDialect, type WrittenSchema } from './dialect.ts';

/** The references of a schema and of all within it. Definitions count for themselves. */
const collectRefs = (value: unknown, refs: Set<string>): void => {
  if (Array.isArray(value)) for (const item of value as readonly unknown[]) collectRefs(item, refs);
  else if (isObject(value))
    for (const [name, member] of Object.entries(value)) {
      if (name === '$ref' && typeof member === 'string') refs.add(member);
      else if (name !== '$defs' && name !== 'definitions') collectRefs(member, refs);
    }
};

const refsOf = (value: unknown): ReadonlySet<string> => {
  const refs = new Set<string>();
  collectRefs(value, refs);
  return refs;
};

/** Whether a schema refers to itself, at the top or by its definitions. */
function findRecursion(schema: Readonly<JsonObject>): boolean {
  const refs = new Map<string, ReadonlySet<string>>([['#', refsOf(schema)]]);
  for (const place of ['$defs', 'definitions'])
    for (const [name, value] of Object.entries(readObject(schema[place])))
      refs.set(`#/${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, refsOf(value));
  const done = new Set<string>();
  const returns = (ref: string, path: ReadonlySet<string>): boolean => {
    if (path.has(ref)) return true;
    if (done.has(ref)) return false;
    const within = new Set([...path, ref]);
    const found = [...(refs.get(ref) ?? [])].some((next) => returns(next, within));
    done.add(ref);
    return found;
  };
  return [...refs.keys()].some((ref) => returns(ref, new Set()));
}

/** A longer value is not worth its tokens in a description. */
const MAX_NOTE = 400;
interface Writing {
  readonly dialect: SchemaDialect;
  readonly refused: ReadonlySet<string>;
  readonly accepted: ReadonlySet<string> | undefined;
  readonly moved: Set<string>;
  readonly obstacles: Set<string>;
}

const isRefused = (keyword: string, value: unknown, { dialect, refused, accepted }: Writing): boolean => {
  if (refused.has(keyword) || accepted?.has(keyword) === false) return true;
  if (keyword === 'format') return dialect.formats?.includes(String(value)) === false;
  if (keyword === 'minItems') return dialect.mostMinItems !== undefined && Number(value) > dialect.mostMinItems;
  return keyword === 'pattern' && dialect.pattern?.test(String(value)) === true;
};

const describesObject = ({ type, properties }: Readonly<JsonObject>): boolean =>
  type === 'object' || (Array.isArray(type) && type.includes('object')) || isObject(properties);

/** Adds what was left out to the description, where the model reads it. */
const note = (schema: JsonObject, left: readonly (readonly [string, unknown])[]): JsonObject => {
  const notes = left
    .map(([keyword, value]) => `${keyword}: ${JSON.stringify(value)}`)
    .filter((text) => text.length <= MAX_NOTE);
  if (notes.length === 0) return schema;
  const text = `(${notes.join(', ')})`;
  const description = schema['description'];
  return { ...schema, description: typeof description === 'string' ? `${description} ${text}` : text };
};

const closeObject = (schema: JsonObject, writing: Writing): void => {
  if (!describesObject(schema)) return;
  const { dialect, moved, obstacles } = writing;
  if (dialect.closedObjects === true) {
    const others = schema['additionalProperties'];
    if (isObject(others)) obstacles.add('an object with any names of members');
    else if (others !== false) moved.add('additionalProperties');
    schema['additionalProperties'] = false;
  }
  const required = new Set(readList(schema['required']));
  if (
    dialect.allRequired === true &&
    !Object.keys(readObject(schema['properties'])).every((name) => required.has(name))
  )
    obstacles.add('an optional member');
};

/** Every schema inside a schema, in the dialect. Bodies are at most 128 levels deep. */
const writeInner = (schema: JsonObject, writing: Writing): void => {
  const inner = (value: unknown): unknown => (isObject(value) ? writeNode(value, writing) : value);
  for (const name of innerSchemas.single) if (isObject(schema[name])) schema[name] = inner(schema[name]);
  for (const name of innerSchemas.listed)
    if (Array.isArray(schema[name])) schema[name] = readList(schema[name]).map(inner);
  for (const name of innerSchemas.named) {
    const schemas = schema[name];
    if (isObject(schemas))
      schema[name] = Object.fromEntries(Object.entries(schemas).map(([key, value]) => [key, inner(value)]));
  }
};

const writeNode = (given: Readonly<JsonObject>, writing: Writing): JsonObject => {
  const { dialect, moved } = writing;
  const isRenamed = dialect.oneOfAsAnyOf === true && given['oneOf'] !== undefined && given['anyOf'] === undefined;
  if (isRenamed) moved.add('oneOf');
  const { oneOf, ...others } = given;
  const node = isRenamed ? { ...others, anyOf: oneOf } : given;
  const bare = dialect.bareRefs === true && node['$ref'] !== undefined;
  const left: (readonly [string, unknown])[] = [];
  const schema: JsonObject = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (bare ? !keyword.startsWith('$') : isRefused(keyword, value, writing)) left.push([keyword, value]);
    else schema[keyword] = value;
  }
  for (const [keyword] of left) moved.add(keyword);
  writeInner(schema, writing);
  closeObject(schema, writing);
  return bare ? schema : note(schema, left);
};

/** A root without `keywords`: the properties of its alternatives become its own, and optional. */
const flattenRoot = (root: Readonly<JsonObject>, keywords: readonly string[], moved: Set<string>): JsonObject => {
  const present = keywords.filter((keyword) => root[keyword] !== undefined);
  if (present.length === 0) return root;
  const branches = present.flatMap((keyword) => readList(root[keyword]).map(readObject));
  const certain = readList(root['allOf']).flatMap((branch) => readList(readObject(branch)['required']));
  const required = [...new Set([...readList(root['required']), ...certain])];
  const flat: JsonObject = {
    ...Object.fromEntries(Object.entries(root).filter(([keyword]) => !present.includes(keyword))),
    type: 'object',
    properties: Object.assign(
      {},
      ...branches.map((one) => readObject(one['properties'])),
      readObject(root['properties']),
    ),
    ...(required.length === 0 ? {} : { required }),
  };
  for (const keyword of present) moved.add(keyword);
  return note(
    flat,
    present.map((keyword) => [keyword, root[keyword]]),
  );
};

/** Writes a JSON Schema in the dialect of a vendor. The schema itself stays unchanged. */
export function writeInDialect(schema: Readonly<JsonObject>, dialect: SchemaDialect): WrittenSchema {
  const writing: Writing = {
    dialect,
    refused: new Set(dialect.refuses),
    accepted: dialect.keywords === undefined ? undefined : new Set(dialect.keywords),
    moved: new Set(),
    obstacles: new Set(),
  };
  if (dialect.refusesRecursion === true && findRecursion(schema))
    writing.obstacles.add('a schema that contains itself');
  const root = dialect.rootRefuses === undefined ? schema : flattenRoot(schema, dialect.rootRefuses, writing.moved);
  const written = writeNode(root, writing);
  const [obstacle] = writing.obstacles;
  return omitUndefined<WrittenSchema>({
    schema: writing.moved.size === 0 ? schema : written,
    moved: [...writing.moved],
    obstacle,
  });
}
