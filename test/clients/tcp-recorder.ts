import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Passes connections on to a server, and keeps what was sent in both directions. */
export interface TcpRecorder {
  readonly url: string;
  /** The bytes of all connections as Latin-1. */
  sent(): string;
  received(): string;
  close(): void;
}

/** @param to the address of the server */
export async function createTcpRecorder(to: URL): Promise<TcpRecorder> {
  const sent: Buffer[] = [];
  const received: Buffer[] = [];
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(to.port), to.hostname);
    near.on('data', (bytes) => sent.push(bytes)).pipe(far);
    far.on('data', (bytes) => received.push(bytes)).pipe(near);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on('error', () => other.destroy()).on('close', () => open.delete(socket));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const textOf = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString('latin1');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: () => textOf(sent),
    received: () => textOf(received),
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
