import type { ChildProcess } from 'node:child_process';

interface Handle {
  close(): void;
}
const isOffer = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'act' in message && message.act === 'newconn';

/** To which worker a connection was offered last: one that declines passes it on. */
const owners = new WeakMap<Handle, ChildProcess>();

/**
 * Node offers each connection to a worker and closes its own hold of it when the worker has taken it. A worker that dies in between never
 * says so, Node keeps its hold, and the client would wait for ever.
 * @returns to be called when the worker is gone: closes what was offered to it last
 */
export function watchOffers(child: ChildProcess): () => void {
  let last: Handle | undefined;
  child.send = new Proxy(child.send, {
    apply: (send, self, args: readonly unknown[]): boolean => {
      const [message, handle] = args;
      if (isOffer(message)) {
        last = handle as Handle;
        owners.set(last, child);
      }
      return Reflect.apply(send, self, args) as boolean;
    },
  });
  return () => {
    if (last !== undefined && owners.get(last) === child) last.close();
  };
}
