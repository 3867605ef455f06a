import { isObject } from '../../canonical/json/members.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import type { Path } from '../problem.ts';

/** Follows a reference within the schema, such as `#/definitions/name`. */
const followReference = (root: JsonObject, schema: unknown): unknown => {
  const reference = isObject(schema) ? schema['$ref'] : undefined;
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return schema;
  return reference
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((from, name) => (isObject(from) ? from[name] : undefined), root);
};

/** The schema of a member or an item. */
export const stepInto = (schema: unknown, segment: string | number): unknown => {
  if (!isObject(schema)) return undefined;
  if (typeof segment === 'number') return schema['items'];
  const { properties, additionalProperties } = schema;
  return isObject(properties) && Object.hasOwn(properties, segment) ? properties[segment] : additionalProperties;
};

/** Whether a draft-07 schema marks the value at the path, or a value that contains it, as `writeOnly`. */
export function isWriteOnly(root: JsonObject, path: Path): boolean {
  let schema: unknown = root;
  for (const segment of path) {
    schema = followReference(root, stepInto(schema, segment));
    if (isObject(schema) && schema['writeOnly'] === true) return true;
  }
  return false;
}
