import { GROUP, patchOf, USER } from '../../../test/scim/scim-gateway.ts';
import { cut, damage, encode } from '../damage.ts';
import type { FuzzRequest } from '../http.ts';
import { collectDonors, mutate } from '../mutate.ts';
import type { Random } from '../random.ts';

export type Resource = '/Users' | '/Groups';

/** The user and the group of a case. */
export interface ScimCase {
  readonly name: string;
  readonly user: string;
  readonly group: string;
}

const words = [
  ['userName', 'externalId', 'active', 'displayName', 'members', 'members.value', 'emails', 'name.givenName', 'id'],
  ['eq', 'ne', 'pr', 'and', 'or', 'not', 'co', 'sw', 'gt', '(', ')', '[', ']', '.', ',', ' ', '"', '\\', '\\u0000'],
  ['"a"', '"case"', 'true', 'false', 'null', '7', '1e400', '"\\ud800"', '%', '%00', '*', "' OR 1=1 --", '💥', '$ref'],
  [`${USER}:userName`, `${GROUP}:members`, 'urn:x:', '__proto__', 'constructor', '(('.repeat(500), 'a'.repeat(3_000)],
].flat();
const makeWords = (random: Random): string =>
  Array.from({ length: 1 + random.below(random.pick([3, 8, 60])) }, () => random.pick(words)).join(
    random.chance(0.8) ? ' ' : '',
  );

const filters = [
  'userName eq "case@acme.example"',
  'members[value eq "x"]',
  'not (active eq false) and id pr',
] as const;
const makeFilter = (random: Random): string =>
  random.chance(0.3)
    ? random.pick(filters)
    : [random.pick(filters), makeWords(random)].join(random.pick([' and ', '', ' ']));
const paths = [
  'userName',
  'active',
  'displayName',
  'members',
  'name.familyName',
  'emails[type eq "work"].value',
] as const;
const makePath = (random: Random): string => (random.chance(0.5) ? random.pick(paths) : makeWords(random));

const makeOperation = (random: Random, { user, group }: ScimCase): object => ({
  op: random.pick(['add', 'replace', 'remove', 'Add', 'Replace', 'Remove', 'move']),
  ...(random.chance(0.85) ? { path: random.chance(0.2) ? `members[value eq "${user}"]` : makePath(random) } : {}),
  value: random.pick<unknown>(
    [
      ['x', true, 'False', null, [{ value: user }], [{ value: group }], { value: user }],
      [{ displayName: 'x', active: 'True' }, { 'name.givenName': 'x' }, [{ type: 'work', value: 'a@b.example' }], []],
    ].flat(),
  ),
});

const bodyOf = (method: string, resource: Resource, random: Random, of: ScimCase): unknown => {
  if (method === 'PATCH')
    return patchOf(...Array.from({ length: random.pick([1, 3, 60]) }, () => makeOperation(random, of)));
  if (resource === '/Groups') return { schemas: [GROUP], displayName: `${of.name}-b`, members: [{ value: of.user }] };
  return {
    schemas: [USER],
    userName: `${of.name}-b@acme.example`,
    externalId: `${of.name}-b`,
    active: true,
    name: { givenName: 'A', familyName: 'B' },
    emails: [{ value: 'a@acme.example', type: 'work', primary: true }],
  };
};

const makeQuery = (random: Random): string => {
  const query = new URLSearchParams();
  if (random.chance(0.7)) query.append('filter', makeFilter(random).toWellFormed());
  if (random.chance(0.3)) query.append('startIndex', random.pick(['1', '0', '-1', '1e9', 'x', '9'.repeat(30), '']));
  if (random.chance(0.3)) query.append('count', random.pick(['0', '1', '-1', '1e3', '1e400', '0x10', ' 1 ']));
  if (random.chance(0.3)) query.append(random.pick(['attributes', 'excludedAttributes']), makeWords(random));
  if (random.chance(0.1)) query.append('filter', 'id pr');
  return query.size === 0 ? '' : `?${query.toString().slice(0, 8_000)}`;
};

const searchOf = (random: Random): object => ({
  filter: makeFilter(random),
  startIndex: 1,
  count: 5,
  attributes: ['id'],
});
const others = [
  '/ServiceProviderConfig',
  '/ResourceTypes/User',
  '/Schemas/x',
  '/Bulk',
  '/Me',
  '/',
  '/%00',
  '/Users/a/b',
];
const oddHeaders: readonly object[] = [
  ...['*', 'W/"1"', '"x"', ',,', '"'.repeat(3_000)].map((tag) => ({ 'if-match': tag })),
  ...['text/plain', '', 'application/json; charset=utf-16'].map((type) => ({ 'content-type': type })),
  ...['', 'Bearer', 'Basic eDp5'].map((authorization) => ({ authorization })),
];

/** A valid request of a directory with random changes. */
export function makeScimRequest(random: Random, of: ScimCase): FuzzRequest {
  const resource = random.pick(['/Users', '/Groups'] as const);
  const one = `${resource}/${resource === '/Users' ? of.user : of.group}`;
  const [method, path, body] = random.pick<() => readonly [string, string, unknown?]>([
    () => ['GET', resource + makeQuery(random)],
    () => ['GET', one + makeQuery(random)],
    () => ['POST', `${resource}/.search`, searchOf(random)],
    () => ['POST', resource, bodyOf('POST', resource, random, of)],
    () => ['PUT', one, bodyOf('PUT', resource, random, of)],
    () => ['PATCH', one, bodyOf('PATCH', resource, random, of)],
    () => ['PATCH', one, bodyOf('PATCH', resource, random, of)],
    () => ['DELETE', one],
    () => [random.pick(['GET', 'PUT', 'POST', 'OPTIONS', 'HEAD', 'TRACE']), random.pick(others)],
  ])();
  const changed = random.chance(0.5) ? mutate(body, random, collectDonors([body, of])) : body;
  const { headers, bytes } = encode(damage(JSON.stringify(changed) ?? '', random), random);
  return {
    method,
    path: `/scim/v2${path}`,
    headers: { ...headers, ...(random.chance(0.1) ? random.pick(oddHeaders) : {}) },
    pieces: body === undefined ? [] : cut(bytes, random),
  };
}
