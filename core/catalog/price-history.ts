import type { LoadedConfig } from '../config/load.ts';
import type { Price } from '../contracts/price.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { Database } from '../services/database/database.ts';
import type { PricesTable } from '../services/database/schema.ts';
import { withAdvisoryLock } from '../services/database/advisory-lock.ts';
import { findShippedPrice } from './shipped-price.ts';

/** A price, and since when the gateway knows that a target has it. */
export interface PriceRecord {
  /** `provider/model`. */
  readonly target: string;
  readonly price: Price;
  /** Unix milliseconds of the start that saw it first. A price that comes back keeps the time of its first coming. */
  readonly firstSeenAt: number;
}

/** A target with what its calls cost; undefined: nobody knows. */
export interface PricedTarget {
  readonly id: string;
  readonly price: Price | undefined;
}

/** The targets of a configuration with the prices that are in force under it. */
export const listPricedTargets = ({
  config,
  extensions,
}: Pick<LoadedConfig, 'config' | 'extensions'>): readonly PricedTarget[] =>
  Object.values(config.models)
    .flatMap(({ targets }) => targets)
    .map(({ provider, model, price }) => ({
      id: `${provider}/${model}`,
      price: price ?? findShippedPrice(extensions.providers[provider]?.definition.prices ?? [], model),
    }));

/**
 * Keeps the prices whose versions are new to the database, and leaves those that it knows: rows of the ledger name
 * them.
 * @throws GatewayError KOINE_STORE_FAILED
 */
export async function recordPrices(database: Database, targets: readonly PricedTarget[], now: number): Promise<void> {
  const rows = targets.flatMap(({ id, price }) => (price === undefined ? [] : [writeRow(id, price, now)]));
  if (rows.length === 0) return;
  // One process after the other: two that insert the same rows in another order would wait for each other.
  await withAdvisoryLock(database, 'prices', (transaction) =>
    transaction
      .insertInto('prices')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
}

/** Every price that any target has had, by target, the oldest first. @throws GatewayError KOINE_STORE_FAILED */
export async function listPriceHistory(database: Database): Promise<readonly PriceRecord[]> {
  const rows = await database
    .selectFrom('prices')
    .selectAll()
    .orderBy('target')
    .orderBy('first_seen_at')
    .orderBy('version')
    .execute();
  return rows.map(readRow);
}

const writeRow = (target: string, { version, source, ...figures }: Price, now: number): PricesTable => ({
  target,
  version,
  price: JSON.stringify(figures, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  page: source.page,
  seen: source.seen ?? null,
  first_seen_at: now,
});

const readRow = ({ target, version, price, page, seen, first_seen_at }: PricesTable): PriceRecord => {
  try {
    // Of the figures only nano-dollars are texts.
    const figures = JSON.parse(price, (_key, value: unknown) =>
      typeof value === 'string' ? BigInt(value) : value,
    ) as Omit<Price, 'version' | 'source'>;
    return {
      target,
      price: { ...figures, version, source: seen === null ? { page } : { page, seen } },
      firstSeenAt: first_seen_at,
    };
  } catch (cause) {
    throw new GatewayError('KOINE_STORE_FAILED', `The price ${version} of ${target} in the database cannot be read.`, {
      cause,
    });
  }
};
