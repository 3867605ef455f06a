import type { ClientRequest, IncomingMessage, Server } from 'node:http';
import { duplexPair, type Duplex } from 'node:stream';
import { request } from '../../services/network/node-http.ts';

/** What only the connection of the upgrade has, or what the body decides. */
const OWN: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);
const isOwn = (name: string): boolean => OWN.has(name) || name.startsWith('sec-websocket-');

/** The two ends of a connection within this process. The server sees the address of the client. */
const connect = ({ socket }: IncomingMessage): readonly [near: Duplex, far: Duplex] => {
  const [near, far] = duplexPair();
  near.once('close', () => far.destroy());
  far.once('close', () => near.destroy());
  const { remoteAddress, remotePort } = socket;
  return [near, Object.assign(far, { remoteAddress, remotePort })];
};

/**
 * Sends a POST to a server of this process, over a connection in memory: the request has the path, the headers and the
 * client address of an upgrade, and is served like any other.
 * https://nodejs.org/api/http.html#event-connection
 * @param event on which the server accepts connections
 */
export function sendInMemory(
  server: Server,
  event: 'connection' | 'secureConnection',
  upgrade: IncomingMessage,
  body: Uint8Array,
): ClientRequest {
  const [near, far] = connect(upgrade);
  const headers = Object.fromEntries(Object.entries(upgrade.headers).filter(([name]) => !isOwn(name)));
  const sent = request({
    createConnection: () => near,
    method: 'POST',
    path: upgrade.url,
    headers: { ...headers, 'content-type': 'application/json', 'content-length': body.byteLength },
  });
  server.emit(event, far);
  sent.end(body);
  return sent;
}
