import type { Log } from '../contracts/services.ts';
import type { GatewayError } from '../errors/gateway-error.ts';
import type { ClientConnection } from './client-connection.ts';
import type { ExchangeState } from './exchange-state.ts';
import { measureCost } from './cost-headers.ts';
import { isLogged } from './hooks/hook.ts';
import { idHeaders, replyHeaders } from './response-headers.ts';
import type { StreamOutput } from './stream-output.ts';

const sendError = (connection: ClientConnection, state: ExchangeState, error: GatewayError): void => {
  const {
    head,
    route: { client },
    exchange,
  } = state;
  const encoded = client.encodeError(error, { requestId: head.id });
  const body = JSON.stringify(encoded.body);
  state.status = encoded.status;
  connection.begin(encoded.status, {
    ...(exchange === undefined ? idHeaders(head) : replyHeaders(exchange, state, undefined)),
    ...(exchange !== undefined && state.tellsCost ? measureCost(exchange, state) : {}),
    ...(error.limits === undefined ? {} : client.encodeLimits?.(error.limits)),
    ...error.headers,
    ...encoded.headers,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  });
  connection.last(body);
};

const isUnexpected = (error: GatewayError): boolean =>
  (error.code === 'internal_error' && !isLogged(error)) || error.code === 'service_unavailable';

/**
 * Writes the error of an exchange that failed before its first content, in the wire of its route: as an HTTP error, or,
 * if the stream is already open, as an error event. A client that left gets nothing. The connection is ended after
 * `settle`.
 * @param stream undefined if the exchange is not streamed
 * @param created unix seconds
 */
export function refuse(
  connection: ClientConnection,
  state: ExchangeState,
  error: GatewayError,
  stream: StreamOutput | undefined,
  created: number,
  log: Log,
): void {
  const { head, exchange } = state;
  state.error = error;
  if (isUnexpected(error))
    log.error({ request_id: head.id, error: error.cause ?? error }, 'an exchange failed inside the gateway');
  if (error.code === 'client_closed') state.status = error.status;
  else if (!connection.begun) sendError(connection, state, error);
  else if (stream !== undefined && exchange !== undefined) {
    state.status = 200;
    stream.fail(exchange, state, error, created);
    // The client would wait for the rest, or take what it has for the whole.
  } else connection.cut();
}
