import { peers } from './gateways/gateways.ts';
import { goalsOf, type Goal } from './goals.ts';
import type { GroupResult, Result } from './measure/run-group.ts';
import type { ExtraResult, Run } from './run.ts';

/** A table in Markdown whose columns are aligned in the text, too. */
const formatTable = (header: readonly string[], body: readonly (readonly string[])[]): string => {
  const rows = [header, ...body];
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number): string => {
    const width = widths[column] ?? 0;
    return column === 0 ? cell.padEnd(width) : cell.padStart(width);
  };
  const [first, ...lines] = rows.map((row) => `| ${row.map(pad).join(' | ')} |`);
  const rules = widths.map((width, column) => `${'-'.repeat(width + 1)}${column === 0 ? '-' : ':'}`);
  return [first, `|${rules.join('|')}|`, ...lines].join('\n');
};

const round = (figure: number, digits: number): string => (Number.isNaN(figure) ? '' : figure.toFixed(digits));
const rowOf = ({ name, of, ratio, median: { perSecond, cpu, p50, p99, errors } }: Result): readonly string[] => [
  name,
  round(cpu, 0),
  ratio === undefined ? '' : `${round(ratio, 2)} of ${of}`,
  round(perSecond, 0),
  round(p50, 2),
  round(p99, 2),
  String(errors),
];

export function formatGroup({ title, unit, results, skipped }: GroupResult): string {
  const header = ['lane', `CPU us / ${unit}`, 'CPU', `${unit}s/s`, 'p50 ms', 'p99 ms', 'errors'];
  const table = formatTable(header, results.map(rowOf));
  const leftOut = skipped.map(({ gateway, reason }) => `\n${gateway} was left out: ${reason}`);
  return [`## ${title}`, '', table, ...leftOut].join('\n');
}

export function formatExtra({ title, figures }: ExtraResult): string {
  const digits = (value: number): number => (Number.isInteger(value) || value >= 100 ? 0 : 1);
  const rows = figures.map(({ what, value, unit }) => [what, `${round(value, digits(value))} ${unit}`]);
  return [`## ${title}`, '', formatTable(['', 'measured'], rows)].join('\n');
}

const goalRow = ({ what, reached, goal, unit, isFloor }: Goal): readonly string[] => {
  const isMet = reached !== undefined && (isFloor ? reached >= goal : reached <= goal);
  const shown = reached === undefined ? 'not measured' : `${round(reached, unit === '' ? 2 : 0)} ${unit}`.trim();
  return [what, shown, `${goal} ${unit}`.trim(), isMet ? 'yes' : 'no'];
};

const describeMachine = ({ commit, date, node, machine }: Run): string =>
  `Written by \`npm run bench\` on ${date}, of commit ${commit}: node ${node}, ${machine}.
The raw figures are in [results.json](results.json). Ratios within one run can be compared; figures of
different runs cannot.`;

const describeTurns = ({ isPinned, loadedBy, options: { turns, seconds, processes } }: Run): string => {
  const places = isPinned ? 'Gateways run on the first core, load and upstream on the others.' : 'Nothing is pinned.';
  return `The gateways of a group run at the same time and take turns of ${seconds} s (2 s in the groups of parts and
of large prompts) under a closed loop of ${loadedBy}, in forward and then in reverse order. Every figure is the median
of ${turns} turns. In the first group, ${processes} processes of each gateway share the turns. ${places}

CPU is the processor time of the gateway as the operating system counts it: user and system time of all threads and
processes, divided by the number of responses or delivered events. "0.50 of bare" means that bare takes half the time.
Requests per second and response times are those of one shared core.`;
};

const describeGateways = (): string => {
  const others = Object.values(peers).map(({ name, leavesOut }) => `- **${name}**: ${leavesOut}`);
  return `- **floor**: node:http and undici, which pass bytes on.
- **bare**: Koa, its router, koa-body and undici, and no gateway features.
- **ungoverned**: only keys. **governed**: keys, five limits in three scopes, metrics and the ledger. **everything**:
  all plugins that \`gateway.yaml\` lists, and the same limits. All write an access log.
${others.join('\n')}

\`npm run hot-path\` counts the promises, calls and bytes of a request. A test keeps them below the ceilings in
\`test/hot-path/ceilings.ts\`.`;
};

/**
 * All of README.md.
 * @param notes the goals that are not met and what was tried: notes.md, written by hand
 */
export function formatRun(run: Run, notes: string): string {
  const goals = formatTable(['goal', 'reached', 'to reach', 'met'], goalsOf(run).map(goalRow));
  const parts = [`## Goals\n\n${goals}`, ...run.groups.map(formatGroup), ...run.extras.map(formatExtra)];
  const sections = ['# The bench', describeMachine(run), describeTurns(run), describeGateways(), ...parts, notes];
  return sections.join('\n\n');
}
