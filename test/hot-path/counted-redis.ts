import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { startRedis } from '../support/servers/redis.ts';

/** A Redis, and the number of round trips to it. */
export interface CountedRedis {
  readonly url: string;
  /** Round trips: commands that are sent while others are pending belong to the same one. */
  readonly roundTrips: number;
  stop(): Promise<void>;
}

export const startCountedRedis = async (): Promise<CountedRedis> => {
  const redis = await startRedis();
  const sockets = new Set<Socket>();
  let roundTrips = 0;
  const server = createServer((client) => {
    const behind = connect(redis.port, '127.0.0.1');
    let isWaiting = false;
    client.setNoDelay(true).on('data', (sent) => {
      if (!isWaiting) roundTrips += 1;
      isWaiting = true;
      behind.write(sent);
    });
    behind.setNoDelay(true).on('data', (answer) => {
      isWaiting = false;
      client.write(answer);
    });
    for (const socket of [client, behind]) {
      sockets.add(socket);
      socket.on('error', () => {}).once('close', () => [client, behind].forEach((each) => each.destroy()));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get roundTrips() {
      return roundTrips;
    },
    stop: async () => {
      sockets.forEach((socket) => socket.destroy());
      await once(server.close(), 'close');
      await redis.stop();
    },
  };
};
