import {
  figureNames,
  keyOf,
  sumItems,
  sumLines,
  type Bill,
  type BillItem,
  type BillLine,
  type FigureName,
} from './bill.ts';
import { createModelNames } from './model-names.ts';

/** A figure of one model on one day, in the bill and in the ledger. */
export interface Difference {
  readonly day: string;
  readonly model: string;
  readonly figure: FigureName;
  readonly bill: bigint;
  readonly ledger: bigint;
  /** The difference relative to the bill; undefined when the bill has 0. */
  readonly share: number | undefined;
}

/** What a vendor charged on a day under a name that is no model. */
export interface OtherItem extends Pick<BillLine, 'day' | 'figures'> {
  readonly text: string;
  /** Tax, or another service of the vendor: not in the totals. */
  readonly isOutside: boolean;
}

export interface Comparison {
  /** All figures that were compared, by day and model. */
  readonly compared: readonly Difference[];
  /** Those beyond the tolerance. */
  readonly differences: readonly Difference[];
  readonly others: readonly OtherItem[];
  /** Days and models that only one side has: keys of `keyOf`. */
  readonly onlyInLedger: ReadonlySet<string>;
  readonly onlyInBill: ReadonlySet<string>;
  readonly totals: { readonly bill: bigint; readonly ledger: bigint } | undefined;
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);
const sum = (values: readonly (bigint | undefined)[]): bigint =>
  values.reduce<bigint>((total, value) => total + (value ?? 0n), 0n);

const SEPARATOR = '\0';

const sumOthers = (items: readonly BillItem[]): readonly OtherItem[] =>
  [
    ...Map.groupBy(items, ({ day, text = 'items without a model', isOutside = false }) =>
      [day, text, isOutside].join(SEPARATOR),
    ),
  ]
    .map(([key, ofText]): OtherItem => {
      const [day = '', text = '', isOutside] = key.split(SEPARATOR);
      return { day, text, isOutside: isOutside === 'true', figures: sumItems(ofText) };
    })
    .filter(({ figures }) => Object.values(figures).some((figure) => figure !== 0n))
    .toSorted((one, other) => (one.day + one.text < other.day + other.text ? -1 : 1));

/** Sums up the items of each day and model, and those without a model by their text. */
const sortItems = ({ items }: Bill, known: readonly string[]) => {
  const nameOf = createModelNames(known);
  const named = items.map((item) => ({ item, model: nameOf(item) }));
  const groups = Map.groupBy(
    named.flatMap(({ item, model }) => (model === undefined ? [] : [{ item, model, day: item.day }])),
    keyOf,
  );
  const lines = [...groups].flatMap(([key, [first, ...more]]): readonly (readonly [string, BillLine])[] => {
    if (first === undefined) return [];
    const figures = sumItems([first, ...more].map(({ item }) => item));
    return [[key, { day: first.day, model: first.model, figures }]];
  });
  return {
    billed: new Map(lines),
    others: sumOthers(named.flatMap(({ item, model }) => (model === undefined ? [item] : []))),
  };
};

const compareFigures = (
  billed: ReadonlyMap<string, BillLine>,
  recorded: ReadonlyMap<string, BillLine>,
  figures: readonly FigureName[],
): readonly Difference[] =>
  [...new Set([...billed.keys(), ...recorded.keys()])].toSorted().flatMap((key) => {
    const line = billed.get(key) ?? recorded.get(key);
    if (line === undefined) return [];
    return figures.map((figure): Difference => {
      const theirs = billed.get(key)?.figures[figure] ?? 0n;
      const ours = recorded.get(key)?.figures[figure] ?? 0n;
      const share = theirs === 0n ? undefined : Number(ours - theirs) / Number(absolute(theirs));
      return { day: line.day, model: line.model, figure, bill: theirs, ledger: ours, share };
    });
  });

/**
 * @param ledger the usage of the provider on the days of the bill
 * @param tolerance differences up to this share of the billed amount are ignored: vendors round, and their days start
 * at other times
 */
export function compareBill(bill: Bill, ledger: readonly BillLine[], tolerance: number): Comparison {
  const recorded = sumLines(ledger);
  const { billed, others } = sortItems(bill, [...new Set(ledger.map(({ model }) => model))]);
  // A figure that no item of the bill has is not compared.
  const inBill = new Set<string>(bill.always);
  for (const { figures } of [...billed.values(), ...others])
    for (const figure of Object.keys(figures)) inBill.add(figure);
  const compared = compareFigures(
    billed,
    recorded,
    figureNames.filter((figure) => inBill.has(figure)),
  );
  const inTotals = [...billed.values(), ...others.filter(({ isOutside }) => !isOutside)];
  return {
    compared,
    differences: compared.filter(
      ({ bill: theirs, ledger: ours, share }) =>
        theirs !== ours && (share === undefined || Math.abs(share) > tolerance),
    ),
    others,
    onlyInLedger: new Set(recorded.keys()).difference(billed),
    onlyInBill: new Set(billed.keys()).difference(recorded),
    totals: inBill.has('cost')
      ? {
          bill: sum(inTotals.map(({ figures }) => figures.cost)),
          ledger: sum([...recorded.values()].map(({ figures }) => figures.cost)),
        }
      : undefined,
  };
}
