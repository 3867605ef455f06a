import { readCsvRows } from '../../../core/canonical/text/csv.ts';
import { writeCsv } from '../../../plugins/ledger/api/csv.ts';
import type { Random } from '../random.ts';

const begins = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '－', '', "'", '"', ' =', '-1', '-.', '+-'] as const;
const ends = ['', '1', '1+1', 'cmd|/C calc!A0', 'HYPERLINK("http://evil.example")', '2.5', '"', ',', '\r\n=1', '💥'];
const makeText = (random: Random): string => random.pick(begins) + random.pick(ends);

/** How a spreadsheet recognises a formula. A number is none. */
const isFormula = (cell: string): boolean =>
  /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(cell) && !/^-?(?:\d+\.?\d*|\.\d+)$/.test(cell);

/** What is wrong with a usage report as CSV, whose names come from requests. */
export function judgeReport(random: Random, write: typeof writeCsv = writeCsv): string | undefined {
  const figures = { exchanges: random.below(10), tokens: { input: -1, output: 1e21 }, latencyMs: { p95: null } };
  const lines = Array.from({ length: 1 + random.below(5) }, () => ({
    'model': makeText(random),
    'user': makeText(random),
    'tag:team': makeText(random),
    ...figures,
  }));
  const by = ['model', 'user', 'tag:team'] as const;
  const text = write({ by, bucket: null, totals: figures, lines });
  const [, ...rows] = readCsvRows(text);
  if (rows.length !== lines.length) return `${rows.length} rows for ${lines.length} lines: ${JSON.stringify(text)}`;
  for (const [index, row] of rows.entries())
    for (const [column, name] of by.entries()) {
      const [cell = '', given] = [row[column], lines[index]?.[name]];
      if (isFormula(cell)) return `a formula in a cell of a report: ${JSON.stringify(cell)}`;
      if (cell !== given && cell !== `'${given}`)
        return `${JSON.stringify(given)} is written as ${JSON.stringify(cell)}`;
    }
  return undefined;
}
