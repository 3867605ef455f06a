import type { Context } from 'koa';
import { SESSION_MS } from './sessions.ts';

/** Cookies ignore ports, so the name has the port: two gateways on one host keep separate sessions. */
const nameOf = ({ req }: Context): string => `koine_admin_${req.socket.localPort ?? 0}`;

/** The session id in the request's cookie. */
export function readSession(context: Context): string | undefined {
  const begin = `${nameOf(context)}=`;
  const found = context
    .get('cookie')
    .split(';')
    .find((cookie) => cookie.trim().startsWith(begin));
  return found?.trim().slice(begin.length);
}

/**
 * Sets the cookie. Scripts cannot read it, and browsers do not send it for other sites.
 * @param id undefined deletes it
 */
export function writeSession(context: Context, id: string | undefined): void {
  const isSecure = context.secure || context.get('x-forwarded-proto') === 'https';
  const life = id === undefined ? 0 : SESSION_MS / 1_000;
  context.set(
    'set-cookie',
    `${nameOf(context)}=${id ?? ''}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${life}${isSecure ? '; Secure' : ''}`,
  );
}
