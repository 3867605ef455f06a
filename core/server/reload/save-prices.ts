import { listPricesInSteps, recordPrices } from '../../catalog/price-history.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { Clock, Log } from '../../contracts/services.ts';
import type { Closable } from '../../extensions/close.ts';
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
 * A database failure is logged: nothing that serves depends on the history.
 */
export async function savePrices({ loaded, database, clock, log }: Parts): Promise<void> {
  try {
    const now = clock.now();
    await recordPrices(database, await runInSlices(listPricesInSteps(loaded, now)), now);
  } catch (error) {
    log.warn({ error }, 'the prices in force could not be written to the database');
  }
}

/**
 * Saves the prices of each configuration that became active, one after the other, while requests are served.
 * @param opened its end waits for what is being saved
 */
export function createPriceHistory(
  parts: Omit<Parts, 'loaded'>,
  opened: Closable[],
): (active: Parts['loaded']) => void {
  let saved = Promise.resolve();
  opened.push({ name: 'price history', close: () => saved });
  return (loaded) => {
    saved = saved.then(() => savePrices({ ...parts, loaded }));
  };
}
