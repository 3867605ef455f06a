import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A slow proxy for a local port. */
export interface Proxy {
  readonly url: string;
  stop(): Promise<void>;
}

/** @param delayMs for each direction */
export const startProxy = async (port: number, delayMs: number): Promise<Proxy> => {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => setTimeout(() => to.write(chunk), delayMs));
      from.on('error', () => {}).once('close', () => to.destroy());
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
