import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../canonical/json/members.ts';
import { fold } from '../../../canonical/text/fold.ts';
import type { JsonObject } from '../../../canonical/wire.ts';
import { attributesOf, findAttribute, type Attribute, type ResourceType, isIgnored } from './attributes.ts';
import { type Filter, parseFilter } from './filter.ts';
import { checkRequired, joinEntries, readValue } from './read-resource.ts';
import { ScimError } from './scim-error.ts';

/** What an operation of a PATCH changes. */
interface PatchTarget {
  readonly attribute: Attribute;
  /** Selects entries of a list. */
  readonly filter?: Filter | undefined;
  readonly sub?: Attribute | undefined;
}

const MAX_LENGTH = 2_500;
/** `name.givenName`, `members[value eq "1"]`, `emails[type eq "work"].value`, each also after the id of its schema. */
const PATH = /^([a-z$][\w$-]*)(?:\[(.*)\])?(?:\.([a-z$][\w$-]*))?$/is;

const refuse = (path: string): ScimError =>
  new ScimError('invalidPath', `There is no attribute at the path ${JSON.stringify(path.slice(0, 100))}.`);

/**
 * Parses the path of an operation.
 * @returns undefined for attributes that the gateway does not keep
 * @throws ScimError `invalidPath`, so that a misspelt `active` is not ignored; `invalidFilter`
 */
function readPath(type: ResourceType, given: string): PatchTarget | undefined {
  if (given.length > MAX_LENGTH) throw refuse(given);
  const prefix = `${type.schema}:`.toLowerCase();
  const path = given.toLowerCase().startsWith(prefix) ? given.slice(prefix.length) : given;
  if (path.toLowerCase().startsWith('urn:')) return undefined;
  const [, name = '', filter, subName] = PATH.exec(path) ?? [];
  const attribute = findAttribute(attributesOf(type), name);
  if (attribute === undefined) {
    if (isIgnored(name)) return undefined;
    throw refuse(given);
  }
  const sub = subName === undefined ? undefined : findAttribute(attribute.subAttributes ?? [], subName);
  const isWrong = (subName !== undefined && sub === undefined) || (filter !== undefined && !attribute.multiValued);
  // Entries have members that the gateway does not keep, such as display of emails.
  if (isWrong && subName !== undefined && attribute.subAttributes !== undefined) return undefined;
  if (isWrong) throw refuse(given);
  return { attribute, filter: filter === undefined ? undefined : parseFilter(filter), sub };
}

/** Bounds the work of one request. */
const MAX_OPERATIONS = 500;
const MAX_COMPARISONS = 2_000_000;

type Resource = Record<string, unknown>;
type Kind = 'add' | 'replace' | 'remove';

/** A list of the resource, which a patch has read or the database has stored. */
const entriesOf = (resource: Resource, { name }: Attribute): readonly JsonObject[] =>
  (resource[name] ?? []) as readonly JsonObject[];

const assign = (resource: Resource, name: string, value: unknown): void => {
  if (value === undefined) delete resource[name];
  else resource[name] = value;
};

/** Comparisons that the operations of a request have made, by the resource that they change. */
const comparisons = new WeakMap<Resource, number>();

const leavesOf = (filter: Filter): number => {
  if (filter.kind === 'not') return leavesOf(filter.part);
  return 'parts' in filter ? filter.parts.reduce((sum, part) => sum + leavesOf(part), 0) : 1;
};

/** Counted before they are made. @throws ScimError `tooMany` */
const countComparisons = (resource: Resource, filter: Filter, entries: number): void => {
  const all = (comparisons.get(resource) ?? 0) + entries * leavesOf(filter);
  if (all > MAX_COMPARISONS)
    throw new ScimError('tooMany', 'The operations compare too many entries. Send fewer in one request.');
  comparisons.set(resource, all);
};

const selects = (filter: Filter, attribute: Attribute): ((entry: JsonObject) => boolean) => {
  if (filter.kind === 'not') {
    const test = selects(filter.part, attribute);
    return (entry) => !test(entry);
  }
  if ('parts' in filter) {
    const tests = filter.parts.map((part) => selects(part, attribute));
    return filter.kind === 'and'
      ? (entry) => tests.every((test) => test(entry))
      : (entry) => tests.some((test) => test(entry));
  }
  const sub = findAttribute(attribute.subAttributes ?? [], filter.path);
  if (sub === undefined) throw new ScimError('invalidFilter', `Entries have no attribute ${filter.path.slice(0, 50)}.`);
  if (filter.kind === 'present') return (entry) => entry[sub.name] !== undefined;
  const comparable = (value: unknown): unknown =>
    typeof value === 'string' && sub.caseExact !== true ? fold(value) : value;
  const wanted = comparable(filter.value);
  return (entry) => (comparable(entry[sub.name] ?? null) === wanted) === filter.equal;
};

/** The entry that a filter describes: of `type eq "work"`, `{ type: 'work' }`. */
const describeEntry = (filter: Filter, attribute: Attribute): JsonObject => {
  const parts = filter.kind === 'and' ? filter.parts : [filter];
  const pairs = parts.flatMap((part) => (part.kind === 'compare' && part.equal ? [[part.path, part.value]] : []));
  const [entry] = (readValue(attribute, Object.fromEntries(pairs)) ?? []) as readonly JsonObject[];
  return entry ?? {};
};

