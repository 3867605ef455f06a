import { listPricesInSteps, recordPrices } from '../../catalog/price-history.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { Clock, Log } from '../../contracts/services.ts';
import { runInSlices } from '../../services/slices.ts';
import type { Database } from '../../services/database/database.ts';

interface Parts {
  readonly loaded: Pick<LoadedConfig, 'config' | 'extensions'>;
  readonly database: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * Adds the prices of a configuration to the price history, also those of models that vendors can use without a target.
 * A database failure is logged and does not stop the start.
 */
export async function savePrices({ loaded, database, clock, log }: Parts): Promise<void> {
  try {
    const now = clock.now();
    await recordPrices(database, await runInSlices(listPricesInSteps(loaded, now)), now);
  } catch (error) {
    log.warn({ error }, 'the prices in force could not be written to the database');
  }
}
