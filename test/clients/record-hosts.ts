import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that refuses every request, and records where it should have gone. */
export interface HostRecorder {
  readonly url: string;
  hosts(): readonly string[];
  close(): void;
}

export async function createHostRecorder(): Promise<HostRecorder> {
  const hosts = new Set<string>();
  const server = createServer((request, response) => {
    hosts.add(URL.parse(request.url ?? '')?.hostname ?? String(request.url));
    response.writeHead(403).end();
  });
  server.on('connect', (request, socket) => {
    hosts.add((request.url ?? '').replace(/:\d+$/, ''));
    socket.on('error', () => {}).end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hosts: () => [...hosts],
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
