import { isObject } from '../../../canonical/json/members.ts';
import type { JsonObject } from '../../../canonical/wire.ts';
import { attributesOf, findAttribute, type Attribute, type ResourceType } from './attributes.ts';
import { ScimError } from './scim-error.ts';

/** Characters of a text, and entries of a list. */
const MAX_TEXT = 1_000;
const MAX_ENTRIES = 20_000;
const CONTROL = /\p{Cc}/u;

const invalid = (place: string, what: string): ScimError => new ScimError('invalidValue', `${place} must be ${what}.`);

const readText = (value: unknown, place: string): string => {
  if (typeof value !== 'string') throw invalid(place, 'a text');
  if (value.length > MAX_TEXT) throw invalid(place, `at most ${MAX_TEXT} characters long`);
  if (CONTROL.test(value)) throw invalid(place, 'without control characters');
  return value;
};

/** Entra ID sends "True" and "False". */
const readBoolean = (value: unknown, place: string): boolean => {
  const text = typeof value === 'string' ? value.toLowerCase() : value;
  if (text === true || text === 'true') return true;
  if (text === false || text === 'false') return false;
  throw invalid(place, 'true or false');
};

const readComplex = (attribute: Attribute, value: unknown, place: string): JsonObject | undefined => {
  if (!isObject(value)) throw invalid(place, 'an object');
  const { subAttributes = [] } = attribute;
  const read: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(value)) {
    const sub = findAttribute(subAttributes, name);
    const known = sub && readSingle(sub, given, `${place}.${sub.name}`);
    if (sub !== undefined && known !== undefined) read[sub.name] = known;
  }
  return Object.keys(read).length === 0 ? undefined : (read as JsonObject);
};

const readSingle = (attribute: Attribute, value: unknown, place: string): unknown => {
  if (value === null || value === undefined) return undefined;
  switch (attribute.type) {
    case 'boolean':
      return readBoolean(value, place);
    case 'complex':
      return readComplex(attribute, value, place);
    // The gateway knows the address by the id.
    case 'reference':
      return undefined;
    default:
      return readText(value, place) || undefined;
  }
};

/** At most one entry is the primary one: the last that says so. */
const keepOnePrimary = (entries: readonly JsonObject[]): readonly JsonObject[] => {
  const last = entries.findLastIndex(({ primary }) => primary === true);
  return entries.map((entry, index) =>
    entry['primary'] === true && index !== last ? { ...entry, primary: false } : entry,
  );
};

/** @returns the entries without repetitions; undefined if there are none */
export const joinEntries = (entries: readonly JsonObject[], place: string): readonly JsonObject[] | undefined => {
  if (entries.length === 0) return undefined;
  const keyOf = ({ value, type }: JsonObject): string => JSON.stringify([value, type]);
  const byKey = new Map(entries.map((entry) => [keyOf(entry), entry]));
  if (byKey.size > MAX_ENTRIES) throw new ScimError('tooMany', `${place} has more than ${MAX_ENTRIES} entries.`);
  return keepOnePrimary([...byKey.values()]);
};

/**
 * Reads a value of an attribute.
 * @returns undefined if it is unassigned: null, an empty text, list or object
 * @throws ScimError `invalidValue`, `tooMany`
 */
export function readValue(attribute: Attribute, value: unknown, place = attribute.name): unknown {
  if (attribute.multiValued !== true) return readSingle(attribute, value, place);
  if (value === null || value === undefined) return undefined;
  const list = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  if (list.length > MAX_ENTRIES) throw new ScimError('tooMany', `${place} has more than ${MAX_ENTRIES} entries.`);
  const entries = list
    .map((entry, index) => readComplex(attribute, entry, `${place}[${index}]`))
    .filter((entry) => entry !== undefined);
  return joinEntries(entries, place);
}

/** @throws ScimError `invalidValue` if a required attribute is missing */
export function checkRequired(type: ResourceType, resource: JsonObject): JsonObject {
  const missing = attributesOf(type).find(({ name, required }) => required === true && resource[name] === undefined);
  if (missing !== undefined) throw new ScimError('invalidValue', `${missing.name} of a ${type.name} is required.`);
  return resource;
}

/** Reads a whole resource. Attributes that the gateway does not keep are ignored. @throws ScimError */
export function readResource(type: ResourceType, body: unknown): JsonObject {
  if (!isObject(body)) throw new ScimError('invalidSyntax', `The body must be the JSON object of a ${type.name}.`);
  const read: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(body)) {
    const attribute = findAttribute(attributesOf(type), name);
    const value = attribute && readValue(attribute, given);
    if (attribute !== undefined && value !== undefined) read[attribute.name] = value;
  }
  return checkRequired(type, read as JsonObject);
}
