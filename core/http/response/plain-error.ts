import type { Context } from 'koa';
import { describeAccessError, type GatewayError } from '../../errors/gateway-error.ts';
import { keepSendable } from './sendable-headers.ts';

/** The body of an error outside every wire: in the chat-completions shape, which most clients can read. */
export const describePlainError = (error: GatewayError): object => ({
  error: describeAccessError(error) ?? {
    message: error.publicMessage,
    type: error.status < 500 ? 'invalid_request_error' : 'server_error',
    param: error.param ?? null,
    code: error.code,
  },
});

/** An error outside every wire (unknown path, health, a failing middleware). */
export function writePlainError(context: Context, error: GatewayError): void {
  context.status = error.status;
  context.set(keepSendable({ ...error.headers }));
  if (error.publicRetrySeconds !== undefined) context.set('retry-after', String(error.publicRetrySeconds));
  if (error.failure === 'quota') context.set('x-should-retry', 'false');
  context.body = describePlainError(error);
}
