import { ceilings } from './ceilings.ts';
import { measures, type Measure } from './counts.ts';
import type { Measured } from './measure.ts';

const cellOf = ({ lane, counts }: Measured, measure: Measure): string => {
  const [count, ceiling] = [counts[measure], ceilings[lane]?.[measure]];
  if (count === undefined) return '';
  const shown = String(Math.round(count * 10) / 10);
  if (ceiling === undefined) return shown;
  return count > ceiling ? `${shown} > ${ceiling} !` : `${shown} / ${ceiling}`;
};

/** A line per measure and a column per lane: the count and its ceiling. `!` marks a count above it. */
export const formatTable = (found: readonly Measured[]): string => {
  const header = ['per warm request', ...found.map(({ lane }) => lane)];
  const rows = [header, ...measures.map((measure) => [measure, ...found.map((each) => cellOf(each, measure))])];
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)) + 2);
  const pad = (cell: string, column: number): string => cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join('').trimEnd()).join('\n');
};

/** The counts above their ceilings. */
export const findExceeded = ({ lane, counts }: Measured): readonly string[] =>
  measures.flatMap((measure) => {
    const [count, ceiling] = [counts[measure], ceilings[lane]?.[measure]];
    if (count === undefined || ceiling === undefined || count <= ceiling) return [];
    return [`${measure}: ${count}, at most ${ceiling}`];
  });
