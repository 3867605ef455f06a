import type { Context } from 'koa';
import { SESSION_MS } from './sessions.ts';

/** Cookies know no ports: by its own the sessions of two gateways on one host stay apart. */
const nameOf = ({ req }: Context): string => `koine_admin_${req.socket.localPort ?? 0}`;

/** The id of the session that a browser says it has. */
export function readSession(context: Context): string | undefined {
  const begin = `${nameOf(context)}=`;
  const found = context
    .get('cookie')
    .split(';')
    .find((cookie) => cookie.trim().startsWith(begin));
  return found?.trim().slice(begin.length);
}

/** Scripts cannot read it, and no other site makes a browser send it. @param id undefined: forget it */
export function writeSession(context: Context, id: string | undefined): void {
  const isSecure = context.secure || context.get('x-forwarded-proto') === 'https';
  const life = id === undefined ? 0 : SESSION_MS / 1_000;
  context.set(
    'set-cookie',
    `${nameOf(context)}=${id ?? ''}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${life}${isSecure ? '; Secure' : ''}`,
  );
}
