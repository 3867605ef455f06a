import { hash, timingSafeEqual } from 'node:crypto';
import type { Middleware } from 'koa';
import type { GatewayConfig } from '../../config/gateway-config.ts';
import type { Log } from '../../contracts/services.ts';
import { GatewayError } from '../../errors.ts';
import { checkContentType, checkOrigin, createHostCheck, type AdminCheck } from './browser.ts';

const BEARER = /^bearer +/i;
const digest = (text: string): Uint8Array => hash('sha256', text, 'buffer');

const createTokenCheck = (token: string): AdminCheck => {
  const expected = digest(token);
  return (context) => {
    const given = context.get('authorization').replace(BEARER, '');
    return timingSafeEqual(digest(given), expected) ? undefined : new GatewayError('invalid_api_key', 'The admin token is missing or wrong; send it as Authorization: Bearer.');
  };
};

/**
 * Who may pass. With a token: whoever has it. Without one the listener is bound to loopback, and what has to be kept out are pages of other
 * sites in a browser of this machine. Whoever is sent away stands in the log.
 */
export const createAdminGuard = ({ token, host }: Pick<GatewayConfig['admin'], 'token' | 'host'>, log: Log): Middleware => {
  const checks: readonly AdminCheck[] = [token === undefined ? createHostCheck(host) : createTokenCheck(token), checkOrigin, checkContentType];
  return (context, next) => {
    for (const check of checks) {
      const refusal = check(context);
      if (refusal === undefined) continue;
      log.warn({ address: context.req.socket.remoteAddress, method: context.method, code: refusal.code, reason: refusal.message }, 'admin call refused');
      throw refusal;
    }
    return next();
  };
};
