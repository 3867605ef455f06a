import type { Context } from 'koa';
import type { MiddlewareContext } from '../../contracts/exchange.ts';
import { describeAccessError, type GatewayError } from '../../errors/gateway-error.ts';
import type { DirectClient } from '../direct/direct-request.ts';
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
  if (error.isFinal) context.set('x-should-retry', 'false');
  context.body = describePlainError(error);
}

/**
 * Writes the error of a request that Koa serves in the wire that its client reads.
 * @param client undefined if the wire is not known
 */
export function writeRouteError(context: Context, error: GatewayError, client: DirectClient | undefined): void {
  const { requestId } = context as Context & MiddlewareContext;
  if (error.limits !== undefined) context.set(keepSendable({ ...client?.encodeLimits?.(error.limits) }));
  if (client?.encodeError === undefined) return writePlainError(context, error);
  const { status, headers, body } = client.encodeError(error, { requestId });
  context.status = status;
  context.set(keepSendable({ ...error.headers, ...headers }));
  context.body = body;
}
