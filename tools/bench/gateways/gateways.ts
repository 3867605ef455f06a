import { litellm } from '../peers/litellm.ts';
import type { Peer } from '../peers/peer.ts';
import { portkey } from '../peers/portkey.ts';
import { startPostgres } from '../../../test/support/servers/postgres.ts';
import { startRedis } from '../../../test/support/servers/redis.ts';
import { largeCatalog } from './large-catalog.ts';
import { withManyKeys } from './many-keys.ts';
import type { GatewayName, PeerName, Variant } from './names.ts';
import { startBare, startFloor, startKoine, type Running } from './processes.ts';
import { settingsOf } from './settings.ts';

export const peers: Readonly<Record<PeerName, Peer>> = { portkey, litellm };

interface Server {
  readonly url: string;
  stop(): Promise<void>;
}
/** A gateway that ends with the server it was started for. */
const withServer = async (server: Server, startBeside: (url: string) => Promise<Running>): Promise<Running> => {
  try {
    const running = await startBeside(server.url);
    return { ...running, stop: () => running.stop().then(server.stop) };
  } catch (error) {
    await server.stop();
    throw error;
  }
};

type StartVariant = (upstream: string, root?: string) => Promise<Running>;
const sqlite = { database: 'sqlite:./bench.db' };
const startVariant: Readonly<Record<Variant, StartVariant>> = {
  'two workers': (upstream, root) =>
    startKoine(settingsOf('governed', upstream, { server: { port: 0, workers: 2 } }), root),
  redis: async (upstream, root) =>
    withServer(await startRedis(), (redis) =>
      startKoine(settingsOf('governed', upstream, { store: { ...sqlite, redis } }), root),
    ),
  postgres: async (upstream, root) =>
    withServer(await startPostgres(), (database) =>
      startKoine(settingsOf('governed', upstream, { store: { database } }), root),
    ),
  'large catalog': async (upstream, root) => startKoine(settingsOf('governed', upstream, await largeCatalog()), root),
  'many keys': async (upstream, root) => startKoine(settingsOf('governed', upstream, await withManyKeys()), root),
};
const isVariant = (name: GatewayName): name is Variant => name in startVariant;
const isPeer = (name: GatewayName): name is PeerName => name in peers;

/** Starts a gateway. @param root another checkout or installed build of Koine, else this one */
export async function startGateway(name: GatewayName, upstream: Running, root?: string): Promise<Running> {
  if (name === 'upstream') return { ...upstream, stop: async () => {} };
  if (name === 'floor') return startFloor(upstream.url);
  if (name === 'bare') return startBare(upstream.url);
  if (isPeer(name)) return { ...(await peers[name].start(upstream.url)), headers: peers[name].headers(upstream.url) };
  if (isVariant(name)) return startVariant[name](upstream.url, root);
  return startKoine(settingsOf(name, upstream.url), root);
}
