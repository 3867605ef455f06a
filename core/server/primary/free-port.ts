import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createListenError } from '../../http/connection/listener.ts';

/** Below those that systems give to outgoing connections, which could take a port before the workers bind it. */
const [LOWEST, BEYOND] = [10_000, 32_768];
const TRIES = 20;

const tryToBind = async (host: string, port: number): Promise<void> => {
  const server = createServer();
  await once(server.listen(port, host), 'listening');
  server.close();
  await once(server, 'close');
};

/**
 * The port that the workers will share. It is bound once and released: so a port in use is found before any worker
 * starts, and port 0 becomes a number that later workers also get.
 * @throws GatewayError `KOINE_LISTEN_FAILED`
 */
export async function findFreePort({ host, port }: { readonly host: string; readonly port: number }): Promise<number> {
  for (let tries = port === 0 ? TRIES : 1; ; tries -= 1) {
    const candidate = port === 0 ? randomInt(LOWEST, BEYOND) : port;
    try {
      await tryToBind(host, candidate);
      return candidate;
    } catch (cause) {
      if (tries === 1) throw createListenError({ host, port }, cause);
    }
  }
}
