import { once } from 'node:events';
import type { Context } from 'koa';
import type { Door } from '../exchange/door.ts';
import type { ReadBody } from './body.ts';

/** Resolves when the socket takes more, or is gone. */
const drained = async ({ res }: Context): Promise<void> => {
  const stop = new AbortController();
  await Promise.race([once(res, 'drain', { signal: stop.signal }), once(res, 'close', { signal: stop.signal })]).catch(() => {});
  stop.abort();
};

/** Koa's response as an exchange sees it. Written directly: status and headers go out at commit, and each write is one chunk of whole frames. */
export const createDoor = (context: Context, readBody: ReadBody): Door => {
  const { res } = context;
  const gone = (): boolean => res.destroyed || res.writableEnded;
  return {
    readBody: () => readBody(context),
    begin: (status, headers) => {
      context.respond = false;
      if (gone() || res.headersSent) return;
      res.writeHead(status, headers);
    },
    write: (bytes) => {
      if (gone() || res.write(bytes)) return undefined;
      return drained(context);
    },
    end: () => {
      context.respond = false;
      if (!gone()) res.end();
    },
    get begun() {
      return res.headersSent;
    },
  };
};
