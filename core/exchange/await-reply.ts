import type { Exchange } from '../contracts/exchange.ts';
import type { Reply } from '../contracts/reply.ts';
import type { Dispatch } from '../dispatch/dispatcher.ts';
import type { ClientStream } from './client-stream.ts';
import type { Door } from './door.ts';
import type { Progress } from './progress.ts';
import { replyHeaders, streamHeaders } from './response-headers.ts';

/** Milliseconds. */
export interface StreamTimes {
  readonly openAfter: number;
  readonly keepaliveEvery: number;
}

/** Sends the attempts on their way and keeps the trail of them. */
export const attempt = (dispatch: Dispatch, exchange: Exchange, progress: Progress): Promise<Reply> =>
  dispatch(exchange, {
    begin: (target) => {
      progress.target = target;
      progress.provider = target.provider;
    },
    add: (record) => {
      progress.attempts.push(record);
      delete progress.target;
    },
  });

/**
 * Waits for the commit of a stream. One that takes longer than `openAfter` is opened meanwhile: status and keepalives go out,
 * so that the client sees life, and failover is still possible.
 */
export const awaitStream = async (pending: Promise<Reply>, exchange: Exchange, progress: Progress, door: Door, stream: ClientStream, times: StreamTimes): Promise<Reply> => {
  let waiting = false;
  const beat = (): void => {
    timer = setTimeout(beat, times.keepaliveEvery);
    if (waiting) return;
    if (!door.begun) door.begin(200, { ...replyHeaders(exchange, progress, undefined), ...streamHeaders, 'content-type': stream.contentType });
    const full = door.write(stream.writer.idle());
    if (full === undefined) return;
    // The client has stopped reading: life signs would only pile up.
    waiting = true;
    void full.finally(() => {
      waiting = false;
    });
  };
  let timer = setTimeout(beat, times.openAfter);
  try {
    return await pending;
  } finally {
    clearTimeout(timer);
  }
};
