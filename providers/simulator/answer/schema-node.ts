import type { JsonObject } from '../../../core/api/index.ts';
import { isObject, readList, readObject } from '../../../core/api/codec.ts';

/** From this depth on the smallest value is chosen, so that recursive schemas end. */
export const MINIMAL_DEPTH = 4;
/** Limits the `$ref`, `allOf` and `anyOf` that are followed at one place. */
const MAX_HOPS = 16;

/** The steps that are left for one sample: a client's schema can expand without end. */
export interface Budget {
  left: number;
}

const decodePercent = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** One segment of a JSON pointer in a fragment: https://www.rfc-editor.org/rfc/rfc6901#section-6 */
const parseSegment = (segment: string): string => decodePercent(segment).replaceAll('~1', '/').replaceAll('~0', '~');

/** The schema of a local reference: `#/$defs/address`. */
const findReference = (reference: string, root: unknown): unknown => {
  if (!reference.startsWith('#')) return {};
  let found = root;
  for (const segment of reference.slice(1).split('/').slice(1)) {
    const name = parseSegment(segment);
    const parent: unknown = found;
    const known = typeof parent === 'object' && parent !== null && Object.hasOwn(parent, name);
    found = known ? (parent as JsonObject)[name] : undefined;
  }
  return found;
};

/** Both schemas at once, as in `allOf`. Where both have the same keyword, the second wins. */
const mergeSchemas = (one: JsonObject, other: JsonObject): JsonObject => ({
  ...one,
  ...other,
  ...(one['properties'] === undefined && other['properties'] === undefined
    ? {}
    : { properties: { ...readObject(one['properties']), ...readObject(other['properties']) } }),
  ...(one['required'] === undefined && other['required'] === undefined
    ? {}
    : { required: [...readList(one['required']), ...readList(other['required'])] }),
});

const isNull = (branch: unknown): boolean => isObject(branch) && branch['type'] === 'null';

/** The first branch; from `MINIMAL_DEPTH` on, the branch that ends the recursion. */
const selectBranch = (branches: readonly unknown[], depth: number): unknown => {
  if (depth < MINIMAL_DEPTH) return branches.find((branch) => !isNull(branch)) ?? branches[0];
  return (
    branches.find(isNull) ??
    branches.find((branch) => !(isObject(branch) && branch['$ref'] !== undefined)) ??
    branches[0]
  );
};

/** The schema with `$ref` followed, `allOf` merged, and one branch of `anyOf` and `oneOf` chosen. */
export function resolveNode(schema: unknown, root: unknown, depth: number, budget: Budget, hops = 0): JsonObject {
  budget.left -= 1;
  if (!isObject(schema) || hops > MAX_HOPS || budget.left < 0) return {};
  const { $ref, allOf, anyOf, oneOf, ...own } = schema;
  const resolveFurther = (next: unknown) => resolveNode(next, root, depth, budget, hops + 1);
  let result: JsonObject = own;
  if (typeof $ref === 'string') result = mergeSchemas(resolveFurther(findReference($ref, root)), result);
  for (const branches of [anyOf, oneOf])
    if (Array.isArray(branches)) result = mergeSchemas(result, resolveFurther(selectBranch(branches, depth)));
  if (Array.isArray(allOf)) result = allOf.map(resolveFurther).reduce(mergeSchemas, result);
  return result;
}
