import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A closed port that stays closed: it lies below the range from which systems take the ports of servers that listen
 * on port 0, so that no test that runs in parallel gets it.
 */
export const freePort = async (): Promise<number> => {
  const port = randomInt(20_000, 30_000);
  const server = createServer();
  const bound = await new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!bound) return freePort();
  await new Promise((resolve) => server.close(resolve));
  return port;
};
