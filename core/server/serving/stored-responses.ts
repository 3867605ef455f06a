import { randomUUID } from 'node:crypto';
import type { KeepStored } from '../../dispatch/dispatcher.ts';
import { StoredClient } from '../../dispatch/stored-client.ts';
import { BackgroundResponses, type BackgroundParts } from '../../exchange/background/background.ts';
import { BackgroundRecords } from '../../services/background/records.ts';
import type { VendorState } from '../../services/vendor-state/vendor-state.ts';
import type { Runtime } from '../runtime.ts';
import type { StartedProviders } from './start-extensions.ts';

export const createStoredClient = (
  { loaded: { config, registry } }: Runtime,
  { providers, transports }: StartedProviders,
): StoredClient =>
  new StoredClient({
    providers,
    codec: registry.codec,
    transport: (provider) => transports.get(provider),
    timeouts: (provider) => config.providers[provider]?.timeouts,
  });

/** Where background responses are recorded. It follows none before it is started. */
export const createBackground = (
  { loaded: { config }, database, metrics }: Runtime,
  parts: Omit<BackgroundParts, 'records' | 'metrics' | 'timeout'>,
): BackgroundResponses =>
  new BackgroundResponses({
    ...parts,
    records: new BackgroundRecords(database, randomUUID()),
    metrics,
    timeout: config.server.backgroundTimeout,
  });

/** Records what responses create at vendors, and background responses, before their clients have the ids. */
export const createKeepStored =
  (vendorState: VendorState, background: BackgroundResponses): KeepStored =>
  (exchange, target, credential, ids) => {
    const { caller, stored } = exchange;
    const keeping = vendorState.keep(
      caller,
      { provider: target.provider, credential },
      // A response repeats ids of its request. Those without a record stay without one.
      stored === undefined || stored.place !== undefined ? ids : ids.filter((id) => !stored.ids.includes(id)),
    );
    const [response] = ids;
    if (exchange.operation !== 'generate' || exchange.request.deferred === undefined || response === undefined)
      return keeping;
    const beginning = background.begin(exchange, target, credential, response);
    return keeping === undefined ? beginning : keeping.then(() => beginning);
  };
