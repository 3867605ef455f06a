import type { Context } from 'koa';
import { SESSION_MS } from './sessions.ts';

const NAME = 'koine_admin';
const VALUE = new RegExp(`(?:^|;)\\s*${NAME}=([\\w-]+)`);

/** The id of the session that a browser says it has. */
export const readSession = (context: Context): string | undefined => VALUE.exec(context.get('cookie'))?.[1];

/** Scripts cannot read it, and no other site makes a browser send it. */
export const writeSession = (context: Context, id: string | undefined): void => {
  const isSecure = context.secure || context.get('x-forwarded-proto') === 'https';
  const life = id === undefined ? 0 : SESSION_MS / 1_000;
  context.set('set-cookie', `${NAME}=${id ?? ''}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${life}${isSecure ? '; Secure' : ''}`);
};
