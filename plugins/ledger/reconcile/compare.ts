import { figureNames, sumLines, type BillLine, type FigureName } from './bill-line.ts';

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

export interface Comparison {
  /** Those beyond the tolerance, by day and model. */
  readonly differences: readonly Difference[];
  /** The number of figures that were compared. */
  readonly compared: number;
  readonly totals: { readonly bill: bigint; readonly ledger: bigint } | undefined;
}

/** A bill may name the dated snapshot of a model that the ledger has by its alias: `gpt-4.1-2025-04-14`. */
const DATED = /^[-@](\d{8}|\d{4}-\d{2}-\d{2})$/;
const nameInLedger = (models: ReadonlySet<string>, billed: string): string =>
  models.has(billed)
    ? billed
    : ([...models].find((model) => billed.startsWith(model) && DATED.test(billed.slice(model.length))) ?? billed);

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

const compareFigures = (bill: readonly BillLine[], ledger: readonly BillLine[]): readonly Difference[] => {
  const models = new Set(ledger.map(({ model }) => model));
  const billed = sumLines(bill.map((line) => ({ ...line, model: nameInLedger(models, line.model) })));
  const recorded = sumLines(ledger);
  // A figure that no line of the bill has is not compared.
  const inBill = new Set(bill.flatMap(({ figures }) => Object.keys(figures)));
  return [...new Set([...billed.keys(), ...recorded.keys()])].sort().flatMap((key) => {
    const line = billed.get(key) ?? recorded.get(key);
    if (line === undefined) return [];
    return figureNames
      .filter((figure) => inBill.has(figure))
      .map((figure): Difference => {
        const theirs = billed.get(key)?.figures[figure] ?? 0n;
        const ours = recorded.get(key)?.figures[figure] ?? 0n;
        return {
          day: line.day,
          model: line.model,
          figure,
          bill: theirs,
          ledger: ours,
          share: theirs === 0n ? undefined : Number(ours - theirs) / Number(absolute(theirs)),
        };
      });
  });
};

/**
 * @param tolerance differences up to this share of the billed amount are ignored: vendors round, and their days start
 * at other times
 */
export function compareBill(bill: readonly BillLine[], ledger: readonly BillLine[], tolerance: number): Comparison {
  const compared = compareFigures(bill, ledger);
  const costs = compared.filter(({ figure }) => figure === 'cost');
  const hasCost = bill.some(({ figures }) => 'cost' in figures);
  return {
    differences: compared.filter(
      ({ bill: theirs, ledger: ours, share }) =>
        theirs !== ours && (share === undefined || Math.abs(share) > tolerance),
    ),
    compared: compared.length,
    totals: hasCost
      ? {
          bill: costs.reduce((sum, { bill: theirs }) => sum + theirs, 0n),
          ledger: costs.reduce((sum, { ledger: ours }) => sum + ours, 0n),
        }
      : undefined,
  };
}
