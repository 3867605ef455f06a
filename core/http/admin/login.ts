import type { Context, Middleware } from 'koa';
import type { Log } from '../../contracts/services.ts';
import { GatewayError, toGatewayError } from '../../errors/gateway-error.ts';
import { createBodyReader } from '../request/body.ts';
import { checkFetchSite, checkOrigin } from './browser.ts';
import { readSession, writeSession } from './cookie.ts';
import type { AdminAccess } from './access.ts';
import { loginHeaders, writeLoginPage } from './login-page.ts';

const LOGIN = '/admin/login';
const LOGOUT = '/admin/logout';
const readForm = createBodyReader({ limit: 8_192, origin: ' for its login' });

/** Whether this is a browser that navigates to a page, not a script that fetches data. */
export const isNavigation = (context: Context): boolean =>
  context.method === 'GET' && context.get('accept').includes('text/html');
export const addressOfLogin = (next: string): string => `${LOGIN}?next=${encodeURIComponent(next)}`;

const HERE = 'http://here';
/** The page after the login: only a page of this listener, so that a link cannot redirect to another site. */
const readNext = (given: string | null): string => {
  if (given === null || !given.startsWith('/') || !URL.canParse(given, HERE)) return '/';
  const { pathname, search } = new URL(given, HERE);
  return !pathname.startsWith('//') && pathname !== LOGIN ? pathname + search : '/';
};

const goTo = (context: Context, address: string): void => {
  context.status = 303;
  context.set('location', address);
  context.body = '';
};
const showForm = (context: Context, next: string, problem?: GatewayError): void => {
  context.status = problem?.status ?? 200;
  context.set({ ...loginHeaders });
  if (problem?.publicRetrySeconds !== undefined) context.set('retry-after', String(problem.publicRetrySeconds));
  context.body = writeLoginPage(next, problem?.message);
};

/**
 * The login page and the logout, for people with a browser, before the guard. Without a token there is no login.
 */
export function createLogin({ tokenCheck, sessions }: AdminAccess, log: Log): Middleware {
  const signIn = async (context: Context): Promise<void> => {
    const form = new URLSearchParams(new TextDecoder().decode(await readForm(context.req, context.res)));
    const next = readNext(form.get('next'));
    const address = context.req.socket.remoteAddress ?? '';
    try {
      const refusal = checkOrigin(context) ?? checkFetchSite(context);
      if (refusal !== undefined) throw refusal;
      if (tokenCheck?.accepts(form.get('token') ?? '', address) === false)
        throw new GatewayError('invalid_api_key', 'This is not the admin token of this gateway.');
    } catch (thrown) {
      const error = toGatewayError(thrown);
      log.warn({ address, method: 'POST', code: error.code, reason: error.message }, 'admin call refused');
      showForm(context, next, error);
      return;
    }
    if (tokenCheck !== undefined) {
      writeSession(context, sessions.open());
      log.info({ who: 'token', address, call: `POST ${LOGIN}`, status: 303 }, 'admin call');
    }
    goTo(context, next);
  };
  const signOut = (context: Context): void => {
    const refusal = checkOrigin(context) ?? checkFetchSite(context);
    if (refusal !== undefined) throw refusal;
    const session = readSession(context);
    if (session !== undefined) sessions.close(session);
    writeSession(context, undefined);
    goTo(context, tokenCheck === undefined ? '/' : LOGIN);
  };
  return async (context, next) => {
    const call = `${context.method} ${context.path}`;
    if (call === `GET ${LOGIN}`) {
      const wanted = readNext(new URLSearchParams(context.querystring).get('next'));
      const session = readSession(context);
      if (tokenCheck === undefined || (session !== undefined && sessions.has(session))) goTo(context, wanted);
      else showForm(context, wanted);
    } else if (call === `POST ${LOGIN}`) await signIn(context);
    else if (call === `POST ${LOGOUT}`) signOut(context);
    else await next();
  };
}
