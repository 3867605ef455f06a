import type { Context, Middleware } from 'koa';
import type { AdminActor } from '../../contracts/admin.ts';
import type { Log } from '../../contracts/services.ts';
import { GatewayError, toGatewayError } from '../../errors/gateway-error.ts';
import {
  checkContentType,
  checkFetchSite,
  checkOrigin,
  checkPageHeader,
  createHostCheck,
  type AdminCheck,
} from './browser.ts';
import { readSession } from './login/cookie.ts';
import { readBearer } from './login/token.ts';
import { requiresLogin, tokenActor, type AdminAccess } from './access.ts';
import { addressOfLogin, isNavigation } from './login/login.ts';
import { goTo } from './login/login-page.ts';

/** A caller that passes the access check. */
interface AdminCaller {
  readonly by: 'token' | 'session' | 'loopback';
  readonly actor: AdminActor;
}

/** The person of the session, which ends if the directory does not confirm the person any more. */
const findPerson = async (
  { sessions, renewal, directory }: AdminAccess,
  context: Context,
): Promise<AdminActor | undefined> => {
  const session = readSession(context) ?? '';
  const found = sessions.find(session);
  const actor = found === undefined || renewal === undefined ? found : await renewal.renew(session, found);
  if (actor === undefined || directory === undefined || (await directory.confirms(actor))) return actor;
  sessions.close(session);
  return undefined;
};

/** @throws GatewayError */
const findCaller = async (access: AdminAccess, context: Context): Promise<AdminCaller | undefined> => {
  const { tokenCheck } = access;
  if (!requiresLogin(access)) return { by: 'loopback', actor: { name: 'loopback', role: 'admin' } };
  const given = readBearer(context);
  const actor = given === '' ? await findPerson(access, context) : undefined;
  if (actor !== undefined) return { by: 'session', actor };
  return tokenCheck?.accepts(given, context.req.socket.remoteAddress ?? '')
    ? { by: 'token', actor: tokenActor }
    : undefined;
};

const actors = new WeakMap<Context, AdminActor>();

/** The actor of a request that has passed the access check. */
export function readActor(context: Context): AdminActor {
  const actor = actors.get(context);
  if (actor === undefined) throw new GatewayError('internal_error', 'The access check was not called.');
  return actor;
}

/**
 * Checks the callers of the admin listener. With a token or an identity provider, they need the token or a session.
 * Without both, the listener is bound to loopback, and the check keeps out pages of other sites in a browser on this
 * machine. Refusals are logged. A browser that navigates without a session is redirected to the login.
 */
export function createAccessCheck(access: AdminAccess, log: Log): Middleware {
  const ofCallers: Readonly<Record<AdminCaller['by'], readonly AdminCheck[]>> = {
    loopback: [createHostCheck(access.host), checkOrigin, checkFetchSite, checkContentType],
    token: [checkOrigin, checkFetchSite, checkContentType],
    session: [checkOrigin, checkFetchSite, checkContentType, checkPageHeader],
  };
  const findRefusal = async (context: Context): Promise<GatewayError | undefined> => {
    try {
      const caller = await findCaller(access, context);
      if (caller === undefined)
        return new GatewayError(
          'invalid_api_key',
          access.tokenCheck === undefined
            ? 'Sign in with a browser at /admin/login. Programs need admin.token, which gateway.yaml does not have.'
            : 'The admin token is missing or wrong; send it as Authorization: Bearer.',
        );
      actors.set(context, caller.actor);
      for (const check of ofCallers[caller.by]) {
        const refusal = check(context);
        if (refusal !== undefined) return refusal;
      }
      return undefined;
    } catch (thrown) {
      return toGatewayError(thrown);
    }
  };
  return async (context, next) => {
    const refusal = await findRefusal(context);
    if (refusal === undefined) return next();
    if (refusal.code === 'invalid_api_key' && isNavigation(context)) {
      return goTo(context, addressOfLogin(context.url));
    }
    const { method, req } = context;
    const { code, message: reason } = refusal;
    log.warn({ address: req.socket.remoteAddress, method, code, reason }, 'admin call refused');
    throw refusal;
  };
}
