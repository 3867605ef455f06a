import { listPricedTargets, recordPrices } from '../../catalog/price-history.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { Clock, Log } from '../../contracts/services.ts';
import type { Database } from '../../services/database/database.ts';

interface Parts {
  readonly loaded: Pick<LoadedConfig, 'config' | 'extensions'>;
  readonly database: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'warn'>;
}

/** Adds the prices of a configuration that comes into force to their history. It comes into force all the same where the database is away. */
export async function keepPrices({ loaded, database, clock, log }: Parts): Promise<void> {
  try {
    await recordPrices(database, listPricedTargets(loaded), clock.now());
  } catch (error) {
    log.warn({ error }, 'the prices in force could not be kept in the database');
  }
}
