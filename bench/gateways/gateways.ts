import type { GatewayName } from '../measure/lanes.ts';
import { startBare, startKoine, type Running } from './processes.ts';
import { settingsOf } from './settings.ts';

/** Starts a gateway. @param root another checkout or installed build of Koine, else this one */
export const startGateway = async (name: GatewayName, upstream: Running, root?: string): Promise<Running> => {
  if (name === 'upstream') return { ...upstream, stop: async () => {} };
  if (name === 'bare') return startBare(upstream.url);
  if (name === 'portkey' || name === 'litellm') throw new Error('not yet');
  return startKoine(settingsOf(name, upstream.url), root);
};
