import type { Operation } from '../canonical/wire.ts';
import type { ClientSide } from '../contracts/codec.ts';
import type { Exchange } from '../contracts/exchange.ts';
import type { Reply } from '../contracts/reply.ts';
import type { ClientStream } from './client-stream.ts';
import type { Door } from './door.ts';
import { createKeepalive } from './keepalive.ts';
import type { Progress } from './progress.ts';
import { replyHeaders, streamHeaders } from './response-headers.ts';

/** A whole answer, in one piece. What goes wrong before it is written can still be refused. */
export const deliverPlain = async (exchange: Exchange, reply: Reply, progress: Progress, door: Door): Promise<void> => {
  const begin = (): void => {
    if (!door.begun) door.begin(reply.status, { ...replyHeaders(exchange, progress, reply), ...reply.headers });
  };
  progress.ending = await reply.deliver({
    write: (bytes) => {
      begin();
      return door.write(bytes);
    },
  });
  begin();
  door.end();
};

/** A stream that has its first content, to its end, with life signs where the upstream is silent. */
export const deliverStream = async (
  exchange: Exchange,
  reply: Reply,
  progress: Progress,
  door: Door,
  stream: ClientStream,
  client: ClientSide<Operation>,
  keepaliveEvery: number,
): Promise<void> => {
  if (!door.begun) door.begin(reply.status, { ...replyHeaders(exchange, progress, reply), ...streamHeaders, ...reply.headers });
  const output = createKeepalive(door, stream.keepalive(client), keepaliveEvery);
  try {
    progress.ending = await reply.deliver(output);
  } finally {
    output.stop();
  }
  door.end();
};
