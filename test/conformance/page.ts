import type { Verdict } from './judges.ts';
import type { Probed } from './probe.ts';

/** Around the table, in the page. */
export const MARKS = '<!-- npm run conformance -- --write -->';

/** What the judges found behind one kind of target. */
export interface Row {
  readonly kind: string;
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

const writeCell = (verdict: Verdict | undefined): string => {
  if (verdict === undefined) return 'native';
  const { passed, total, refused } = verdict;
  return [`${passed} of ${total}`, ...(refused.length === 0 ? [] : [`refused: ${refused.join(', ')}`])].join(', ');
};

const writeRows = (table: readonly (readonly string[])[]): string =>
  table.map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** The tables of docs/reference/conformance.md. @param judged bodies and events of the matrix */
export function writeTables(rows: readonly Row[], judged: number, complaints: number, probed: Probed): string {
  const judges = [...new Set(rows.flatMap(({ verdicts }) => [...verdicts.keys()]))];
  const lines = rows.map(({ kind, verdicts }) => [kind, ...judges.map((judge) => writeCell(verdicts.get(judge)))]);
  const table = [['target', ...judges], Array(judges.length + 1).fill('---'), ...lines];
  const matrix = `Bodies and events of the matrix that were held against the vendors' documents: ${judged}, complaints: ${complaints}.`;
  const missing = [['what llmprobe misses', 'why'], ['---', '---'], ...probed.missing];
  const scores = `llmprobe, with the simulator: ${probed.scores.join(', ')}.`;
  return `${writeRows(table)}\n\n${matrix}\n\n${scores}\n\n${writeRows(missing)}\n`;
}
