import { sendFuzz, type FuzzReply } from '../http.ts';
import { signText } from './keys.ts';
import type { FuzzProvider, ProviderAnswer } from './provider.ts';
import type { Claims } from './verify.ts';

const get = (url: string, path: string, cookie = ''): Promise<FuzzReply> =>
  sendFuzz(url, { method: 'GET', path, headers: { accept: 'text/html', cookie }, pieces: [] });

/** The cookies that a response sets: name and value. */
export const cookiesOf = ({ headers }: FuzzReply): readonly string[] =>
  (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0] ?? '').filter((cookie) => !cookie.endsWith('='));
/** Whether it is the cookie of a session. */
export const isSession = (cookie: string): boolean => /^(?:__Host-)?koine_admin_/.test(cookie);

/** A sign-in that has begun. */
export interface BegunSignIn {
  readonly cookie: string;
  readonly state: string;
  readonly nonce: string;
  /** Where the browser was sent. */
  readonly location: string;
}
export async function beginSignIn(url: string, next = '/'): Promise<BegunSignIn> {
  const reply = await get(url, `/admin/login/begin?next=${encodeURIComponent(next)}`);
  const location = reply.headers.location ?? '';
  const parameters = URL.canParse(location) ? new URL(location).searchParams : new URLSearchParams();
  return {
    cookie: cookiesOf(reply).join('; '),
    state: parameters.get('state') ?? '',
    nonce: parameters.get('nonce') ?? '',
    location,
  };
}
export const finishSignIn = (url: string, query: string, cookie: string): Promise<FuzzReply> =>
  get(url, `/admin/login/callback?${query}`, cookie);

/** Claims of a person, as the provider states them. */
export const personClaims = (issuer: string, nonce: string, sub: string, groups: readonly string[]): Claims => {
  const now = Math.floor(Date.now() / 1_000);
  const email = `${sub}@acme.example`;
  return { iss: issuer, aud: 'koine', sub, iat: now, exp: now + 600, nonce, email, email_verified: true, groups };
};
/** A response of the token endpoint. */
export const tokenAnswer = (idToken: string): ProviderAnswer => ({
  status: 200,
  text: JSON.stringify({ access_token: 'access-token-of-the-provider', token_type: 'bearer', id_token: idToken }),
});

/** Signs a person in as the protocol says. @returns the cookie of the session */
export async function signInAs(
  url: string,
  provider: FuzzProvider,
  sub: string,
  groups: readonly string[],
): Promise<string> {
  const { cookie, state, nonce } = await beginSignIn(url);
  const [key] = provider.keys;
  if (key === undefined) throw new Error('The provider has no keys.');
  const parts = [{ alg: key.alg, kid: key.kid }, personClaims(provider.issuer, nonce, sub, groups)];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  provider.redeem = () => tokenAnswer(`${text}.${signText(key, text).toString('base64url')}`);
  const query = new URLSearchParams({ code: 'a-code', state, iss: provider.issuer });
  const reply = await finishSignIn(url, String(query), cookie);
  const session = cookiesOf(reply).find(isSession);
  if (session === undefined) throw new Error(`The sign-in failed: ${reply.status} ${reply.text.slice(0, 300)}`);
  return session;
}