/** Changes entries of a list. Without a filter: all of them. */
const changeEntries = (resource: Resource, kind: Kind, target: PatchTarget, value: unknown): void => {
  const { attribute, filter, sub } = target;
  const { name } = attribute;
  const entries = entriesOf(resource, attribute);
  if (filter !== undefined) countComparisons(resource, filter, entries.length);
  const isSelected = filter === undefined ? () => true : selects(filter, attribute);
  if (kind === 'remove' && sub === undefined) {
    const left = entries.filter((entry) => !isSelected(entry));
    assign(resource, name, left.length === 0 ? undefined : left);
    return;
  }
  const given = sub === undefined ? value : { [sub.name]: kind === 'remove' ? null : value };
  const [change = {}] = (readValue(attribute, given, name) ?? []) as readonly JsonObject[];
  const without = sub === undefined ? [] : [sub.name];
  const merge = (entry: JsonObject): JsonObject => ({
    ...Object.fromEntries(Object.entries(entry).filter(([member]) => !without.includes(member))),
    ...change,
  });
  if (entries.some(isSelected))
    assign(
      resource,
      name,
      entries.map((entry) => (isSelected(entry) ? merge(entry) : entry)),
    );
  else if (kind === 'add')
    assign(resource, name, [...entries, merge(filter === undefined ? {} : describeEntry(filter, attribute))]);
  else if (kind === 'replace') throw new ScimError('noTarget', `No entry of ${name} is selected by the path.`);
};

const changeList = (resource: Resource, kind: Kind, target: PatchTarget, value: unknown): void => {
  const { attribute, filter, sub } = target;
  if (filter !== undefined || sub !== undefined) return changeEntries(resource, kind, target, value);
  const { name } = attribute;
  const given = (readValue(attribute, value) ?? []) as readonly JsonObject[];
  const present = entriesOf(resource, attribute);
  // Entra ID removes members with a value instead of a filter.
  const removed = new Set(given.map((entry) => entry['value']));
  const next = {
    add: () => [...present, ...given],
    replace: () => given,
    remove: () => (value === undefined ? [] : present.filter((entry) => !removed.has(entry['value']))),
  }[kind]();
  assign(resource, name, next.length === 0 ? undefined : next);
};

const changeOne = (resource: Resource, kind: Kind, { attribute, sub }: PatchTarget, value: unknown): void => {
  const { name } = attribute;
  const present = resource[name];
  if (attribute.type !== 'complex')
    return assign(resource, name, kind === 'remove' ? undefined : readValue(attribute, value));
  if (sub === undefined && kind === 'remove') return assign(resource, name, undefined);
  const next: Resource = isObject(present) ? { ...present } : {};
  if (sub === undefined) Object.assign(next, readValue(attribute, value));
  else assign(next, sub.name, kind === 'remove' ? undefined : readValue(sub, value, `${name}.${sub.name}`));
  assign(resource, name, Object.keys(next).length === 0 ? undefined : next);
};

const changeAt = (resource: Resource, type: ResourceType, kind: Kind, path: string, value: unknown): void => {
  const target = readPath(type, path);
  if (target === undefined) return;
  if (target.attribute.multiValued) changeList(resource, kind, target, value);
  else changeOne(resource, kind, target, value);
};

const applyOperation = (resource: Resource, type: ResourceType, operation: unknown, place: string): void => {
  if (!isObject(operation)) throw new ScimError('invalidSyntax', `${place} must be an object.`);
  const { op, path, value } = operation;
  // Entra ID writes Add, Replace and Remove.
  const kind = typeof op === 'string' ? op.toLowerCase() : '';
  if (kind !== 'add' && kind !== 'replace' && kind !== 'remove')
    throw new ScimError('invalidSyntax', `${place}.op must be add, replace or remove.`);
  if (path !== undefined && path !== null && path !== '') {
    if (typeof path !== 'string') throw new ScimError('invalidPath', `${place}.path must be a text.`);
    return changeAt(resource, type, kind, path, value);
  }
  if (kind === 'remove') throw new ScimError('noTarget', `${place} needs a path.`);
  if (!isObject(value))
    throw new ScimError('invalidValue', `${place}.value must be an object, since there is no path.`);
  // Okta and Entra ID write paths as names of members: {"name.givenName":"Ann"}.
  for (const [name, each] of Object.entries(value)) changeAt(resource, type, kind, name, each);
};

/**
 * Applies the operations of a PATCH (RFC 7644, section 3.5.2), all or none, also in the forms that Entra ID and Okta
 * send.
 * @throws ScimError
 */
export function applyPatch(type: ResourceType, present: JsonObject, body: unknown): JsonObject {
  const operations = isObject(body) ? body['Operations'] : undefined;
  if (!Array.isArray(operations) || operations.length === 0)
    throw new ScimError(
      'invalidSyntax',
      'The body must have Operations: [{"op":"replace","path":"active","value":false}].',
    );
  if (operations.length > MAX_OPERATIONS)
    throw new ScimError('tooMany', `A request can have at most ${MAX_OPERATIONS} operations.`);
  const resource: Resource = { ...present };
  for (const [index, operation] of operations.entries())
    applyOperation(resource, type, operation, `Operations[${index}]`);
  for (const attribute of attributesOf(type))
    if (attribute.multiValued && resource[attribute.name] !== present[attribute.name])
      assign(resource, attribute.name, joinEntries(entriesOf(resource, attribute), attribute.name));
  const next = checkRequired(type, resource as JsonObject);
  return isDeepStrictEqual(next, present) ? present : next;
}
