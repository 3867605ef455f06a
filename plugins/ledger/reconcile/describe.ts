import { omitUndefined } from '../../../core/api/codec.ts';
import { writeDollars } from '../../../core/api/internal.ts';
import type { BillFigures, FigureName } from './bill.ts';
import type { Comparison, Difference, OtherItem } from './compare.ts';
import type { Explanation, Kind } from './explain.ts';

/** What the command reports. */
export interface Reconciliation {
  readonly format: string;
  readonly provider: string;
  readonly comparison: Comparison;
  readonly explanations: readonly Explanation[];
  /** The export is one page of several. */
  readonly hasMore: boolean;
}

const writeFigure = (figure: FigureName, value: bigint): string =>
  figure === 'cost' ? writeDollars(value).replace(/^-?/, '$&$$') : String(value);
const writeShare = ({ share, bill, ledger }: Difference): string => {
  if (share !== undefined) return `${share < 0 ? '' : '+'}${(share * 100).toFixed(2)} %`;
  return bill === ledger ? '+0.00 %' : 'not in the bill';
};

/** Pads the cells of each column: the first three to the left, numbers to the right. */
const align = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column < 3 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
};

const describeDifferences = (differences: readonly Difference[]): readonly string[] =>
  align([
    ['day', 'model', 'figure', 'bill', 'ledger', 'ledger − bill'],
    ...differences.map((difference) => [
      difference.day,
      difference.model,
      difference.figure,
      writeFigure(difference.figure, difference.bill),
      writeFigure(difference.figure, difference.ledger),
      writeShare(difference),
    ]),
  ]);

const reasons: Readonly<Record<Kind, string>> = {
  'not-in-bill': 'the bill does not have this model',
  'not-in-ledger': 'the ledger does not have this model: the calls bypassed the gateway, or had another provider',
  estimated: 'estimated usage',
  unpriced: 'no price',
  price: 'another version of the price',
  units: 'searches, images or seconds, which the vendor may bill separately',
  'other-model': 'the vendor used another model as well, and bills it',
  'used-by': 'the vendor used this model for calls of another one',
};

const describeExplanation = ({ day, model, kind, rows, cost, largest, detail }: Explanation): string =>
  [
    `  ${day} ${model}: ${reasons[kind]}${detail === undefined ? '' : ` (${detail})`}`,
    ...(rows === 0 ? [] : [rows === 1 ? '1 row' : `${rows} rows`]),
    ...(cost === 0n ? [] : [writeFigure('cost', cost)]),
    ...largest,
    ...(rows > largest.length ? ['…'] : []),
  ].join(', ');

const describeOther = ({ day, text, figures }: OtherItem): string => {
  const parts = Object.entries(figures) as readonly (readonly [FigureName, bigint])[];
  const amounts = parts.map(([name, value]) => (name === 'cost' ? writeFigure(name, value) : `${value} ${name}`));
  return `  ${day} ${text}: ${amounts.join(', ')}`;
};

const describePart = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', title, ...lines];

/** The lines of `--format text`. @param all all figures, instead of those that differ */
export function describeReconciliation(
  { comparison: { compared, differences, others, totals }, explanations, hasMore }: Reconciliation,
  all: boolean,
): readonly string[] {
  const shown = all ? compared : differences;
  return [
    ...(shown.length === 0 ? [] : describeDifferences(shown)),
    differences.length === 0
      ? `No differences in ${compared.length} figures.`
      : `${differences.length} of ${compared.length} figures differ.`,
    ...(totals === undefined
      ? []
      : [
          `Total cost: ${writeFigure('cost', totals.bill)} in the bill, ` +
            `${writeFigure('cost', totals.ledger)} in the ledger.`,
        ]),
    ...describePart(
      'In the bill without a model of the ledger:',
      others.filter(({ isOutside }) => !isOutside).map(describeOther),
    ),
    ...describePart(
      'In the bill, but no usage of models, and not in the total:',
      others.filter(({ isOutside }) => isOutside).map(describeOther),
    ),
    ...describePart('What can explain the differences, with the largest rows:', explanations.map(describeExplanation)),
    ...(hasMore ? ['', 'The report has more pages (has_more): only the days of this one were compared.'] : []),
  ];
}

const encodeFigure = (figure: FigureName, value: bigint): string | number =>
  figure === 'cost' ? writeDollars(value) : Number(value);
const encodeFigures = (figures: BillFigures): object =>
  Object.fromEntries(
    (Object.entries(figures) as readonly (readonly [FigureName, bigint])[]).map(([name, value]) => [
      name,
      encodeFigure(name, value),
    ]),
  );
const encodeDifference = ({ bill, ledger, share, ...difference }: Difference): object => ({
  ...difference,
  bill: encodeFigure(difference.figure, bill),
  ledger: encodeFigure(difference.figure, ledger),
  share: share ?? null,
});

/** The object of `--format json`. Money is in USD as exact decimals. */
export const encodeReconciliation = ({
  format,
  provider,
  comparison: { compared, differences, others, totals },
  explanations,
  hasMore,
}: Reconciliation): object =>
  omitUndefined({
    format,
    provider,
    compared: compared.length,
    lines: compared.map(encodeDifference),
    differences: differences.map(encodeDifference),
    others: others.map(({ figures, ...other }) => ({ ...other, ...encodeFigures(figures) })),
    explanations: explanations.map(({ cost, ...explanation }) => ({ ...explanation, cost: writeDollars(cost) })),
    cost: totals && { bill: writeDollars(totals.bill), ledger: writeDollars(totals.ledger) },
    hasMore,
  });
