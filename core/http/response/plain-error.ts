import type { Context } from 'koa';
import type { Operation } from '../../canonical/wire.ts';
import type { ClientSide } from '../../contracts/codec.ts';
import type { MiddlewareContext } from '../../contracts/exchange.ts';
import { describeAccessError, type GatewayError } from '../../errors/gateway-error.ts';
import { idHeaders } from '../../exchange/response-headers.ts';
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

/**
 * Writes an error of a middleware in the wire of the route that was called.
 * @param client undefined if the request is not for an exchange
 */
export function writeRouteError(
  context: Context,
  error: GatewayError,
  client: ClientSide<Operation> | undefined,
): void {
  const { requestId } = context as Context & MiddlewareContext;
  context.set(idHeaders({ id: requestId }));
  if (client === undefined) return writePlainError(context, error);
  const { status, headers, body } = client.encodeError(error, { requestId });
  const limits = error.limits === undefined ? {} : client.encodeLimits?.(error.limits);
  context.status = status;
  context.set(keepSendable({ ...limits, ...error.headers, ...headers }));
  context.body = body;
}
