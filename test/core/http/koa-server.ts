import { once } from 'node:events';
import { connect } from 'node:net';
import type { RequestListener } from 'node:http';
import { listen, type Listener } from '../../../core/http/connection/listener.ts';

/** A listener on a free port of this machine. */
export const startListener = (handler: RequestListener): Promise<Listener> =>
  listen(handler, { host: '127.0.0.1', port: 0 });

/** Cuts open connections, and waits until the listener has closed. */
export const stopListener = async (listener: Listener): Promise<void> => {
  const drained = listener.drain();
  listener.cut();
  await drained;
};

/** Sends exactly these bytes on a new connection, and returns what is received until the other side closes. */
export const sendRaw = async (port: number, bytes: string | Uint8Array): Promise<string> => {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(bytes);
  if (!socket.closed) await once(socket, 'close');
  return text;
};
