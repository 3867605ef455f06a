import type { ChildProcess } from 'node:child_process';

interface Handle {
  close(): void;
}
const isOffer = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'act' in message && message.act === 'newconn';

/** The worker that each connection was offered to last. One that a worker declines is offered to another. */
const owners = new WeakMap<Handle, ChildProcess>();

/**
 * Node offers each connection to a worker, and closes its own handle when the worker has accepted it. If the worker
 * dies in between, Node keeps the handle open and the client waits forever.
 * @returns to be called when the worker is gone: closes the connection that was offered to it last
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
