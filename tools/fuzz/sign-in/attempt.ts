import { makeToken } from '../identity/tokens.ts';
import { personClaims, tokenAnswer, type BegunSignIn } from '../identity/sign-in.ts';
import type { FuzzProvider, ProviderAnswer } from '../identity/provider.ts';
import { readGenuine, type Claims } from '../identity/verify.ts';
import { mutate } from '../mutate.ts';
import type { Random } from '../random.ts';

/** Pages to which a link could lead after the sign-in. */
export const nextPages = [
  '/',
  '/?range=7d',
  '/#/requests',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n//evil.example',
  'https://evil.example',
  'https:evil.example',
  'javascript:alert(1)',
  'data:text/html,<fuzz>',
  '/"><fuzz>',
  "/'><fuzz>",
  '/x\r\nx-injected: 1',
  '/%0d%0ax-injected:%201',
  '/..//evil.example',
  '/./\\evil.example',
  '/admin/login/../..//evil.example',
  '/%2F%2Fevil.example',
  '/@evil.example',
  '/\u2028/evil.example',
  `/${'a'.repeat(3_000)}`,
] as const;

/** The role of each group. A person without one of them must not get a session. */
export const roles = { admins: 'admin', editors: 'editor', staff: 'viewer', coders: 'developer' } as const;
const allGroups: readonly (readonly unknown[])[] = [
  ['admins'],
  ['coders'],
  ['staff', 'editors'],
  [],
  ['Admins'],
  ['admins '],
  ['*'],
  [['admins']],
  [{ admins: true }],
  ['__proto__', 'constructor'],
  [null, 1],
];
const names: readonly unknown[] = ['token', ' token', 'loopback', 'cli:root', 'TOKEN', 'tоken', '<fuzz>', 'a\r\nb', 7];

/** The role that the claims grant; undefined: none. */
export const grantedRole = ({ groups }: Claims): string | undefined => {
  const values = new Set<unknown>([groups].flat());
  return Object.entries(roles).find(([group]) => values.has(group))?.[1];
};

/** What a browser brings back from the provider, and what the provider says about it. */
export interface Attempt {
  readonly query: string;
  readonly cookie: string;
  readonly answer: ProviderAnswer;
  /** The claims with which a session may be opened; undefined: none may. */
  readonly mayOpen: Claims | undefined;
  /** Nothing was changed: a session must be opened if the claims have a role. */
  readonly isHonest: boolean;
}

const changeQuery = (query: URLSearchParams, random: Random, other: string): void =>
  random.pick<() => void>([
    () => query.delete(random.pick(['state', 'iss', 'code'])),
    () => query.set('state', random.pick(['', other, `${query.get('state') ?? ''}x`, '__proto__', '\u0000', '💥'])),
    () => query.append('state', random.pick([other, query.get('state') ?? ''])),
    () => query.set('iss', random.pick(['https://evil.example', '', `${query.get('iss') ?? ''}/`, 'null'])),
    () => query.append('iss', 'https://evil.example'),
    () => query.set('code', random.pick(['', '<fuzz>', 'x'.repeat(4_000), '\u0000', 'a b'])),
    () => query.append('code', 'other'),
    () => query.set('error', random.pick(['access_denied', '<fuzz>', 'x\r\nx-injected: 1', ''])),
    () => query.set('response', 'eyJhbGciOiJub25lIn0.e30.'),
    () => query.set('id_token', 'eyJhbGciOiJub25lIn0.e30.'),
    () => query.set(random.pick(['next', 'redirect_uri', 'error_description', '__proto__']), '<fuzz>'),
  ])();

const changeCookie = (cookie: string, random: Random, other: string): string =>
  random.pick([
    '',
    other,
    cookie.slice(0, -random.pick([1, 8, 30])),
    `${cookie.slice(0, -8)}AAAAAAAA`,
    `${cookie.split('=')[0]}=${'A'.repeat(200)}`,
    `${other}; ${cookie}`,
    cookie.toUpperCase(),
    `${cookie.split('=')[0]}=`,
  ]);

const changeAnswer = (answer: ProviderAnswer, random: Random): ProviderAnswer =>
  random.pick<() => ProviderAnswer>([
    () => ({ ...answer, status: random.pick([201, 204, 302, 400, 401, 403, 429, 500, 503]) }),
    () => ({ ...answer, text: JSON.stringify(mutate(JSON.parse(answer.text), random, [answer.text])) ?? '' }),
    () => ({ ...answer, text: random.pick(['', '{', 'null', '[]', '<fuzz>', answer.text.slice(1)]) }),
    () => ({ ...answer, text: `${' '.repeat(100_000)}${answer.text}` }),
    () => ({ ...answer, headers: { 'content-type': random.pick(['text/html', '', 'application/jwt']) } }),
    () => ({ status: 400, text: JSON.stringify({ error: '<fuzz>', error_description: 'a-code <fuzz>' }) }),
  ])();

/** The id token in a response of the token endpoint, as it was sent in the end. */
const tokenIn = ({ status, text }: ProviderAnswer): string => {
  try {
    const { id_token: token } = JSON.parse(text) as { readonly id_token?: unknown };
    return status === 200 && typeof token === 'string' ? token : '';
  } catch {
    return '';
  }
};

/** @param other a sign-in that another browser has begun */
export function makeAttempt(
  random: Random,
  provider: FuzzProvider,
  begun: BegunSignIn,
  other: Pick<BegunSignIn, 'cookie' | 'state'>,
): Attempt {
  const person = personClaims(provider.issuer, begun.nonce, random.pick(['dora', 'emil', 'fay']), []);
  const groups = random.pick(random.chance(0.5) ? [['admins'], ['staff']] : allGroups);
  const email = random.chance(0.1) ? random.pick(names) : person['email'];
  const claims: Claims = { ...person, groups: groups.length === 1 && random.chance(0.2) ? groups[0] : groups, email };
  const { token, isHonest } = makeToken(random, { keys: provider.keys, claims, evilUrl: 'http://127.0.0.1:9' });
  const answer = random.chance(0.9) ? tokenAnswer(token) : changeAnswer(tokenAnswer(token), random);
  const query = new URLSearchParams({ code: 'a-code', state: begun.state, iss: provider.issuer });
  const changesQuery = random.chance(0.2);
  if (changesQuery) changeQuery(query, random, other.state);
  const cookie = random.chance(0.85) ? begun.cookie : changeCookie(begun.cookie, random, other.cookie);
  const isOwn = cookie === begun.cookie || (cookie.endsWith(begun.cookie) && !other.cookie.startsWith('koine'));
  const isReturned =
    isOwn && query.getAll('state').includes(begun.state) && query.getAll('iss').includes(provider.issuer);
  const expected = { issuer: provider.issuer, audience: 'koine', keys: provider.keys, nonce: begun.nonce };
  return {
    query: String(query),
    cookie,
    answer,
    mayOpen: isReturned ? readGenuine(tokenIn(answer), expected) : undefined,
    isHonest: isHonest && !changesQuery && cookie === begun.cookie && answer.text === tokenAnswer(token).text,
  };
}
