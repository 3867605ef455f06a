import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import type { Door } from '../exchange/door.ts';
import type { ReadBody } from './body.ts';
import { closeUnread } from './linger.ts';
import { keepSendable } from './sendable-headers.ts';

/** Resolves when the socket takes more, or is gone. */
const drained = async ({ res }: Context): Promise<void> => {
  const stop = new AbortController();
  await Promise.race([once(res, 'drain', { signal: stop.signal }), once(res, 'close', { signal: stop.signal })]).catch(() => {});
  stop.abort();
};

/** Above this length the copy costs more than the system call it saves. */
const COPY_BYTES = 65_536;

/**
 * Node joins headers and a first text into one piece, but sends bytes as a piece of their own: short bytes are written as latin1, in which
 * they are the same bytes.
 */
const writeBytes = (res: ServerResponse, bytes: string | Uint8Array): boolean => {
  if (typeof bytes === 'string' || bytes.byteLength > COPY_BYTES) return res.write(bytes);
  return res.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'), 'latin1');
};

/** Koa's response as an exchange sees it. Written directly: status and headers go out at commit, and each write is one chunk of whole frames. */
export const createDoor = (context: Context, readBody: ReadBody): Door => {
  const { res } = context;
  let sent = 0;
  const gone = (): boolean => res.destroyed || res.writableEnded;
  return {
    readBody: (meter) => readBody(context, meter),
    begin: (status, headers) => {
      context.respond = false;
      if (gone() || res.headersSent) return;
      if (status === 401) closeUnread(context);
      try {
        res.writeHead(status, headers);
      } catch {
        res.writeHead(status, keepSendable(headers));
      }
    },
    write: (bytes) => {
      if (gone()) return undefined;
      sent += typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.byteLength;
      return writeBytes(res, bytes) ? undefined : drained(context);
    },
    end: () => {
      context.respond = false;
      if (!gone()) res.end();
    },
    cut: () => {
      context.respond = false;
      res.destroy();
    },
    get begun() {
      return res.headersSent;
    },
    get sent() {
      return sent;
    },
  };
};
