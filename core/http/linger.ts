import type { Socket } from 'node:net';

/** How long a client may go on sending what nobody keeps. */
const LINGER_MS = 1_000;

/**
 * A connection that is closed with bytes unread is reset, and the client may lose the answer with it. This one, once it is to end, says so and goes
 * on reading for a moment.
 */
export const lingerAtEnd = (socket: Socket): void => {
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
};
