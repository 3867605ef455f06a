import { isObject } from '../../../canonical/json/members.ts';
import { readList, readObjects } from '../../../canonical/json/read.ts';
import type { JsonObject } from '../../../canonical/wire.ts';
import type { ResourceType } from './attributes.ts';
import type { StoredResource } from './store.ts';

/** Which attributes a response has. Names are in lower case. */
export interface Selection {
  /** Only these, and id, schemas and meta. */
  readonly attributes?: ReadonlySet<string> | undefined;
  readonly excluded: ReadonlySet<string>;
}

/** Reads `attributes` and `excludedAttributes`: names, separated by commas, also after the id of their schema. */
export function readSelection({ schema }: ResourceType, query: Readonly<Record<string, unknown>>): Selection {
  const read = (given: unknown): ReadonlySet<string> | undefined => {
    const texts = (typeof given === 'string' ? given.split(',') : readList(given)).slice(0, 100);
    const names = texts.map((name) => String(name).trim().toLowerCase().replace(`${schema.toLowerCase()}:`, ''));
    return names.some((name) => name !== '') ? new Set(names) : undefined;
  };
  return { attributes: read(query['attributes']), excluded: read(query['excludedAttributes']) ?? new Set() };
}

const isSelected = ({ attributes, excluded }: Selection, name: string): boolean =>
  (attributes === undefined || attributes.has(name)) && !excluded.has(name);

/** Whether members of groups have to be read. */
export const wantsMembers = (selection: Selection): boolean =>
  isSelected(selection, 'members') || [...(selection.attributes ?? [])].some((name) => name.startsWith('members.'));

/** The sub-attributes that are selected by their own name: `name.givenName`. */
const selectWithin = (selection: Selection, name: string, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((entry) => selectWithin(selection, name, entry));
  if (!isObject(value)) return value;
  const { attributes, excluded } = selection;
  const members = Object.entries(value).filter(([member]) => {
    const path = `${name}.${member}`.toLowerCase();
    return (attributes === undefined || attributes.has(name) || attributes.has(path)) && !excluded.has(path);
  });
  return Object.fromEntries(members);
};

/** A weak entity tag: it changes with each change. */
export const tagOf = ({ version }: Pick<StoredResource, 'version'>): string => `W/"${version}"`;

/** Members with their addresses. */
const refer = (base: string, members: unknown): readonly JsonObject[] =>
  readObjects(members).map((member) => ({ ...member, $ref: `${base}/Users/${String(member['value'])}` }));

/** The JSON of a resource. @param base the address of `/scim/v2` */
export function describeResource(
  base: string,
  type: ResourceType,
  stored: StoredResource,
  selection: Selection = { excluded: new Set() },
): JsonObject {
  const all = Object.entries(stored.attributes).map(
    ([name, value]) => [name, name === 'members' ? refer(base, value) : value] as const,
  );
  const shown = all.filter(([given]) => {
    const name = given.toLowerCase();
    const isPartly = [...(selection.attributes ?? [])].some((each) => each.startsWith(`${name}.`));
    return isSelected(selection, name) || (isPartly && !selection.excluded.has(name));
  });
  return {
    schemas: [type.schema],
    id: stored.id,
    ...Object.fromEntries(shown.map(([name, value]) => [name, selectWithin(selection, name.toLowerCase(), value)])),
    meta: {
      resourceType: type.name,
      created: new Date(stored.createdAt).toISOString(),
      lastModified: new Date(stored.modifiedAt).toISOString(),
      location: `${base}${type.endpoint}/${stored.id}`,
      version: tagOf(stored),
    },
  } as JsonObject;
}
