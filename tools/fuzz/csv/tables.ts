import { damage } from '../damage.ts';
import type { Random } from '../random.ts';

/** A key as a table has it, and as the list of keys must show it afterwards. */
export interface TableKey {
  readonly cells: Readonly<Record<string, string>>;
  readonly listed: Readonly<Record<string, unknown>>;
}

const texts = ['=1+1', '+1', '-1+cmd', '@x', 'a "quoted" text', 'a, b', 'ü 💥', 'x'.repeat(512), "it's", '0', 'null'];
const limits = [
  ['requests=60/1m', { requests: 60, per: '1m' }],
  ['cost=2.5/month', { cost: 2.5, per: 'month' }],
  ['concurrent=8', { concurrent: 8 }],
  ['tokens=1000/1h', { tokens: 1_000, per: '1h' }],
] as const;

const makeKey = (name: string, random: Random): TableKey => {
  const cells: Record<string, string> = { name };
  const listed: Record<string, unknown> = { name, organization: 'default', project: 'default', models: [] };
  const set = (share: number, column: string, cell: string, member: string, value: unknown): void => {
    if (!random.chance(share)) return;
    cells[column] = cell;
    listed[member] = value;
  };
  set(0.5, 'organization', 'acme', 'organization', 'acme');
  set(0.5, 'project', 'web', 'project', 'web');
  set(0.5, 'models', 'simulator/* other/x', 'models', ['simulator/*', 'other/x']);
  const [notation, limit] = random.pick(limits);
  set(0.5, 'limits', notation, 'limits', [limit]);
  set(0.3, 'losses', 'warn', 'losses', 'warn');
  set(0.3, 'vendorState', 'refuse', 'vendorState', 'refuse');
  set(0.3, 'costHeaders', 'on', 'costHeaders', 'on');
  set(0.3, 'tags', 'team=search,env=prod', 'tags', { team: 'search', env: 'prod' });
  const owner = random.pick(['ann', '=ann', '-1+1', 'Ann Ö', 'a,b']);
  set(0.3, 'owner', owner, 'owner', owner);
  set(0.3, 'expires', '2999-01-31', 'expiresAt', '2999-01-31T00:00:00.000Z');
  const note = random.pick(texts);
  set(0.4, 'metadata.note', note, 'metadata', { note });
  return { cells, listed };
};

const quote = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
const writeCell = (cell: string, random: Random): string =>
  /[",\r\n]/.test(cell) || random.chance(0.2) ? quote(cell) : cell;
const write = (rows: readonly (readonly string[])[], random: Random): string => {
  const end = random.pick(['\n', '\r\n', '\r']);
  const text = rows.map((row) => row.map((cell) => writeCell(cell, random)).join(',')).join(end);
  return `${random.chance(0.2) ? '\uFEFF' : ''}${text}${random.chance(0.5) ? end : ''}`;
};

const oddCells = [
  '',
  ' ',
  '"',
  '""',
  '=cmd|x!A0',
  'a b',
  '../x',
  '\u0000',
  '\u001b[2J',
  '\u202e',
  '__proto__',
  'constructor',
  'requests=0/1m',
  'requests=1e400/1m',
  'cost=-1/day',
  'requests=60',
  'team',
  '=',
  'a=b,a=c',
  '__proto__=x',
  '1999-01-31',
  '2999-02-31',
  'sk-proj-abcdefghijklmnopqrstuvwxyz',
  'x'.repeat(5_000),
  'модель/*',
  'a\nb',
  'a,b',
] as const;
const oddColumns = ['nam', 'Name', 'metadata.', 'metadata.__proto__', '__proto__', 'secret', '', 'id', '\u001b[2J'];

const changeRows = (rows: readonly string[][], random: Random): readonly string[][] => {
  const at = random.below(rows.length);
  // A row that has lost all of its cells.
  const row = rows[at]?.length === 0 ? [''] : (rows[at] ?? ['']);
  const column = random.below(row.length);
  return random.pick<() => readonly string[][]>([
    () => rows.with(at, row.with(column, random.pick(at === 0 ? oddColumns : oddCells))),
    () => rows.with(at, row.with(column, random.pick(oddCells))),
    () => rows.with(at, [...row, random.pick(oddCells)]),
    () => rows.with(at, row.slice(1)),
    () => [...rows, row],
    () => rows.slice(1),
    () => rows.map((each) => [...each, ...each]),
    () => [...rows, ...Array.from({ length: random.pick([1, 2_000]) }, () => [''])],
    () => [],
  ])();
};

export interface KeyTable {
  readonly bytes: Buffer;
  /** What the list of keys must show; undefined: the table was changed, and may be refused. */
  readonly keys: readonly TableKey[] | undefined;
}

/** A table of new keys; more than half of the tables have random changes of cells, rows, columns and bytes. */
export function makeTable(name: string, random: Random): KeyTable {
  const keys = Array.from({ length: 1 + random.below(6) }, (_, at) => makeKey(`${name}-${at}`, random));
  const columns = [...new Set(keys.flatMap(({ cells }) => Object.keys(cells)))];
  const rows = [columns, ...keys.map(({ cells }) => columns.map((column) => cells[column] ?? ''))];
  if (random.chance(0.4)) return { bytes: Buffer.from(write(rows, random)), keys };
  let changed: readonly string[][] = rows;
  for (let times = 1 + random.below(3); times > 0 && changed.length > 0; times -= 1)
    changed = changeRows(changed, random);
  const text = write(changed, random);
  return { bytes: random.chance(0.7) ? Buffer.from(text) : damage(text, random), keys: undefined };
}
