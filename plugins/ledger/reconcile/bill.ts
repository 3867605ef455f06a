import { toNanoDollars } from './money.ts';

/** The amounts of a bill: requests, tokens, units, and cost in nano-dollars. */
export const figureNames = [
  'requests',
  'input',
  'cacheRead',
  'cacheWrite',
  'output',
  'webSearches',
  'images',
  'seconds',
  'cost',
] as const;
export type FigureName = (typeof figureNames)[number];
export type BillFigures = Partial<Record<FigureName, bigint>>;

/** One item of a vendor's export. */
export interface BillItem {
  /** `2026-11-21`, in UTC. */
  readonly day: string;
  /** The vendor's name of the model; absent: the item names none, or only in its text. */
  readonly model?: string;
  /** What the vendor calls it: a line item, a SKU, a type of cost. */
  readonly text?: string;
  /** It is no usage of models: tax, or another service of the vendor. */
  readonly isOutside?: boolean;
  /** `input` excludes cache reads and writes. Figures that are missing are not compared. */
  readonly figures: Omit<BillFigures, 'cost'>;
  /** As `readDollars` returns it: finer than nano-dollars, so that the sum is rounded once. */
  readonly money?: bigint;
}

/** What an export says. */
export interface Bill {
  /** The days that the export covers, also those without an item. */
  readonly days: readonly string[];
  readonly items: readonly BillItem[];
  /** Figures that it always has: a day without an item has 0 of them. */
  readonly always?: readonly FigureName[];
  /** The vendor has more pages of this report. */
  readonly hasMore?: boolean;
}

/** Usage of one model on one day, from a bill or from the ledger. */
export interface BillLine {
  readonly day: string;
  /** The provider's name of the model. */
  readonly model: string;
  readonly figures: BillFigures;
}

const addFigures = (one: BillFigures, other: BillFigures): BillFigures =>
  Object.fromEntries(
    figureNames.flatMap((figure) =>
      one[figure] === undefined && other[figure] === undefined
        ? []
        : [[figure, (one[figure] ?? 0n) + (other[figure] ?? 0n)]],
    ),
  );

export const keyOf = ({ day, model }: Pick<BillLine, 'day' | 'model'>): string => `${day} ${model}`;

/** Sums up the lines of each day and model. */
export function sumLines(lines: readonly BillLine[]): ReadonlyMap<string, BillLine> {
  const sums = new Map<string, BillLine>();
  for (const line of lines) {
    const key = keyOf(line);
    sums.set(key, { ...line, figures: addFigures(sums.get(key)?.figures ?? {}, line.figures) });
  }
  return sums;
}

/** Sums up items. The cost is rounded to nano-dollars once. */
export function sumItems(items: readonly BillItem[]): BillFigures {
  let money: bigint | undefined;
  let figures: BillFigures = {};
  for (const item of items) {
    figures = addFigures(figures, item.figures);
    if (item.money !== undefined) money = (money ?? 0n) + item.money;
  }
  return money === undefined ? figures : { ...figures, cost: toNanoDollars(money) };
}
