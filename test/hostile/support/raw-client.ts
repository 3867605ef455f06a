import type { Socket } from 'node:net';
import { dial } from '../../support/raw.ts';

/** A connection whose bytes a test can see. */
export interface RawClient {
  readonly socket: Socket;
  received: string;
  /** The gateway will send no more. */
  ended: boolean;
  closed: boolean;
}

/** Sends this, and keeps its side open whatever the gateway does. */
export const openRaw = (url: string, text: string): Promise<RawClient> =>
  new Promise((resolve) => {
    const ready = (): void => {
      socket.write(text);
      resolve(client);
    };
    const socket = dial(url, ready, true);
    const client: RawClient = { socket, received: '', ended: false, closed: false };
    socket
      .setEncoding('latin1')
      .on('data', (chunk: string) => (client.received += chunk))
      .on('end', () => (client.ended = true))
      .on('close', () => (client.closed = true))
      .on('error', () => resolve(client));
  });

/** A chunk of a body that never ends. */
const PIECE = Buffer.alloc(65_536, 'a');
/** Writes in one turn of the event loop. */
const AT_ONCE = 100;
export const asChunk = (piece: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]);

/** Sends as much as the gateway reads, and returns how much that was and what came back. */
export const pour = (
  url: string,
  head: string,
  frame: (piece: Buffer) => Buffer,
): Promise<{ readonly sent: number; readonly received: string }> =>
  new Promise((resolve) => {
    let [received, sent] = ['', 0];
    const done = (): void => {
      socket.destroy();
      resolve({ sent, received });
    };
    const socket = dial(url, () => {
      socket.write(head);
      const write = (): void => {
        for (let count = 0; count < AT_ONCE && socket.writable; count += 1) {
          const piece = frame(PIECE);
          sent += piece.length;
          // A write that the kernel takes at once drains before the loop reads: what comes back would never be seen.
          if (!socket.write(piece)) return void socket.once('drain', () => setImmediate(write));
        }
        // The kernel can take small pieces as fast as they are written: what comes back is read in between.
        if (socket.writable) setImmediate(write);
      };
      write();
    });
    socket
      .setEncoding('latin1')
      .on('data', (chunk: string) => (received += chunk))
      .on('end', done)
      .on('error', done)
      .on('close', done);
  });
