import { once } from 'node:events';
import { createServer } from 'node:net';
import { GatewayError } from '../../errors/gateway-error.ts';

/**
 * The port that the workers will share. It is bound once and released: so a port in use is found before any worker
 * starts, and port 0 becomes a number that later workers also get.
 * @throws GatewayError `KOINE_LISTEN_FAILED`
 */
export async function findFreePort({ host, port }: { readonly host: string; readonly port: number }): Promise<number> {
  const server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
  } catch (cause) {
    throw new GatewayError(
      'KOINE_LISTEN_FAILED',
      `${host}:${port} cannot be bound: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : port;
}
