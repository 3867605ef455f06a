import type { LedgerTable } from '../tables.ts';

/** `time`: unix milliseconds. Money is in nano-dollars. JSON is text. */
interface ColumnType {
  readonly type: 'text' | 'integer' | 'time';
  readonly nullable: boolean;
}
const text: ColumnType = { type: 'text', nullable: false };
const integer: ColumnType = { type: 'integer', nullable: false };
const textOrNull: ColumnType = { type: 'text', nullable: true };
const integerOrNull: ColumnType = { type: 'integer', nullable: true };

/** The columns of a row that sinks get from the ledger. docs/operate/ledger-sinks.md has them as a table. */
const ledgerColumns = {
  id: text,
  state: text,
  opened_at: { type: 'time', nullable: false },
  ended_at: { type: 'time', nullable: true },
  organization: text,
  project: text,
  key: text,
  route: text,
  wire: text,
  operation: text,
  model: text,
  target: textOrNull,
  attempts: integer,
  status: integerOrNull,
  outcome: textOrNull,
  input_tokens: integer,
  cache_read_tokens: integer,
  cache_write_5m_tokens: integer,
  cache_write_1h_tokens: integer,
  cache_write_12h_tokens: integer,
  output_tokens: integer,
  reasoning_tokens: integer,
  web_searches: integer,
  web_fetches: integer,
  images: integer,
  media_ms: integer,
  characters: integer,
  usage_source: textOrNull,
  cost: integerOrNull,
  price_version: textOrNull,
  cache_saved: integerOrNull,
  cache_lost: integerOrNull,
  total_ms: integerOrNull,
  first_content_ms: integerOrNull,
  raw_usage: textOrNull,
  charges: textOrNull,
  tags: textOrNull,
  tier: textOrNull,
  region: textOrNull,
  end_user: textOrNull,
  vendor_models: textOrNull,
  code: textOrNull,
  stream: integerOrNull,
  trace_id: textOrNull,
  upstream_request_id: textOrNull,
  trail: textOrNull,
  losses: textOrNull,
  message: textOrNull,
} as const satisfies Partial<Record<keyof LedgerTable, ColumnType>>;
type LedgerColumn = keyof typeof ledgerColumns;
export const ledgerColumnNames = Object.keys(ledgerColumns) as readonly LedgerColumn[];

/** The columns of a row at a sink, in this order. */
export const sinkColumns: Readonly<Record<LedgerColumn | 'version', ColumnType>> = {
  ...ledgerColumns,
  version: integer,
};
export type SinkColumn = keyof typeof sinkColumns;
export const sinkColumnNames = Object.keys(sinkColumns) as readonly SinkColumn[];

/**
 * A row as sinks get it. Of several rows with one id, that with the highest `version` counts: 2 for a settled one, 1
 * for one that was abandoned or refused.
 */
export type SinkRow = Readonly<Record<SinkColumn, string | number | null>> & {
  readonly id: string;
  readonly opened_at: number;
};

/** @param row with bigints beyond 2^53, which no column of a row reaches */
export const toSinkRow = (row: Pick<LedgerTable, LedgerColumn>): SinkRow => {
  const columns = Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]);
  return { ...(Object.fromEntries(columns) as SinkRow), version: row.state === 'settled' ? 2 : 1 };
};
