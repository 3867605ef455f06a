import { isObject } from '../../canonical/json/members.ts';
import type { JsonObject } from '../../canonical/wire.ts';

/** Text with `${…}`, whose value is known only when the file is loaded. */
const variable: JsonObject = {
  description: 'Text with a variable or a file: ${VAR}, ${VAR:-default} or ${file:/path}.',
  type: 'string',
  pattern: '\\$\\{',
};

/** Keywords that describe a value, as opposed to those that constrain it. */
const annotations = new Set(['description', 'default', 'examples', 'title', 'writeOnly']);
/** Keywords whose contents do not describe values of the file, but names, data or conditions. */
const skipped = new Set(['if', 'default', 'examples', 'enum', 'const', 'required', 'propertyNames']);

const isText = (type: unknown): boolean => type === 'string' || (Array.isArray(type) && type.includes('string'));
const isScalar = (type: unknown): boolean =>
  type !== undefined && ![type].flat().some((one) => one === 'object' || one === 'array');

/** Whether a schema refuses text with a variable, although the interpolated value can be valid. */
const refusesVariables = (schema: JsonObject): boolean =>
  schema['enum'] !== undefined || (isText(schema['type']) ? schema['pattern'] !== undefined : isScalar(schema['type']));

const splitKeywords = (schema: JsonObject): readonly [annotation: JsonObject, constraint: JsonObject] => {
  const entries = Object.entries(schema);
  return [
    Object.fromEntries(entries.filter(([name]) => annotations.has(name))),
    Object.fromEntries(entries.filter(([name]) => !annotations.has(name))),
  ];
};

/** Names of the definitions that describe keys, which are not interpolated. */
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
  if (refusesVariables(value)) {
    const [annotation, constraint] = splitKeywords(value);
    return { ...annotation, anyOf: [constraint, { $ref: '#/definitions/variable' }] };
  }
  return Object.fromEntries(
    Object.entries(value).map(([keyword, inner]) => {
      if (skipped.has(keyword)) return [keyword, inner];
      return [
        keyword,
        (keyword === 'properties' || keyword === 'definitions') && isObject(inner) ? openMembers(inner) : open(inner),
      ];
    }),
  );
};

/**
 * The schema of a whole file for editors, which read it as it is written: every value can be
 * replaced by `${…}`.
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
