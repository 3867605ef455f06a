import { attributesOf, findAttribute, isIgnored, type Attribute, type ResourceType } from './attributes.ts';
import { parseFilter, type Filter } from './filter.ts';
import { ScimError } from './scim-error.ts';

/** What an operation of a PATCH changes. */
export interface PatchTarget {
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
export function readPath(type: ResourceType, given: string): PatchTarget | undefined {
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
