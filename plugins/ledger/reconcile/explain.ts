import { omitUndefined } from '../../../core/api/codec.ts';
import type { LedgerDatabase } from '../thread/insert.ts';
import { keyOf, type BillLine } from './bill.ts';
import type { Comparison } from './compare.ts';
import { readCharges, type Charge } from './day-charges.ts';
import { createModelNames } from './model-names.ts';

/**
 * Why a figure can differ. `not-in-bill`, `not-in-ledger`: only one side has the model on that day. `estimated`: no
 * provider reported the usage. `unpriced`: no price was configured. `price`: another version of the price than most
 * rows of that day. `units`: searches, images or seconds, which a vendor may bill under a name of its own.
 * `other-model`: the vendor used another model as well, and bills it; `used-by`: calls of another model for which it
 * used this one.
 */
export const kinds = [
  'not-in-bill',
  'not-in-ledger',
  'estimated',
  'unpriced',
  'price',
  'units',
  'other-model',
  'used-by',
] as const;
export type Kind = (typeof kinds)[number];

export interface Explanation extends Pick<BillLine, 'day' | 'model'> {
  readonly kind: Kind;
  /** Rows of the ledger, and their cost in nano-dollars. */
  readonly rows: number;
  readonly cost: bigint;
  /** Ids of the rows that cost most, or without a price used most tokens. */
  readonly largest: readonly string[];
  /** The version of the price, or the other model. */
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

/** The rows of one model on one day, by kind and detail. */
class Groups {
  readonly #groups = new Map<
    string,
    { readonly kind: Kind; readonly detail: string | undefined; readonly group: Group }
  >();

  /** @param detail the model that the vendor used, or the one that it was used for */
  add(kind: Kind, charge: Charge, detail?: string): void {
    const name = `${kind} ${detail ?? ''}`;
    const { group } = this.#groups.get(name) ?? { group: new Group() };
    this.#groups.set(name, { kind, detail, group });
    group.add(charge);
  }

  addOwn(charge: Charge): void {
    this.add('not-in-bill', charge);
    if (charge.source === 'estimated') this.add('estimated', charge);
    if (charge.cost === undefined) this.add('unpriced', charge);
    if (charge.hasUnits) this.add('units', charge);
    if (charge.version !== null) this.add('price', charge, charge.version);
  }

  /** In the order of `kinds`. The version of the price that most rows have explains nothing. */
  list(line: Pick<BillLine, 'day' | 'model'>, isInBill: boolean): readonly Explanation[] {
    const found = [...this.#groups.values()].toSorted((one, other) => other.group.rows - one.group.rows);
    const usual = found.find(({ kind }) => kind === 'price');
    return found
      .filter((each) => each !== usual && !(isInBill && each.kind === 'not-in-bill'))
      .toSorted((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind))
      .map(({ kind, detail, group: { rows, cost, ids } }) =>
        omitUndefined({ day: line.day, model: line.model, kind, rows, cost, largest: ids, detail }),
      );
  }
}

/** Reads the rows of a day, for the models that have a difference. */
const collect = async (
  database: LedgerDatabase,
  provider: string,
  day: string,
  models: readonly string[],
): Promise<ReadonlyMap<string, Groups>> => {
  const found = new Map(models.map((model) => [model, new Groups()]));
  const nameOf = createModelNames(models);
  for await (const charge of readCharges(database, day)) {
    if (!charge.target.startsWith(`${provider}/`)) continue;
    const model = charge.target.slice(provider.length + 1);
    const own = found.get(model);
    own?.addOwn(charge);
    for (const used of charge.models) {
      own?.add('other-model', charge, used);
      found.get(nameOf({ day, model: used, figures: {} }) ?? used)?.add('used-by', charge, model);
    }
  }
  return found;
};

/**
 * Finds the rows that can explain the differences, on the days and for the models that have one; and the rows with
 * units on the days on which the vendor charged something without a model. Rows that were deleted after their retention
 * explain nothing.
 */
export async function explainDifferences(
  database: LedgerDatabase,
  provider: string,
  { compared, differences, others, onlyInLedger, onlyInBill }: Comparison,
): Promise<readonly Explanation[]> {
  const explanations: Explanation[] = [];
  const differing = new Set(differences.map(keyOf));
  const withOthers = new Set(others.flatMap(({ day, isOutside }) => (isOutside ? [] : [day])));
  const wanted = compared.filter((figure) => differing.has(keyOf(figure)) || withOthers.has(figure.day));
  for (const [day, ofDay] of Map.groupBy(wanted, (figure) => figure.day)) {
    const models = [...new Set(ofDay.map(({ model }) => model))];
    for (const [model, groups] of await collect(database, provider, day, models)) {
      const key = keyOf({ day, model });
      const found = groups.list({ day, model }, !onlyInLedger.has(key));
      if (found.length === 0 && differing.has(key) && onlyInBill.has(key))
        explanations.push({ day, model, kind: 'not-in-ledger', rows: 0, cost: 0n, largest: [] });
      explanations.push(...found.filter(({ kind }) => kind === 'units' || differing.has(key)));
    }
  }
  return explanations;
}
