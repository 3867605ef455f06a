import type { Context } from 'koa';
import { describeAccessError, type GatewayError } from '../../errors/gateway-error.ts';
import { keepSendable } from './sendable-headers.ts';

/** The body of an error outside of any wire, in the shape of chat-completions, which most clients can read. */
export const describePlainError = (error: GatewayError): object => ({
  error: describeAccessError(error) ?? {
    message: error.publicMessage,
    type: error.status < 500 ? 'invalid_request_error' : 'server_error',
    param: error.param ?? null,
    code: error.code,
  },
});

/** Writes an error outside of any wire: an unknown path, a failing middleware. */
export function writePlainError(context: Context, error: GatewayError): void {
  context.status = error.status;
  context.set(keepSendable({ ...error.headers }));
  if (error.publicRetrySeconds !== undefined) context.set('retry-after', String(error.publicRetrySeconds));
  if (error.failure === 'quota') context.set('x-should-retry', 'false');
  context.body = describePlainError(error);
}
