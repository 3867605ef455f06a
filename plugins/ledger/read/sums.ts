import { omitUndefined } from '../../../core/api/codec.ts';
import { dialectOf, sql } from '../../../core/api/database.ts';
import { nextStart, spansOf, startOf, type Span, type Step } from '../periods.ts';
import { counterNames, sketchNames, viewNames, views, type DimensionName, type View } from '../tables.ts';
import type { LedgerDatabase } from '../thread/insert.ts';
import { identityOf, isOneOf } from './identity.ts';
import {
  groupColumn,
  inGroups,
  measures,
  whereAll,
  type Bound,
  type Chunk,
  type Column,
  type Group,
  type Grouping,
  type Groups,
  type Measure,
  type Slice,
  type Source,
  type Sql,
} from './source.ts';

/**
 * Periods that one statement reads at most. Each has few sums in a view, and up to one for each pair of key and model
 * else. A report with steps begins with one, since its first page may end there.
 */
const PERIODS = { view: 64, all: 8 };

/** A ranking of fewer periods reads their sums. Whole months are much longer than a short time, and bound nothing. */
const PERIODS_RANKED = 12;

/** Sums of one statement that reads sketches, of up to 1,200 characters each. */
const SUMS_OF_A_SLICE = 16_000;

/** Periods of one length. */
interface Periods extends Chunk {
  readonly step: Step;
  readonly starts: readonly number[];
}

/** Whether the sums of views equal the others: those of earlier versions had none (thread/views.ts). */
export async function hasViews(database: LedgerDatabase): Promise<boolean> {
  const state = database.selectFrom('ledger_state').select('value').where('name', '=', 'views');
  return (await state.executeTakeFirst())?.value === 1;
}

/** The coarsest view that knows all names of a report. */
const viewOf = ({ by, where }: Grouping): View | undefined => {
  const names = [...by, ...Object.keys(where)];
  return viewNames.findLast((view) => names.every((name) => (views[view] as readonly string[]).includes(name)));
};

const startsOf = ({ step, from, to }: Span): readonly number[] => {
  const starts: number[] = [];
  for (let start = from; start < to; start = nextStart(step, start)) starts.push(start);
  return starts;
};

const chunksOf = (spans: readonly Span[], first: number, most: number): readonly Periods[] =>
  spans.flatMap((span) => {
    const { step, from, to } = span;
    const all = startsOf(span);
    const chunks: Periods[] = [];
    for (let [index, size] = [0, first]; index < all.length; size = Math.min(most, size * 2)) {
      const starts = all.slice(index, (index += size));
      chunks.push({ step, starts, from: starts[0] ?? from, to: all[index] ?? to });
    }
    return chunks;
  });

/** A report up to now has a whole month at its end instead of its days: there are no later sums. */
const listSpans = (step: Grouping['step'], from: number, to: number): readonly Span[] => {
  if (from >= to) return [];
  if (step !== undefined && step !== 'minute') return [{ step, from, to }];
  return spansOf(from, to < Date.now() ? to : nextStart('month', startOf('month', to - 1)));
};

/** The groups of each view: what it does not know is empty. */
const ofOneView: Readonly<Record<View, Sql>> = { key: sql`operation = ''`, model: sql`organization = ''` };

/** Reads the sums of a report. */
class Sums implements Source<Periods> {
  readonly chunks: readonly Periods[];
  readonly #database: LedgerDatabase;
  readonly #grouping: Grouping;
  readonly #spans: readonly Span[];
  readonly #view: View | undefined;
  /** Counts of latencies that versions before sketches wrote are still to be read. */
  readonly #hasCounts: boolean;

  constructor(database: LedgerDatabase, grouping: Grouping, [from, to]: readonly [number, number], isReady: boolean) {
    const { step } = grouping;
    this.#database = database;
    this.#grouping = grouping;
    this.#view = isReady ? viewOf(grouping) : undefined;
    this.#hasCounts = !isReady;
    this.#spans = listSpans(step, from, to);
    const most = this.#view === undefined ? PERIODS.all : PERIODS.view;
    this.chunks = chunksOf(this.#spans, step === undefined ? most : 1, most);
  }

  get #groups(): Sql {
    return this.#view === undefined ? sql`ledger_dimensions` : sql`ledger_groups`;
  }

