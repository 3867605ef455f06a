import { writeDollars } from '../api/figures.ts';
import type { Comparison, Difference } from './compare.ts';

const write = ({ figure }: Pick<Difference, 'figure'>, value: bigint): string =>
  figure === 'cost' ? `$${writeDollars(value)}` : String(value);
const writeShare = ({ share }: Difference): string =>
  share === undefined ? 'not in the bill' : `${share < 0 ? '' : '+'}${(share * 100).toFixed(2)} %`;

const align = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column < 3 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
};

/** For people. */
export const describeComparison = ({ differences, compared, totals }: Comparison): readonly string[] => [
  ...(differences.length === 0
    ? []
    : align([
        ['day', 'model', 'figure', 'bill', 'ledger', 'ledger − bill'],
        ...differences.map((one) => [
          one.day,
          one.model,
          one.figure,
          write(one, one.bill),
          write(one, one.ledger),
          writeShare(one),
        ]),
      ])),
  `${differences.length === 0 ? 'Nothing differs' : `${differences.length} of ${compared} figures differ`}${differences.length === 0 ? ` in ${compared} figures` : ''}.`,
  ...(totals === undefined
    ? []
    : [`In all the bill says $${writeDollars(totals.bill)}, the ledger $${writeDollars(totals.ledger)}.`]),
];

/** For programs: money in USD as exact decimals. */
export function encodeComparison({ differences, compared, totals }: Comparison): object {
  const encode = (figure: Difference['figure'], value: bigint): string | number =>
    figure === 'cost' ? writeDollars(value) : Number(value);
  return {
    compared,
    differences: differences.map(({ bill, ledger, share, ...one }) => ({
      ...one,
      bill: encode(one.figure, bill),
      ledger: encode(one.figure, ledger),
      share: share ?? null,
    })),
    ...(totals === undefined ? {} : { cost: { bill: writeDollars(totals.bill), ledger: writeDollars(totals.ledger) } }),
  };
}
