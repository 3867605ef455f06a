import type { GroupResult, Result } from './measure/run-group.ts';

const round = (figure: number, digits: number): string => (Number.isNaN(figure) ? '' : figure.toFixed(digits));
const cellsOf = ({ name, of, ratio, median: { perSecond, cpu, p50, p99, errors } }: Result): readonly string[] => [
  name,
  round(cpu, 0),
  ratio === undefined ? '' : `${round(ratio, 2)} of ${of}`,
  round(perSecond, 0),
  round(p50, 2),
  round(p99, 2),
  String(errors),
];

/** The table of a group in Markdown, its columns aligned. */
export const formatGroup = ({ title, unit, results }: GroupResult): string => {
  const header = ['lane', `CPU us / ${unit}`, 'CPU', `${unit}s/s`, 'p50 ms', 'p99 ms', 'errors'];
  const rows = [header, ...results.map(cellsOf)];
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number): string => {
    const width = widths[column] ?? 0;
    return column === 0 ? cell.padEnd(width) : cell.padStart(width);
  };
  const lines = rows.map((row) => `| ${row.map(pad).join(' | ')} |`);
  const rule = `|${widths.map((width, column) => `${'-'.repeat(width + 1)}${column === 0 ? '-' : ':'}`).join('|')}|`;
  return [`## ${title}`, '', lines[0], rule, ...lines.slice(1)].join('\n');
};
