import { omitUndefined } from '../../../core/api/codec.ts';
import { writeDollars } from '../../../core/api/internal.ts';
import type { Comparison, Difference } from './compare.ts';

const writeFigure = ({ figure }: Pick<Difference, 'figure'>, value: bigint): string =>
  figure === 'cost' ? `$${writeDollars(value)}` : String(value);
const writeShare = ({ share }: Difference): string =>
  share === undefined ? 'not in the bill' : `${share < 0 ? '' : '+'}${(share * 100).toFixed(2)} %`;

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
      writeFigure(difference, difference.bill),
      writeFigure(difference, difference.ledger),
      writeShare(difference),
    ]),
  ]);

/** The lines of `--format text`. */
export const describeComparison = ({ differences, compared, totals }: Comparison): readonly string[] => [
  ...(differences.length === 0 ? [] : describeDifferences(differences)),
  differences.length === 0
    ? `No differences in ${compared} figures.`
    : `${differences.length} of ${compared} figures differ.`,
  ...(totals === undefined
    ? []
    : [`Total cost: $${writeDollars(totals.bill)} in the bill, $${writeDollars(totals.ledger)} in the ledger.`]),
];

/** The object of `--format json`. Money is in USD as exact decimals. */
export function encodeComparison({ differences, compared, totals }: Comparison): object {
  const encode = (figure: Difference['figure'], value: bigint): string | number =>
    figure === 'cost' ? writeDollars(value) : Number(value);
  return omitUndefined({
    compared,
    differences: differences.map(({ bill, ledger, share, ...rest }) => ({
      ...rest,
      bill: encode(rest.figure, bill),
      ledger: encode(rest.figure, ledger),
      share: share ?? null,
    })),
    cost: totals && { bill: writeDollars(totals.bill), ledger: writeDollars(totals.ledger) },
  });
}
