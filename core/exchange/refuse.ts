import type { Operation } from '../canonical/wire.ts';
import type { ClientSide } from '../contracts/codec.ts';
import type { RequestHead } from '../contracts/exchange.ts';
import type { Log } from '../contracts/services.ts';
import type { GatewayError } from '../errors.ts';
import type { ClientStream } from './client-stream.ts';
import type { Door } from './door.ts';
import { isBlamed } from './guard/blamed.ts';
import type { Progress } from './progress.ts';
import { idHeaders, replyHeaders } from './response-headers.ts';

const answer = (head: RequestHead, error: GatewayError, progress: Progress, door: Door, client: ClientSide<Operation>): void => {
  const encoded = client.encodeError(error, { requestId: head.id });
  const body = JSON.stringify(encoded.body);
  progress.status = encoded.status;
  door.begin(encoded.status, {
    ...(progress.exchange === undefined ? idHeaders(head) : replyHeaders(progress.exchange, progress, undefined)),
    ...(error.limits === undefined ? {} : client.encodeLimits?.(error.limits)),
    ...error.headers,
    ...encoded.headers,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  });
  void door.write(body);
};

/**
 * Answers an exchange that failed before its first content, in the wire of its route: as an HTTP error, or, when the stream has been
 * opened, as the error that this wire writes into streams. A client that left is told nothing.
 * @param stream undefined when the exchange does not stream
 */
export const refuseExchange = (head: RequestHead, error: GatewayError, progress: Progress, door: Door, client: ClientSide<Operation>, stream: ClientStream | undefined, log: Log): void => {
  progress.error = error;
  if ((error.code === 'internal_error' && !isBlamed(error)) || error.code === 'service_unavailable') log.error({ request_id: head.id, error: error.cause ?? error }, 'an exchange failed inside the gateway');
  if (error.code === 'client_closed') progress.status = error.status;
  else if (!door.begun) answer(head, error, progress, door, client);
  else if (stream !== undefined) {
    progress.status = 200;
    void door.write(stream.errorText(client, error));
  } else {
    // Who was promised so many bytes would wait for the rest.
    door.cut();
    return;
  }
  door.end();
};
