import type { Context } from 'koa';
import type { JsonObject } from '../../../canonical/wire.ts';
import type { AuditFacts } from '../../../contracts/admin.ts';
import { GatewayError } from '../../../errors/gateway-error.ts';
import { readObjects } from '../../../canonical/json/read.ts';
import type { ResourceType } from './attributes.ts';
import { describeList, MAX_PAGE } from './discovery.ts';
import { parseFilter } from './filter.ts';
import { applyPatch } from './patch.ts';
import { readResource } from './read-resource.ts';
import { describeResource, readSelection, tagOf, wantsMembers } from './representation.ts';
import { ScimError } from './scim-error.ts';
import type { ResourceStore, StoredResource } from './store.ts';

/** A request to resources of one type. */
export interface ScimCall {
  readonly type: ResourceType;
  readonly store: ResourceStore;
  readonly id: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** The address of `/scim/v2`. */
  readonly base: string;
  readonly context: Context;
}

/** The response, and what has changed. */
export interface ScimReply {
  readonly status: number;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly audit?: AuditFacts;
}

const refuseUnknown = ({ type, id }: ScimCall): GatewayError =>
  new GatewayError('not_found', `There is no ${type.name} with the id ${JSON.stringify(id.slice(0, 64))}.`);

const readCount = (given: unknown, fallback: number, name: string): number => {
  if (given === undefined) return fallback;
  // From a query it is a text, from the body of a search a number. A list or an object cannot be converted.
  const count = typeof given === 'string' || typeof given === 'number' ? Number(given) : Number.NaN;
  if (Number.isSafeInteger(count)) return count;
  throw new ScimError('invalidValue', `${name} must be a whole number.`);
};

const checkMatch = ({ context, type }: ScimCall, present: StoredResource): void => {
  const expected = context.get('if-match');
  const accepted = new Set(['*', tagOf(present).slice(2)]);
  const tags = expected.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (expected === '' || tags.some((tag) => accepted.has(tag))) return;
  throw new GatewayError(
    'precondition_failed',
    `The ${type.name} has the version ${tagOf(present)}, not the one of If-Match. Read it again; nothing was changed.`,
  );
};

const reply = (call: ScimCall, status: number, stored: StoredResource): ScimReply => {
  const selection = readSelection(call.type, call.query);
  const body = describeResource(call.base, call.type, stored, selection);
  return {
    status,
    body,
    headers: { etag: tagOf(stored), 'content-location': `${call.base}${call.type.endpoint}/${stored.id}` },
  };
};

const idsOf = ({ members }: JsonObject): ReadonlySet<unknown> =>
  new Set(readObjects(members).map(({ value }) => value));
const MOST_LISTED = 50;

/** What the audit log keeps: no names of people beyond the user name, and of members only those that have changed. */
const summarize = ({ userName, externalId, active, displayName, members }: JsonObject, other: JsonObject): object => {
  if (userName !== undefined) return { userName, externalId, active };
  const others = idsOf(other);
  const changed = readObjects(members)
    .map(({ value }) => value)
    .filter((value) => !others.has(value));
  const listed = changed.length === 0 ? {} : { members: changed.slice(0, MOST_LISTED), changedMembers: changed.length };
  return { displayName, externalId, ...listed };
};

const auditOf = (before: StoredResource | undefined, after: StoredResource | undefined): AuditFacts => ({
  target: before?.id ?? after?.id ?? '',
  ...(before === undefined ? {} : { before: summarize(before.attributes, after?.attributes ?? {}) }),
  ...(after === undefined ? {} : { after: summarize(after.attributes, before?.attributes ?? {}) }),
});

export const list = async ({ type, store, query, base }: ScimCall): Promise<ScimReply> => {
  const startIndex = Math.max(1, readCount(query['startIndex'], 1, 'startIndex'));
  const limit = Math.min(MAX_PAGE, Math.max(0, readCount(query['count'], MAX_PAGE, 'count')));
  const { filter } = query;
  const selection = readSelection(type, query);
  const { total, found } = await store.list({
    filter: typeof filter === 'string' && filter !== '' ? parseFilter(filter) : undefined,
    offset: startIndex - 1,
    limit,
    withMembers: wantsMembers(selection),
  });
  const resources = found.map((stored) => describeResource(base, type, stored, selection));
  return { status: 200, body: describeList(resources, total, startIndex) };
};

export const get = async (call: ScimCall): Promise<ScimReply> => {
  const found = await call.store.get(call.id, wantsMembers(readSelection(call.type, call.query)));
  if (found === undefined) throw refuseUnknown(call);
  return reply(call, 200, found);
};

export const create = async (call: ScimCall): Promise<ScimReply> => {
  const created = await call.store.create(readResource(call.type, call.body));
  const { headers, ...rest } = reply(call, 201, created);
  const location = `${call.base}${call.type.endpoint}/${created.id}`;
  return { ...rest, headers: { ...headers, location }, audit: auditOf(undefined, created) };
};

const change = async (call: ScimCall, decide: (present: JsonObject) => JsonObject): Promise<ScimReply> => {
  const changed = await call.store.change(call.id, (present) => {
    checkMatch(call, present);
    return decide(present.attributes);
  });
  if (changed === undefined) throw refuseUnknown(call);
  const { before, after } = changed;
  return { ...reply(call, 200, after), ...(before === after ? {} : { audit: auditOf(before, after) }) };
};

/** Attributes that the body lacks are removed. Only `active` stays: to forget it must not let a person in again. */
export const replace = (call: ScimCall): Promise<ScimReply> =>
  change(call, ({ active }) => {
    const next = readResource(call.type, call.body);
    return active === undefined ? next : { active, ...next };
  });

export const patch = (call: ScimCall): Promise<ScimReply> =>
  change(call, (present) => applyPatch(call.type, present, call.body));

export const remove = async (call: ScimCall): Promise<ScimReply> => {
  const removed = await call.store.remove(call.id, (present) => checkMatch(call, present));
  if (removed === undefined) throw refuseUnknown(call);
  return { status: 204, audit: auditOf(removed, undefined) };
};
