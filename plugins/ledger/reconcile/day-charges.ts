import { sql } from '../../../core/api/database.ts';
import type { RowCharge } from '../row.ts';
import type { LedgerTable } from '../tables.ts';
import type { LedgerDatabase } from '../thread/insert.ts';

const PAGE = 5_000;
const DAY = 86_400_000;

/** What one row charges at one target. */
export interface Charge {
  readonly id: string;
  readonly target: string;
  readonly source: string | null;
  readonly cost: bigint | undefined;
  readonly version: string | null;
  readonly tokens: number;
  readonly hasUnits: boolean;
  /** Other models that the vendor used. */
  readonly models: readonly string[];
}

type Row = Pick<
  LedgerTable,
  | 'id'
  | 'ended_at'
  | 'target'
  | 'usage_source'
  | 'cost'
  | 'price_version'
  | 'input_tokens'
  | 'output_tokens'
  | 'web_searches'
  | 'web_fetches'
  | 'images'
  | 'media_ms'
  | 'charges'
  | 'vendor_models'
>;

type Units = Partial<Pick<Row, 'web_searches' | 'web_fetches' | 'images' | 'media_ms'>>;
const hasUnits = ({ web_searches: searches = 0, web_fetches: fetches = 0, images = 0, media_ms: ms = 0 }: Units) =>
  searches + fetches + images + ms > 0;

const listCharges = (row: Row): readonly Charge[] => {
  if (row.charges !== null)
    return (JSON.parse(row.charges) as readonly RowCharge[]).map((charge) => ({
      id: row.id,
      target: charge.target,
      source: charge.usage_source,
      cost: charge.cost === undefined ? undefined : BigInt(charge.cost),
      version: charge.price_version ?? null,
      tokens: charge.input_tokens + charge.output_tokens,
      hasUnits: hasUnits(charge),
      models: charge.vendor_models ?? [],
    }));
  const cost = row.cost === null ? undefined : BigInt(row.cost);
  const tokens = Number(row.input_tokens) + Number(row.output_tokens);
  return [
    {
      id: row.id,
      target: row.target ?? '',
      source: row.usage_source,
      cost,
      version: row.price_version,
      tokens,
      hasUnits: hasUnits(row),
      models: row.vendor_models === null ? [] : (JSON.parse(row.vendor_models) as readonly string[]),
    },
  ];
};

/** Reads what was charged on a day, page by page: there can be millions of rows. */
export async function* readCharges(database: LedgerDatabase, day: string, page = PAGE): AsyncGenerator<Charge> {
  const from = Date.parse(`${day}T00:00:00Z`);
  let [at, id] = [from, ''];
  for (;;) {
    const { rows } = await sql<Row>`SELECT id, ended_at, target, usage_source, cost, price_version, input_tokens,
        output_tokens, web_searches, web_fetches, images, media_ms, charges, vendor_models
      FROM ledger WHERE ended_at >= ${at} AND ended_at < ${from + DAY} AND (ended_at > ${at} OR id > ${id})
      ORDER BY ended_at, id LIMIT ${page}`.execute(database);
    yield* rows.flatMap(listCharges);
    const last = rows.at(-1);
    if (last === undefined || rows.length < page) return;
    [at, id] = [Number(last.ended_at), last.id];
  }
}
