import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { describePrice, listUnitFigures, type DescribedPrice } from '../../catalog/describe-price.ts';
import {
  listPricedTargets,
  listPriceHistory,
  type PricedTarget,
  type PriceRecord,
} from '../../catalog/price-history.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { Price, WrittenTieredCard } from '../../contracts/price.ts';
import { openDatabase } from '../../services/database/database.ts';

/** A change of the price of a target, in USD per million tokens. */
export interface PriceChange {
  /** `provider/model`. */
  readonly target: string;
  /** The first start of the gateway with this price, ISO 8601; absent before that start, and where `again` is set. */
  readonly at?: string;
  /** The price was in force earlier. The database does not record since when it is again. */
  readonly again?: true;
  /** The version of the price before. */
  readonly from: string;
  readonly to: string | 'unpriced';
  /** Where the new price comes from. */
  readonly source?: string;
  readonly seen?: string;
  /** The figures that differ, before and after; null: there is none. */
  readonly figures: Readonly<Record<string, readonly [before: number | null, after: number | null]>>;
}

type Figure = readonly [name: string, figure: number];

/** The figures of a card, with the names of what they are nested in before their own. */
const listCard = (path: string, { longContext = [], tiers = {}, ...rates }: WrittenTieredCard): readonly Figure[] => [
  ...Object.entries(rates).map(([kind, rate]) => [`${path}${kind}`, rate] as const),
  ...longContext.flatMap(({ above, ...long }) =>
    Object.entries(long).map(([kind, rate]) => [`${path}above ${above} ${kind}`, rate] as const),
  ),
  ...listNamed(path, tiers),
];
const listNamed = (path: string, named: Readonly<Record<string, WrittenTieredCard | number>>): readonly Figure[] =>
  Object.entries(named).flatMap(([name, card]) =>
    typeof card === 'number' ? [[`${path}${name} factor`, card] as const] : listCard(`${path}${name} `, card),
  );

const listFigures = ({
  regions = {},
  units = {},
  from: _from,
  until: _until,
  version: _version,
  source: _source,
  seen: _seen,
  ...card
}: DescribedPrice): ReadonlyMap<string, number> =>
  new Map([...listCard('', card), ...listNamed('', regions), ...listUnitFigures(units)]);

const compare = (before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): PriceChange['figures'] => {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return Object.fromEntries(
    names
      .filter((name) => before.get(name) !== after.get(name))
      .map((name) => [name, [before.get(name) ?? null, after.get(name) ?? null]]),
  );
};

const describeChange = (target: string, before: Price, after: Price | undefined, at?: number): PriceChange => {
  const to = after === undefined ? undefined : describePrice(after);
  return omitUndefined({
    target,
    at: at === undefined ? undefined : new Date(at).toISOString(),
    from: before.version,
    to: to?.version ?? 'unpriced',
    source: to === undefined ? undefined : to.source,
    seen: to?.seen === undefined ? undefined : to.seen,
    figures: compare(listFigures(describePrice(before)), to === undefined ? new Map() : listFigures(to)),
  });
};

/** Prices with the same first start are not changes of each other: models may share a target at different prices. */
const listPast = (records: readonly PriceRecord[]): readonly PriceChange[] =>
  records.flatMap((record, index) => {
    const before = records[index - 1];
    return before === undefined || before.firstSeenAt === record.firstSeenAt
      ? []
      : [describeChange(record.target, before.price, record.price, record.firstSeenAt)];
  });

/** The changes of each target, the oldest first, those before the next start last. A first price is no change. */
export const listChanges = (
  targets: readonly PricedTarget[],
  history: readonly PriceRecord[],
): readonly PriceChange[] =>
  [...new Set(targets.map(({ id }) => id))].flatMap((target) => {
    const records = history.filter((record) => record.target === target);
    const last = records.at(-1);
    if (last === undefined) return [];
    const current = new Map(targets.filter(({ id }) => id === target).map(({ price }) => [price?.version, price]));
    const isBack = !current.has(last.price.version);
    const back = records.flatMap(({ price, firstSeenAt }) =>
      current.delete(price.version) && isBack && firstSeenAt < last.firstSeenAt
        ? [{ ...describeChange(target, last.price, price), again: true as const }]
        : [],
    );
    return [
      ...listPast(records),
      ...back,
      ...[...current.values()].map((price) => describeChange(target, last.price, price)),
    ];
  });

/** The price changes that the database of a configuration has recorded. @throws GatewayError `KOINE_STORE_FAILED` */
export async function readChanges(loaded: LoadedConfig): Promise<readonly PriceChange[]> {
  const database = await openDatabase(loaded.config.store.database);
  try {
    return listChanges(listPricedTargets(loaded, Date.now()), await listPriceHistory(database));
  } finally {
    await database.destroy();
  }
}

const NOTHING = 'none';
const formatChange = ({
  target,
  again,
  at = again ? 'again' : 'next start',
  from,
  to,
  source,
  seen,
  figures,
}: PriceChange): string => {
  const origin = source === undefined ? '' : `  ${source}${seen === undefined ? '' : ` (${seen})`}`;
  const lines = Object.entries(figures).map(
    ([name, [before, after]]) => `    ${name}: ${before ?? NOTHING} -> ${after ?? NOTHING}`,
  );
  return [`${at}  ${target}  ${from} -> ${to}${origin}`, ...lines].join('\n');
};

export const formatChanges = (changes: readonly PriceChange[]): string =>
  changes.length === 0
    ? 'No price has changed since the first start with this database.'
    : changes.map(formatChange).join('\n');
