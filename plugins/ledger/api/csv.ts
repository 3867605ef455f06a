import { isUsageName } from '../read/usage-name.ts';
import type { UsageReport } from './report.ts';

/** Nested members become columns: `tokens.input`, `latencyMs.p95`. */
const flatten = (prefix: string, value: object): readonly (readonly [column: string, cell: string])[] =>
  Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const column = prefix === '' ? name : `${prefix}.${name}`;
    return typeof member === 'object' && member !== null
      ? flatten(column, member)
      : [[column, member === null ? '' : String(member)] as const];
  });

/** How formulas begin in spreadsheets, also in the wide form of these characters. A negative number is none. */
const FORMULA = /^[=+@\t\r\n\uff1d\uff0b\uff0d\uff20]|^-(?!\d*\.?\d+$)/;

/** RFC 4180. Text that a spreadsheet would run as a formula gets a leading quote. */
const writeCell = (cell: string): string => {
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const isText = (column: string): boolean => column === 'start' || isUsageName(column);

/** What is written of a report. */
type CsvReport = Pick<UsageReport, 'by' | 'bucket'> & {
  readonly totals: object;
  readonly lines: readonly object[];
  readonly other?: readonly object[];
};

/**
 * The lines of a report, or its totals when it is not grouped; those of all other groups are last, without a name. The
 * first line has the names of the columns.
 */
export function writeCsv({ by, bucket, totals, lines, other = [] }: CsvReport): string {
  const rows: readonly object[] = bucket === null && by.length === 0 ? [totals] : [...lines, ...other];
  const columns = [...(bucket === null ? [] : ['start']), ...by, ...flatten('', totals).map(([column]) => column)];
  const cells = rows.map((row) => new Map(flatten('', row)));
  return [columns, ...cells.map((row) => columns.map((column) => row.get(column) ?? ''))]
    .map((row) => `${row.map((cell, index) => (isText(columns[index] ?? '') ? writeCell(cell) : cell)).join(',')}\r\n`)
    .join('');
}
