import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { AdminReply } from '../../contracts/admin.ts';

/** Writes the reply of an admin call or of a plugin's endpoint. */
export function writeReply(context: Context, { status = 200, headers = {}, body }: AdminReply): void {
  context.status = status;
  context.set({ ...headers });
  if (typeof body === 'string' || body instanceof Readable) context.body = body;
  else {
    context.type = 'json';
    context.body = JSON.stringify(body);
  }
}
