import { wireNames, type Wire } from '../../matrix/wires.ts';
import { turnNames, type Agent, type TurnName } from './agent.ts';

/** What one agent did over one upstream. */
export interface Row {
  readonly agent: string;
  readonly wire: Wire;
  readonly cells: Readonly<Record<string, string>>;
}

const columns: Readonly<Record<TurnName, string>> = {
  plain: 'plain answer',
  parallel: 'parallel tools',
  error: 'tool error',
  image: 'image',
  cut: 'cut by max tokens',
  delegate: 'subagent',
  found: 'tool search',
  switched: 'model switch',
  interrupted: 'interruption',
  compacted: 'compaction',
  counted: 'count of tokens',
};
const [BEGIN, END] = ['<!-- sessions: written by the test -->', '<!-- end of sessions -->'];

const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** The results as a table, and the reasons of the cells without a result. */
export const writeTable = (agents: readonly Agent[], rows: readonly Row[]): string => {
  const head = ['agent', 'upstream', ...turnNames.map((turn) => columns[turn])];
  const body = rows.map(({ agent, wire, cells }) =>
    rowOf([agent, `\`${wireNames[wire]}\``, ...turnNames.map((turn) => cells[turn] ?? '')]),
  );
  const reasons = agents.flatMap(({ name, without }) =>
    Object.entries(without).map(([turn, reason]) => `- ${name}, ${columns[turn as TurnName]}: ${reason}.`),
  );
  return [rowOf(head), rowOf(head.map(() => '---')), ...body, '', ...reasons].join('\n');
};

/** The page with this table in place of the one that it has. */
export const replaceTable = (page: string, table: string): string => {
  const [before = '', rest = ''] = page.split(BEGIN);
  return `${before}${BEGIN}\n\n${table}\n\n${END}${rest.split(END)[1] ?? ''}`;
};
