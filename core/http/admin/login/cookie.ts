import type { Context } from 'koa';
import type { SessionOrigin } from './sessions.ts';

/** The session of a person, and a sign-in at the provider that has begun. */
const cookies = {
  /** Strict: browsers do not send it with requests from other sites. */
  admin: { sameSite: 'Strict', path: '/' },
  /** Lax: the browser comes back from the provider. With `__Host-` the path must be that of all pages. */
  sign_in: { sameSite: 'Lax', path: '/admin/login' },
} as const;
type CookieName = keyof typeof cookies;

/** Whether the browser uses https, also where a proxy in front of this listener ends it. */
export const isSecure = (context: Context): boolean => context.secure || context.get('x-forwarded-proto') === 'https';

const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d+)?$/i;
/** The origin under which the browser reaches this listener; undefined if the Host header is not the name of a host. */
export const readOwnOrigin = (context: Context): string | undefined => {
  const host = context.get('host');
  return HOST.test(host) ? `${isSecure(context) ? 'https' : 'http'}://${host}` : undefined;
};

/** Cookies ignore ports, so the name has the port: two gateways on one host keep separate sessions. */
const plainName = (name: CookieName, { req }: Context): string => `koine_${name}_${req.socket.localPort ?? 0}`;
/**
 * Over https only cookies with the prefix `__Host-` are read. Another host of the same domain, or a connection without
 * TLS, cannot set them: https://httpwg.org/http-extensions/draft-ietf-httpbis-rfc6265bis.html#section-4.1.3.2
 */
const nameOf = (name: CookieName, context: Context): string =>
  `${isSecure(context) ? '__Host-' : ''}${plainName(name, context)}`;

export function readCookie(context: Context, name: CookieName): string | undefined {
  const begin = `${nameOf(name, context)}=`;
  const found = context
    .get('cookie')
    .split(';')
    .find((cookie) => cookie.trim().startsWith(begin));
  return found?.trim().slice(begin.length);
}

/** Adds a cookie that scripts cannot read. @param life seconds; 0 deletes the cookie */
export function writeCookie(
  context: Context,
  name: CookieName,
  value: string,
  life: number,
  cookie = nameOf(name, context),
): void {
  const { sameSite, path } = cookies[name];
  const isHost = cookie.startsWith('__Host-');
  context.append(
    'set-cookie',
    `${cookie}=${value}; Path=${isHost ? '/' : path}; HttpOnly; SameSite=${sameSite}; Max-Age=${life}` +
      (isHost ? '; Secure' : ''),
  );
}

/** Deletes both cookies, and over https also those that were set without it. */
export function deleteCookies(context: Context): void {
  for (const name of ['admin', 'sign_in'] as const)
    for (const cookie of new Set([nameOf(name, context), plainName(name, context)]))
      writeCookie(context, name, '', 0, cookie);
}

/** The session id in the request's cookie. */
export const readSession = (context: Context): string | undefined => readCookie(context, 'admin');

export const writeSession = (
  context: Context,
  { id, lifeMs }: { readonly id: string; readonly lifeMs: number },
): void => writeCookie(context, 'admin', id, Math.floor(lifeMs / 1_000));

/** The longest `User-Agent` that is kept. */
const MAX_BROWSER = 200;
/** From where the person signs in, for the lists of sessions. */
export const readOrigin = (context: Context): Pick<SessionOrigin, 'address' | 'browser'> => ({
  address: context.req.socket.remoteAddress,
  browser: context
    .get('user-agent')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .slice(0, MAX_BROWSER),
});
