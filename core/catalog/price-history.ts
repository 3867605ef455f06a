import type { ModelConfig, TargetConfig } from '../config/gateway-config.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { Price } from '../contracts/price.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { Database } from '../services/database/database.ts';
import type { PricesTable } from '../services/database/schema.ts';
import { withAdvisoryLock } from '../services/database/advisory-lock.ts';
import { inParts } from '../services/database/in-parts.ts';
import { runAtOnce, type Steps } from '../services/slices.ts';
import { listKnownEntries, type PricesOf } from './wildcards.ts';
import { listTargetPrices } from './target-prices.ts';

/** A price of a target, and when the gateway first saw it. */
export interface PriceRecord {
  /** `provider/model`. */
  readonly target: string;
  readonly price: Price;
  /** Unix milliseconds. A price that returns keeps the time at which it was first seen. */
  readonly firstSeenAt: number;
}

/** A target and its price; undefined when it is unknown. With dates, a target has several. */
export interface PricedTarget {
  readonly id: string;
  readonly price: Price | undefined;
}

const pricesIn =
  ({ providers }: LoadedConfig['extensions']): PricesOf =>
  (provider) =>
    providers[provider]?.definition.prices ?? [];

type Loaded = Pick<LoadedConfig, 'config' | 'extensions'>;

/** The prices that are valid now or later. */
const priceTarget = (
  { config, extensions }: Loaded,
  now: number,
  name: string,
  target: Pick<TargetConfig, 'model' | 'price'>,
  model?: ModelConfig,
): readonly PricedTarget[] => {
  const prices = listTargetPrices({
    target,
    model,
    shipped: pricesIn(extensions)(name),
    provider: config.providers[name],
  });
  const ahead = prices.filter(({ until = Infinity }) => until > now);
  const id = `${name}/${target.model}`;
  return ahead.length === 0 ? [{ id, price: undefined }] : ahead.map((price) => ({ id, price }));
};

/**
 * The targets of a configuration with the prices that are valid now or later, also those that are known to match a
 * wildcard.
 * @param now unix milliseconds
 */
export const listPricedTargets = (loaded: Loaded, now: number): readonly PricedTarget[] =>
  runAtOnce(listTargetsInSteps(loaded, now));

function* listTargetsInSteps(loaded: Loaded, now: number): Steps<readonly PricedTarget[]> {
  const { models } = loaded.config;
  const known = listKnownEntries(models, pricesIn(loaded.extensions));
  const found: PricedTarget[] = [];
  for (const model of [...Object.values(models), ...known.values()]) {
    for (const target of model.targets) found.push(...priceTarget(loaded, now, target.provider, target, model));
    yield;
  }
  return found;
}

/**
 * All prices in force, in steps: {@link listPricedTargets}, and the shipped prices of models without a target. A vendor
 * can use such a model for a call to another one.
 */
export function* listPricesInSteps(loaded: Loaded, now: number): Steps<readonly PricedTarget[]> {
  const found = [...(yield* listTargetsInSteps(loaded, now))];
  const targets = new Set(found.map(({ id }) => id));
  for (const name of Object.keys(loaded.config.providers)) {
    for (const model of pricesIn(loaded.extensions)(name).flatMap(({ models }) => models))
      if (!targets.has(`${name}/${model}`)) found.push(...priceTarget(loaded, now, name, { model }));
    yield;
  }
  return found;
}

/** By database: the versions of prices that this process has written, which a reload need not write again. */
const written = new WeakMap<Database, Set<string>>();
const versionOf = (target: string, { version }: Price): string => `${target} ${version}`;

/**
 * Inserts the prices whose versions are new, those with a date in the future with the time of their start. Existing
 * ones are never changed, since rows of the ledger refer to them.
 * @throws GatewayError `KOINE_STORE_FAILED`
 */
export async function recordPrices(database: Database, targets: readonly PricedTarget[], now: number): Promise<void> {
  const known = written.get(database) ?? new Set();
  const fresh = targets.flatMap(({ id: target, price }) => {
    const name = price && versionOf(target, price);
    return price === undefined || name === undefined || known.has(name) ? [] : [{ target, price, name }];
  });
  if (fresh.length === 0) return;
  // Processes take turns: two that insert the same rows in a different order would deadlock.
  await withAdvisoryLock(database, 'prices', (transaction) =>
    inParts(fresh, (part) =>
      transaction
        .insertInto('prices')
        .values(part.map(({ target, price }) => writeRow(target, price, now)))
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    ),
  );
  for (const { name } of fresh) known.add(name);
  written.set(database, known);
}

/**
 * Every price that any target has had, by target, oldest first.
 * @throws GatewayError `KOINE_STORE_FAILED`
 */
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

const writeRow = (
  target: string,
  { version, source, from = 0, until: _until, ...figures }: Price,
  now: number,
): PricesTable => ({
  target,
  version,
  price: JSON.stringify(figures, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  page: source.page,
  seen: source.seen ?? null,
  first_seen_at: Math.max(now, from),
});

const readRow = ({ target, version, price, page, seen, first_seen_at }: PricesTable): PriceRecord => {
  try {
    // The only strings in the JSON are nano-dollars.
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
