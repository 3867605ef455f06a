import { isObject } from '../../canonical/json/members.ts';
import type { JsonObject } from '../../canonical/wire.ts';

/** `${…}`: what becomes of it is known only when the file is loaded. */
const variable: JsonObject = {
  description: 'A text with a variable or a file in it: ${VAR}, ${VAR:-default}, ${file:/path}.',
  type: 'string',
  pattern: '\\$\\{',
};

/** What a schema is about, as against what it demands. */
const texts = new Set(['description', 'default', 'examples', 'title', 'writeOnly']);
/** Keywords beneath which no values of the file are described, but names, data or conditions. */
const closed = new Set(['if', 'default', 'examples', 'enum', 'const', 'required', 'propertyNames']);

const isText = (type: unknown): boolean => type === 'string' || (Array.isArray(type) && type.includes('string'));
const isScalar = (type: unknown): boolean =>
  type !== undefined && ![type].flat().some((one) => one === 'object' || one === 'array');

/** Would it refuse a text with a variable, although a value made of one may be right? */
const refuses = (schema: JsonObject): boolean =>
  schema['enum'] !== undefined || (isText(schema['type']) ? schema['pattern'] !== undefined : isScalar(schema['type']));

const splitTexts = (schema: JsonObject): readonly [about: JsonObject, demands: JsonObject] => {
  const entries = Object.entries(schema);
  return [
    Object.fromEntries(entries.filter(([name]) => texts.has(name))),
    Object.fromEntries(entries.filter(([name]) => !texts.has(name))),
  ];
};

/** Names of definitions that describe keys, where nothing is filled in. */
const findNames = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(findNames);
  if (!isObject(value)) return [];
  const names = value['propertyNames'];
  const own = isObject(names) && typeof names['$ref'] === 'string' ? [names['$ref'].replace('#/definitions/', '')] : [];
  return [...own, ...Object.values(value).flatMap(findNames)];
};

const openMembers = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, open(schema)]));

const open = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(open);
  if (!isObject(value)) return value;
  if (refuses(value)) {
    const [about, demands] = splitTexts(value);
    return { ...about, anyOf: [demands, { $ref: '#/definitions/variable' }] };
  }
  return Object.fromEntries(
    Object.entries(value).map(([keyword, inner]) => {
      if (closed.has(keyword)) return [keyword, inner];
      return [
        keyword,
        (keyword === 'properties' || keyword === 'definitions') && isObject(inner) ? openMembers(inner) : open(inner),
      ];
    }),
  );
};

/**
 * The schema of a whole file for editors, which read it as it is written: wherever it wants something particular,
 * `${…}` may stand instead.
 */
export function allowVariables(schema: JsonObject): JsonObject {
  const opened = open(schema);
  const definitions = isObject(schema['definitions']) ? schema['definitions'] : {};
  if (!isObject(opened) || !isObject(opened['definitions'])) return schema;
  const names = findNames(schema).flatMap((name) =>
    Object.hasOwn(definitions, name) ? [[name, definitions[name]] as const] : [],
  );
  return { ...opened, definitions: { ...opened['definitions'], ...Object.fromEntries(names), variable } };
}
