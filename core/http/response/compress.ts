import type { Middleware } from 'koa';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Shorter bodies fit into one packet anyway. */
const MIN_LENGTH = 1024;
const compress = promisify(gzip);

/**
 * Sends long texts with gzip to clients that accept it. Responses to other methods than GET are left as they are: they
 * can have a secret beside text of the client, and the length of the compressed text would show what both have in
 * common.
 */
export const compressText: Middleware = async (context, next) => {
  await next();
  const { body } = context;
  if (context.method !== 'GET' || typeof body !== 'string' || body.length < MIN_LENGTH) return;
  context.vary('accept-encoding');
  if (context.acceptsEncodings('gzip', 'identity') !== 'gzip') return;
  context.body = await compress(body);
  context.set('content-encoding', 'gzip');
};
