import type { Context } from 'koa';
import type { SessionOrigin } from './sessions.ts';

/** Cookies ignore ports, so the name has the port: two gateways on one host keep separate sessions. */
const nameOf = (name: string, { req }: Context): string => `koine_${name}_${req.socket.localPort ?? 0}`;

/** Whether the browser uses https, also where a proxy in front of this listener ends it. */
export const isSecure = (context: Context): boolean => context.secure || context.get('x-forwarded-proto') === 'https';

export function readCookie(context: Context, name: string): string | undefined {
  const begin = `${nameOf(name, context)}=`;
  const found = context
    .get('cookie')
    .split(';')
    .find((cookie) => cookie.trim().startsWith(begin));
  return found?.trim().slice(begin.length);
}

interface CookieOptions {
  /** Seconds. 0 deletes the cookie. */
  readonly life: number;
  /** Strict: browsers do not send it with requests from other sites. Lax: only when they navigate to this site. */
  readonly sameSite: 'Strict' | 'Lax';
  readonly path: string;
}

/** Adds a cookie that scripts cannot read. */
export function writeCookie(
  context: Context,
  name: string,
  value: string,
  { life, sameSite, path }: CookieOptions,
): void {
  const secure = isSecure(context) ? '; Secure' : '';
  context.append(
    'set-cookie',
    `${nameOf(name, context)}=${value}; Path=${path}; HttpOnly; SameSite=${sameSite}; Max-Age=${life}${secure}`,
  );
}

const SESSION = 'admin';

/** The session id in the request's cookie. */
export const readSession = (context: Context): string | undefined => readCookie(context, SESSION);

/** @param session undefined deletes the cookie */
export const writeSession = (context: Context, session: { readonly id: string; readonly lifeMs: number } | undefined) =>
  writeCookie(context, SESSION, session?.id ?? '', {
    life: Math.floor((session?.lifeMs ?? 0) / 1_000),
    sameSite: 'Strict',
    path: '/',
  });

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
