import { dialectOf, sql } from '../../../core/api/database.ts';
import type { ReportStep } from '../periods.ts';
import type { CounterName, SketchName } from '../tables.ts';
import type { LedgerDatabase } from '../thread/insert.ts';
import type { UsageName } from './usage-name.ts';

export type Sql = ReturnType<typeof sql>;

/** The lines of a report. */
export interface Grouping {
  /** One line for each period of this length, in UTC; absent: one for the whole time. */
  readonly step?: ReportStep;
  /** One line for each combination of these; empty: one for all. */
  readonly by: readonly UsageName[];
  /** Values to include, by name. */
  readonly where: Partial<Record<UsageName, readonly string[]>>;
}

/** What the lines of a report can be ranked by. */
export const measures = {
  cost: ['cost'],
  exchanges: ['exchanges'],
  tokens: [
    'input_tokens',
    'cache_read_tokens',
    'cache_write_5m_tokens',
    'cache_write_1h_tokens',
    'cache_write_12h_tokens',
    'output_tokens',
  ],
} as const satisfies Readonly<Record<string, readonly CounterName[]>>;
export type Measure = keyof typeof measures;

/** Values of `by`, in its order. */
export type Group = readonly string[];

/** Groups to read: a range in their order, or those that are listed. */
export interface Groups {
  /** Exclusive. */
  readonly after?: Group;
  /** Inclusive. */
  readonly to?: Group;
  readonly only?: readonly Group[];
}

/** Columns of the sums. */
export type Column = CounterName | SketchName;

/** A part of the time of a report that one statement reads. */
export interface Chunk {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** Sums of some dimensions: the ids after `above`, up to `to`. */
export interface Slice {
  readonly above?: number;
  readonly to?: number;
}

/** Finds the groups that can be the largest in fewer sums. */
export interface Bound {
  /** Like `rank`, of a longer time: no group has less in it. */
  readonly rank: Sql;
  /** A query of the number of groups in the time of the report, as `total`. */
  readonly count: Sql;
}

/** Where the figures of a report come from: the sums, or the rows. */
export interface Source<Of extends Chunk = Chunk> {
  /** In ascending order of time if the report has steps. */
  readonly chunks: readonly Of[];
  /** A query with the columns `start` (of stepped reports), `g_<name>` for each name of `by`, and these. */
  read(chunk: Of, columns: readonly Column[], groups: Groups, slice?: Slice): Sql;
  /** Divides what `read` reads of a chunk, so that the sketches of each part fit in memory. */
  slices(groups: Groups): Promise<readonly Slice[]>;
  /** A query of the whole time with the columns `g_<name>` and `measure`; a group can have several rows. */
  rank(measure: Measure, groups: Groups): Sql;
  /** undefined: nothing reads much less than `rank`. */
  bound(measure: Measure): Bound | undefined;
  /** The last of the next `count` groups; undefined when there are fewer. */
  nextGroup(after: Group | undefined, count: number): Promise<Group | undefined>;
}

/** Aggregates texts one after the other. */
export const joinTexts = (database: LedgerDatabase, text: Sql): Sql =>
  dialectOf(database).name === 'sqlite' ? sql`group_concat(${text}, '')` : sql`string_agg(${text}, '')`;

export const tupleOf = (parts: readonly Sql[]): Sql =>
  parts.length === 1 ? sql`${sql.join(parts)}` : sql`(${sql.join(parts)})`;
const valuesOf = (group: Group): Sql => tupleOf(group.map((value) => sql`${value}`));

/** @param values the expressions of `by` */
export const inGroups = (values: readonly Sql[], { after, to, only }: Groups): readonly Sql[] =>
  values.length === 0
    ? []
    : [
        ...(after === undefined ? [] : [sql`${tupleOf(values)} > ${valuesOf(after)}`]),
        ...(to === undefined ? [] : [sql`${tupleOf(values)} <= ${valuesOf(to)}`]),
        ...(only === undefined ? [] : [sql`${tupleOf(values)} IN (${listOf(only)})`]),
      ];
/** SQLite reads a list of tuples only as VALUES. */
const listOf = (groups: readonly Group[]): Sql =>
  groups[0]?.length === 1
    ? sql`${sql.join(groups.flat())}`
    : sql`VALUES ${sql.join(groups.map((group) => sql`(${sql.join(group)})`))}`;

/** Not `sql.ref`, which would split the name of a plugin's tag at its dot. */
export const groupColumn = (name: UsageName): Sql => sql`${sql.id(`g_${name}`)}`;
export const whereAll = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`` : sql`WHERE ${sql.join(conditions, sql` AND `)}`;
