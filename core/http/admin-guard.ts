import { hash, timingSafeEqual } from 'node:crypto';
import type { Middleware } from 'koa';
import { GatewayError } from '../errors.ts';

const BEARER = /^bearer +/i;
const digest = (text: string): Uint8Array => hash('sha256', text, 'buffer');

/** Lets nobody past without the admin token, once one is set. Health stands before it. */
export const createAdminGuard = (token: string | undefined): Middleware => {
  if (token === undefined) return (_context, next) => next();
  const expected = digest(token);
  return (context, next) => {
    const given = context.get('authorization').replace(BEARER, '');
    if (!timingSafeEqual(digest(given), expected)) throw new GatewayError('invalid_api_key', 'The admin token is missing or wrong; send it as Authorization: Bearer.');
    return next();
  };
};