  get #values(): readonly Sql[] {
    return this.#grouping.by.map((name) => identityOf(name as DimensionName));
  }

  /** The values with the names of their columns. */
  get #named(): readonly Sql[] {
    const { by } = this.#grouping;
    return this.#values.map((value, index) => sql`${value} AS ${groupColumn(by[index] ?? 'model')}`);
  }

  #stepOf(step: Step): string {
    return this.#view === undefined ? step : `${this.#view}/${step}`;
  }

  #filters(groups: Groups): readonly Sql[] {
    const filters = Object.entries(this.#grouping.where).map(([name, values = []]) =>
      isOneOf(name as DimensionName, values),
    );
    const ofView = this.#view === undefined ? [] : [ofOneView[this.#view]];
    return [...ofView, ...filters, ...inGroups(this.#values, groups)];
  }

  #ofDimensions(groups: Groups): readonly Sql[] {
    const filters = this.#filters(groups);
    if (filters.length === (this.#view === undefined ? 0 : 1)) return [];
    const ids = sql`SELECT id FROM ${this.#groups} ${whereAll(filters)}`;
    // Postgres takes some groups for most of all, and would read every sum of the periods. Of an array it expects few.
    const isFew = dialectOf(this.#database).name === 'postgres' && (groups.only ?? groups.to) !== undefined;
    return [isFew ? sql`dimension = ANY (ARRAY(${ids}))` : sql`dimension IN (${ids})`];
  }

  read({ step, starts }: Periods, columns: readonly Column[], groups: Groups, { above, to }: Slice = {}): Sql {
    const { by } = this.#grouping;
    const selected = [sql`start`, ...this.#named, ...columns.map((name) => sql.ref(name))];
    const conditions = [
      sql`step = ${this.#stepOf(step)} AND start IN (${sql.join(starts)})`,
      ...(above === undefined ? [] : [sql`dimension > ${above}`]),
      ...(to === undefined ? [] : [sql`dimension <= ${to}`]),
      ...this.#ofDimensions(groups),
    ];
    const hasSketches = columns.some((name) => sketchNames.some((sketch) => sketch === name));
    const table = this.#hasCounts && hasSketches ? withCounts : sql`ledger_usage`;
    const join = by.length === 0 ? sql`` : sql`JOIN ${this.#groups} AS named ON named.id = dimension`;
    return sql`SELECT ${sql.join(selected)} FROM ${table} ${join} ${whereAll(conditions)}`;
  }

  async slices(groups: Groups): Promise<readonly Slice[]> {
    const size = Math.floor(SUMS_OF_A_SLICE / (this.#view === undefined ? PERIODS.all : PERIODS.view));
    const { rows } = await sql<{ id: number }>`SELECT id FROM
        (SELECT id, row_number() OVER (ORDER BY id) AS number FROM ${this.#groups} ${whereAll(this.#filters(groups))})
        AS numbered
      WHERE number % ${sql.lit(size)} = 0 ORDER BY id`.execute(this.#database);
    const ends = rows.map(({ id }) => Number(id));
    return [...ends, undefined].map((to, index) => omitUndefined({ above: ends[index - 1], to }));
  }

  rank(measure: Measure, groups: Groups): Sql {
    return this.#rank(this.#spans, measure, groups);
  }

  /** Whole months, and then the periods of the groups that can be the largest. */
  bound(measure: Measure): Bound | undefined {
    const [first, last] = [this.#spans[0], this.#spans.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    const to = startOf('month', last.to - 1);
    const months: Span = { step: 'month', from: startOf('month', first.from), to: nextStart('month', to) };
    const count = (spans: readonly Span[]): number => spans.reduce((sum, span) => sum + startsOf(span).length, 0);
    if (count(this.#spans) < Math.max(PERIODS_RANKED, 2 * count([months]))) return undefined;
    const used = this.#spans
      .toSorted((one, other) => other.to - other.from - (one.to - one.from))
      .map((span) => sql`named.id IN (SELECT dimension FROM ledger_usage WHERE ${this.#within(span)})`);
    const conditions = [...this.#filters({}), sql`(${sql.join(used, sql` OR `)})`];
    return {
      rank: this.#rank([months], measure, {}),
      count: sql`SELECT count(*) AS total FROM (SELECT DISTINCT ${sql.join(this.#values)}
        FROM ${this.#groups} AS named ${whereAll(conditions)}) AS found`,
    };
  }

  #within(span: Span): Sql {
    return sql`step = ${this.#stepOf(span.step)} AND start IN (${sql.join(startsOf(span))})`;
  }

  /**
   * Sums up by id first, so that only few rows are joined with their names. A part for each length of periods: Postgres
   * would read the whole table for an OR of them.
   */
  #rank(spans: readonly Span[], measure: Measure, groups: Groups): Sql {
    const sum = sql.join(
      measures[measure].map((name) => sql.ref(name)),
      sql` + `,
    );
    const parts = spans.map(
      (span) => sql`SELECT dimension, ${sum} AS measure FROM ledger_usage
        ${whereAll([this.#within(span), ...this.#ofDimensions(groups)])}`,
    );
    return sql`SELECT ${sql.join(this.#named)}, measure FROM
      (SELECT dimension, sum(measure) AS measure FROM (${sql.join(parts, sql` UNION ALL `)}) AS parts
        GROUP BY dimension) AS summed
      JOIN ${this.#groups} AS named ON named.id = dimension`;
  }

  async nextGroup(after: Group | undefined, count: number): Promise<Group | undefined> {
    const values = this.#values;
    const columns = values.map((value, index) => sql`${value} AS ${sql.id(`v${index}`)}`);
    const { rows } = await sql<Readonly<Record<string, string>>>`SELECT DISTINCT ${sql.join(columns)}
      FROM ${this.#groups} ${whereAll(this.#filters(after === undefined ? {} : { after }))}
      ORDER BY ${sql.join(values.map((_, index) => sql.id(`v${index}`)))}
      LIMIT 1 OFFSET ${sql.lit(count - 1)}`.execute(this.#database);
    const [row] = rows;
    return row && values.map((_, index) => String(row[`v${index}`]));
  }
}

const all = sql.join([...counterNames, ...sketchNames].map((name) => sql.ref(name)));
/** Counts by bucket as parts of a sketch: one text each. */
const withCounts = sql`(SELECT step, start, dimension, ${all}
    FROM ledger_usage
  UNION ALL SELECT step, start, dimension, ${sql.join(counterNames.map(() => sql`0`))},
    CASE WHEN kind = 'total' THEN bucket || ':' || count || ' ' ELSE '' END,
    CASE WHEN kind = 'total' THEN '' ELSE bucket || ':' || count || ' ' END
    FROM ledger_latencies) AS counted`;

export const sumsOf = async (
  database: LedgerDatabase,
  grouping: Grouping,
  span: readonly [from: number, to: number],
): Promise<Source<Periods>> => new Sums(database, grouping, span, await hasViews(database));
