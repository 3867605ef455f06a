import { figureNames, sumLines, type BillLine, type FigureName } from './bill-line.ts';

/** One figure of one model on one day, as both say it. */
export interface Difference {
  readonly day: string;
  readonly model: string;
  readonly figure: FigureName;
  readonly bill: bigint;
  readonly ledger: bigint;
  /** Of what the bill says; undefined where that is nothing. */
  readonly share: number | undefined;
}

export interface Comparison {
  /** Those beyond the tolerance, by day and model. */
  readonly differences: readonly Difference[];
  /** How many figures were compared. */
  readonly compared: number;
  readonly totals: { readonly bill: bigint; readonly ledger: bigint } | undefined;
}

/** A bill may name the dated snapshot of what the ledger calls by its family: `gpt-4.1-2025-04-14`. */
const DATED = /^[-@](\d{8}|\d{4}-\d{2}-\d{2})$/;
const nameIn = (models: ReadonlySet<string>, billed: string): string =>
  models.has(billed)
    ? billed
    : ([...models].find((model) => billed.startsWith(model) && DATED.test(billed.slice(model.length))) ?? billed);

const size = (value: bigint): bigint => (value < 0n ? -value : value);

/** @param tolerance share of what the bill says that may be off: vendors round, and close their days by clocks of their own */
export function compareBill(bill: readonly BillLine[], ledger: readonly BillLine[], tolerance: number): Comparison {
  const models = new Set(ledger.map(({ model }) => model));
  const billed = sumLines(bill.map((line) => ({ ...line, model: nameIn(models, line.model) })));
  const booked = sumLines(ledger);
  // What the bill never tells of anything is not missing from a line of it.
  const told = new Set(bill.flatMap(({ figures }) => Object.keys(figures)));
  const compared = [...new Set([...billed.keys(), ...booked.keys()])].sort().flatMap((name) => {
    const line = billed.get(name) ?? booked.get(name);
    if (line === undefined) return [];
    return figureNames
      .filter((figure) => told.has(figure))
      .map((figure): Difference => {
        const [said, ours] = [billed.get(name)?.figures[figure] ?? 0n, booked.get(name)?.figures[figure] ?? 0n];
        return {
          day: line.day,
          model: line.model,
          figure,
          bill: said,
          ledger: ours,
          share: said === 0n ? undefined : Number(ours - said) / Number(size(said)),
        };
      });
  });
  const costs = compared.filter(({ figure }) => figure === 'cost');
  return {
    differences: compared.filter(
      ({ bill: said, ledger: ours, share }) => said !== ours && (share === undefined || Math.abs(share) > tolerance),
    ),
    compared: compared.length,
    totals: told.has('cost')
      ? {
          bill: costs.reduce((sum, { bill: said }) => sum + said, 0n),
          ledger: costs.reduce((sum, { ledger: ours }) => sum + ours, 0n),
        }
      : undefined,
  };
}
