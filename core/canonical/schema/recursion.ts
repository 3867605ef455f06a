import { isObject } from '../json/members.ts';
import { readObject } from '../json/read.ts';
import type { JsonObject } from '../wire.ts';

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
export function findRecursion(schema: Readonly<JsonObject>): boolean {
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
