import type { Context, Middleware } from 'koa';
import type { Log } from '../../../contracts/services.ts';
import { GatewayError, toGatewayError } from '../../../errors/gateway-error.ts';
import { createBodyReader } from '../../request/body.ts';
import { checkFetchSite, checkOrigin } from '../browser.ts';
import { deleteCookies, readOrigin, readSession, writeSession } from './cookie.ts';
import { requiresLogin, tokenActor, type AdminAccess } from '../access.ts';
import type { RecordCall } from '../audit/record-call.ts';
import { goTo, showPage, writeLoginPage, type LoginWays } from './login-page.ts';
import { BACK_CHANNEL } from './oidc/back-channel.ts';
import { BEGIN, CALLBACK, createOidcSteps, type OidcSteps } from './oidc/sign-in.ts';

const LOGIN = '/admin/login';
const LOGOUT = '/admin/logout';
/** The lifetime of a session of the admin token. */
const SESSION_MS = 12 * 3_600_000;
const readForm = createBodyReader({ limit: 8_192, origin: ' for its login' });

/** Whether this is a browser that navigates to a page, not a script that fetches data. */
export const isNavigation = (context: Context): boolean =>
  context.method === 'GET' && context.get('accept').includes('text/html');
export const addressOfLogin = (next: string): string => `${LOGIN}?next=${encodeURIComponent(next)}`;

const HERE = 'http://here';
/** Longer addresses do not fit into the cookie of a sign-in at the provider. */
const MAX_NEXT = 2_000;
/** The page after the login: only a page of this listener, so that a link cannot redirect to another site. */
const readNext = (given: string | null): string => {
  if (given === null || !given.startsWith('/') || !URL.canParse(given, HERE)) return '/';
  const { pathname, search, hash } = new URL(given, HERE);
  const next = pathname + search + hash;
  return !pathname.startsWith('//') && !pathname.startsWith(LOGIN) && next.length <= MAX_NEXT ? next : '/';
};

/** The session ends in any case, and the one at the provider if `admin.oidc.signOut` says so. */
const signOut = async (
  context: Context,
  access: AdminAccess,
  record: RecordCall,
  steps: OidcSteps | undefined,
): Promise<void> => {
  const refusal = checkOrigin(context) ?? checkFetchSite(context);
  if (refusal !== undefined) throw refusal;
  const session = readSession(context);
  const actor = access.sessions.find(session);
  const idToken = session === undefined ? undefined : access.sessions.close(session);
  if (actor !== undefined) {
    await record(context, actor, `POST ${LOGOUT}`, { status: 303 });
  }
  deleteCookies(context);
  if (steps !== undefined && idToken !== undefined) await steps.end(context, idToken);
  else goTo(context, requiresLogin(access) ? LOGIN : '/');
};

/** @throws GatewayError for a wrong token, and for a form of another site */
const checkToken = (context: Context, access: AdminAccess, token: string, address: string): void => {
  const refusal = checkOrigin(context) ?? checkFetchSite(context);
  if (refusal !== undefined) throw refusal;
  if (access.tokenCheck?.accepts(token, address) !== true && requiresLogin(access))
    throw new GatewayError('invalid_api_key', 'This is not the admin token of this gateway.');
};

/** What a call of the browser or of the identity provider does. */
const findStep = (
  steps: OidcSteps | undefined,
  call: string,
): ((context: Context, next: string) => Promise<void>) | undefined => {
  if (call === `GET ${BEGIN}`) return steps?.begin;
  if (call === `GET ${CALLBACK}`) return steps?.finish;
  return call === `POST ${BACK_CHANNEL}` ? steps?.endByProvider : undefined;
};

/**
 * The login page and the logout, for people with a browser, before the access check. Without a token and an identity
 * provider there is no login.
 */
export function createLogin(access: AdminAccess, log: Log, record: RecordCall): Middleware {
  const { tokenCheck, oidc, sessions } = access;
  const steps = oidc && createOidcSteps(oidc, access, log, record);
  const ways: LoginWays = {
    hasToken: tokenCheck !== undefined,
    provider: oidc && { host: new URL(oidc.config.issuer).host, begin: BEGIN },
  };
  const showForm = (context: Context, next: string, problem?: GatewayError): void => {
    if (problem?.publicRetrySeconds !== undefined) context.set('retry-after', String(problem.publicRetrySeconds));
    const isFromOtherSite = context.get('sec-fetch-site') === 'cross-site';
    showPage(
      context,
      problem?.status ?? 200,
      writeLoginPage(ways, { next, problem: problem?.message, isFromOtherSite }),
    );
  };
  const signIn = async (context: Context): Promise<void> => {
    const form = new URLSearchParams(new TextDecoder().decode(await readForm(context.req, context.res)));
    const next = readNext(form.get('next'));
    const address = context.req.socket.remoteAddress ?? '';
    try {
      checkToken(context, access, form.get('token') ?? '', address);
    } catch (thrown) {
      const error = toGatewayError(thrown);
      log.warn({ address, method: 'POST', code: error.code, reason: error.message }, 'admin call refused');
      showForm(context, next, error);
      return;
    }
    if (tokenCheck !== undefined) {
      writeSession(context, { id: sessions.open(tokenActor, SESSION_MS, readOrigin(context)), lifeMs: SESSION_MS });
      await record(context, tokenActor, `POST ${LOGIN}`, { status: 303 });
    }
    goTo(context, next);
  };
  return async (context, next) => {
    const call = `${context.method} ${context.path}`;
    const wanted = (): string => readNext(new URLSearchParams(context.querystring).get('next'));
    if (call === `GET ${LOGIN}`) {
      if (!requiresLogin(access) || sessions.find(readSession(context)) !== undefined) goTo(context, wanted());
      else showForm(context, wanted());
    } else if (call === `POST ${LOGIN}`) await signIn(context);
    else if (call === `POST ${LOGOUT}`) await signOut(context, access, record, steps);
    else await (findStep(steps, call)?.(context, wanted()) ?? next());
  };
}
