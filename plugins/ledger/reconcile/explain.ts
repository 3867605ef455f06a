import type { LedgerDatabase } from '../thread/insert.ts';
import { keyOf, type BillLine } from './bill.ts';
import type { Comparison } from './compare.ts';
import { readCharges, type Charge } from './day-charges.ts';

/**
 * Why a figure can differ. `estimated`: no provider reported the usage. `unpriced`: no price was configured. `price`:
 * another version of the price than most rows of that day. `units`: searches, images or seconds, which a vendor may
 * bill under a name of its own. `not-in-bill`, `not-in-ledger`: only one side has the model on that day.
 */
export const kinds = ['not-in-bill', 'not-in-ledger', 'estimated', 'unpriced', 'price', 'units'] as const;
export type Kind = (typeof kinds)[number];

export interface Explanation extends Pick<BillLine, 'day' | 'model'> {
  readonly kind: Kind;
  /** Rows of the ledger, and their cost in nano-dollars. */
  readonly rows: number;
  readonly cost: bigint;
  /** Ids of the rows that cost most, or without a price used most tokens. */
  readonly largest: readonly string[];
  /** The version of the price. */
  readonly detail?: string;
}

const MAX_IDS = 3;

/** Rows of one kind. It keeps the ids of the largest only. */
class Group {
  rows = 0;
  cost = 0n;
  #largest: readonly Charge[] = [];

  add(charge: Charge): void {
    this.rows += 1;
    this.cost += charge.cost ?? 0n;
    this.#largest = [...this.#largest, charge].toSorted(bySize).slice(0, MAX_IDS);
  }

  get ids(): readonly string[] {
    return this.#largest.map(({ id }) => id);
  }
}
const bySize = (one: Charge, other: Charge): number => {
  const [ours, theirs] = [one.cost ?? 0n, other.cost ?? 0n];
  return ours === theirs ? other.tokens - one.tokens : ours > theirs ? -1 : 1;
};

/** The groups of one model on one day. */
class Groups {
  readonly all = new Group();
  readonly estimated = new Group();
  readonly unpriced = new Group();
  readonly units = new Group();
  readonly #versions = new Map<string, Group>();

  add(charge: Charge): void {
    this.all.add(charge);
    if (charge.source === 'estimated') this.estimated.add(charge);
    if (charge.cost === undefined) this.unpriced.add(charge);
    if (charge.hasUnits) this.units.add(charge);
    if (charge.version === null) return;
    const version = this.#versions.get(charge.version) ?? new Group();
    this.#versions.set(charge.version, version);
    version.add(charge);
  }

  /** Without the version that most rows have. */
  otherVersions(): readonly (readonly [version: string, Group])[] {
    return [...this.#versions].toSorted(([, one], [, other]) => other.rows - one.rows).slice(1);
  }
}

const describeGroups = (line: Pick<BillLine, 'day' | 'model'>, groups: Groups, isOnlyHere: boolean) => {
  const describe = (kind: Kind, group: Group, detail?: string): readonly Explanation[] =>
    group.rows === 0
      ? []
      : [
          {
            day: line.day,
            model: line.model,
            kind,
            rows: group.rows,
            cost: group.cost,
            largest: group.ids,
            ...(detail === undefined ? {} : { detail }),
          },
        ];
  return [
    ...(isOnlyHere ? describe('not-in-bill', groups.all) : []),
    ...describe('estimated', groups.estimated),
    ...describe('unpriced', groups.unpriced),
    ...groups.otherVersions().flatMap(([version, group]) => describe('price', group, version)),
    ...describe('units', groups.units),
  ];
};

const collect = async (
  database: LedgerDatabase,
  provider: string,
  day: string,
  models: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Groups>> => {
  const found = new Map<string, Groups>();
  for await (const charge of readCharges(database, day)) {
    if (!charge.target.startsWith(`${provider}/`)) continue;
    const model = charge.target.slice(provider.length + 1);
    if (!models.has(model)) continue;
    const groups = found.get(model) ?? new Groups();
    found.set(model, groups);
    groups.add(charge);
  }
  return found;
};

/**
 * Finds the rows that can explain the differences, on the days and for the models that have one. Rows that were deleted
 * after their retention explain nothing.
 */
export async function explainDifferences(
  database: LedgerDatabase,
  provider: string,
  { differences, onlyInLedger, onlyInBill }: Comparison,
): Promise<readonly Explanation[]> {
  const explanations: Explanation[] = [];
  for (const [day, ofDay] of Map.groupBy(differences, (difference) => difference.day)) {
    const models = new Set(ofDay.map(({ model }) => model));
    const groups = await collect(database, provider, day, models);
    for (const model of models) {
      const key = keyOf({ day, model });
      const found = groups.get(model);
      if (onlyInBill.has(key)) explanations.push({ day, model, kind: 'not-in-ledger', rows: 0, cost: 0n, largest: [] });
      if (found !== undefined) explanations.push(...describeGroups({ day, model }, found, onlyInLedger.has(key)));
    }
  }
  return explanations;
}
