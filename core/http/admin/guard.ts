import type { Context, Middleware } from 'koa';
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
import { readSession } from './cookie.ts';
import type { AdminAccess } from './access.ts';
import { addressOfLogin, isNavigation } from './login.ts';

/** How a caller has passed the guard. */
export type AdminCaller = 'token' | 'session' | 'loopback';

const BEARER = /^bearer +/i;

/** @throws GatewayError */
const findCaller = ({ tokenCheck, sessions }: AdminAccess, context: Context): AdminCaller | undefined => {
  if (tokenCheck === undefined) return 'loopback';
  const given = context.get('authorization').replace(BEARER, '');
  const session = given === '' ? readSession(context) : undefined;
  if (session !== undefined && sessions.has(session)) return 'session';
  return tokenCheck.accepts(given, context.req.socket.remoteAddress ?? '') ? 'token' : undefined;
};

const callers = new WeakMap<Context, AdminCaller>();
export const readCaller = (context: Context): AdminCaller | undefined => callers.get(context);

/**
 * Guards the admin listener. With a token, callers need the token or a session. Without one, the listener is bound to
 * loopback, and the guard keeps out pages of other sites in a browser on this machine. Refusals are logged. A browser
 * that navigates without a session is redirected to the login.
 */
export function createAdminGuard(access: AdminAccess, log: Log): Middleware {
  const ofCallers: Readonly<Record<AdminCaller, readonly AdminCheck[]>> = {
    loopback: [createHostCheck(access.host), checkOrigin, checkFetchSite, checkContentType],
    token: [checkOrigin, checkFetchSite, checkContentType],
    session: [checkOrigin, checkFetchSite, checkContentType, checkPageHeader],
  };
  const findRefusal = (context: Context): GatewayError | undefined => {
    try {
      const caller = findCaller(access, context);
      if (caller === undefined)
        return new GatewayError(
          'invalid_api_key',
          'The admin token is missing or wrong; send it as Authorization: Bearer.',
        );
      callers.set(context, caller);
      for (const check of ofCallers[caller]) {
        const refusal = check(context);
        if (refusal !== undefined) return refusal;
      }
      return undefined;
    } catch (thrown) {
      return toGatewayError(thrown);
    }
  };
  return (context, next) => {
    const refusal = findRefusal(context);
    if (refusal === undefined) return next();
    if (refusal.code === 'invalid_api_key' && isNavigation(context)) {
      context.status = 303;
      context.set('location', addressOfLogin(context.url));
      context.body = '';
      return undefined;
    }
    log.warn(
      {
        address: context.req.socket.remoteAddress,
        method: context.method,
        code: refusal.code,
        reason: refusal.message,
      },
      'admin call refused',
    );
    throw refusal;
  };
}
