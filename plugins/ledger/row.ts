import type { Charge, Exchange, Outcome, Usage } from '../../core/api/index.ts';
import { readTraceId } from '../../core/api/internal.ts';
import { laterCounts, type LedgerTable } from './tables.ts';
import { describeEnd, type EndColumns } from './trail.ts';

/** More than any call uses. A larger count is an upstream's mistake and must not distort the sums. */
const MAX_TOKENS = 1e12;
/** A million dollars: a number is exact to the nano-dollar up to here. */
const MAX_COST = 10n ** 15n;
/** Longest usage report, in characters, that is kept as the provider sent it. No provider sends a longer one. */
const MAX_RAW_LENGTH = 8_192;

/** The columns of a row, in this order. The thread adds `process`. */
export const rowColumns = [
  'id',
  'state',
  'opened_at',
  'ended_at',
  'organization',
  'project',
  'key',
  'route',
  'wire',
  'operation',
  'model',
  'target',
  'attempts',
  'status',
  'outcome',
  'input_tokens',
  'cache_read_tokens',
  'cache_write_5m_tokens',
  'cache_write_1h_tokens',
  'output_tokens',
  'reasoning_tokens',
  'usage_source',
  'cost',
  'price_version',
  'cache_saved',
  'cache_lost',
  'total_ms',
  'first_content_ms',
  'raw_usage',
  'estimated_target',
  'estimated_input_tokens',
  'estimated_cost',
  'charges',
  'tags',
  ...laterCounts,
  'tier',
  'region',
  'end_user',
  'vendor_models',
  'stream',
  'trace_id',
  'upstream_request_id',
  'code',
  'trail',
  'losses',
  'message',
  'characters',
] as const satisfies readonly (keyof LedgerTable)[];

type Columns = typeof rowColumns;

/** Columns whose values are narrower on the way to the database than in the table. */
interface NarrowedColumns {
  readonly state: 'pending' | 'settled' | 'refused';
  readonly outcome: Outcome['result'] | null;
  readonly cost: number | null;
  readonly cache_saved: number | null;
  readonly cache_lost: number | null;
  readonly estimated_cost: number | null;
}
type RowValues = Omit<LedgerTable, keyof NarrowedColumns> & NarrowedColumns;

type RowOf<Names extends readonly (keyof RowValues)[]> = { readonly [Index in keyof Names]: RowValues[Names[Index]] };

/** A row of `ledger` on its way to the database: plain JSON, in the order of `rowColumns`. */
export type LedgerRow = RowOf<Columns>;

type NumberOf<Text> = Text extends `${infer Index extends number}` ? Index : never;
type ColumnIndexes = { readonly [P in keyof Columns as P extends `${number}` ? Columns[P] : never]: NumberOf<P> };
/** The index of each column in a row: `row[at.cost]`. */
export const at = Object.fromEntries(rowColumns.map((name, index) => [name, index])) as ColumnIndexes;

export const boundTokens = (tokens: number): number => Math.min(tokens, MAX_TOKENS);
export const boundCost = (cost: bigint | undefined): number | null => {
  if (cost === undefined) return null;
  return Number(cost > MAX_COST ? MAX_COST : cost < -MAX_COST ? -MAX_COST : cost);
};

type CountsOf<Names extends readonly string[]> = { readonly [Index in keyof Names]: number };
/** In the order of `laterCounts`. */
type LaterCounts = CountsOf<typeof laterCounts>;
export const NO_LATER_COUNTS: LaterCounts = [0, 0, 0, 0, 0];
const countLater = ({ cacheWrite12h = 0, units = {} }: Usage): LaterCounts => [
  boundTokens(cacheWrite12h),
  boundTokens(units.webSearches ?? 0),
  boundTokens(units.webFetches ?? 0),
  boundTokens(units.images ?? 0),
  boundTokens(Math.round((units.seconds ?? 0) * 1_000)),
];
const countCharacters = (usage: Usage | undefined): number => boundTokens(usage?.units?.characters ?? 0);
/** Without the counts that are 0, as most of them are. */
const describeLaterCounts = (usage: Usage): Partial<Record<(typeof laterCounts)[number] | 'characters', number>> => {
  const counts = countLater(usage);
  const characters = countCharacters(usage);
  return {
    ...Object.fromEntries(
      laterCounts.flatMap((name, index) => (counts[index] === 0 ? [] : [[name, counts[index]] as const])),
    ),
    ...(characters === 0 ? {} : { characters }),
  };
};

const MAX_NAME_LENGTH = 64;

/** Removes what Postgres rejects in text: names may come from a remote key service. */
export const clean = (name: string): string => (name.includes('\0') ? name.replaceAll('\0', '') : name).toWellFormed();

/** A name that the vendor reported: of a tier, a region or a model. */
const writeName = (name: string): string => clean(name.slice(0, MAX_NAME_LENGTH));

/** More are not kept. */
const MAX_MODELS = 8;

/** The models other than that of the target, under the vendor's names; undefined for none. */
const listModels = (usage: Usage, calls: readonly Usage[] = [usage]): readonly string[] | undefined => {
  const names = new Set(calls.flatMap(({ model }) => (model === undefined ? [] : [writeName(model)])));
  return names.size === 0 ? undefined : [...names].slice(0, MAX_MODELS);
};
/** JSON of those of all charges. */
const writeModels = (charges: readonly Charge[]): string | null => {
  const names = new Set(charges.flatMap(({ usage, calls }) => listModels(usage, calls) ?? []));
  return names.size === 0 ? null : JSON.stringify([...names]);
};

/** Stands for the version of a price where the cost is the one that the vendor reported. */
const REPORTED = 'reported';

/** One of several charges as it is stored in a row, with its cost as text. */
const describeCharge = ({ attempt, target, usage, calls, price, cost }: Charge) => ({
  attempt,
  target: target.id,
  input_tokens: boundTokens(usage.inputUncached),
  cache_read_tokens: boundTokens(usage.cacheRead),
  cache_write_5m_tokens: boundTokens(usage.cacheWrite5m),
  cache_write_1h_tokens: boundTokens(usage.cacheWrite1h),
  output_tokens: boundTokens(usage.output),
  reasoning_tokens: boundTokens(usage.reasoning),
  ...describeLaterCounts(usage),
  tier: usage.tier,
  region: usage.region,
  usage_source: usage.source,
  cost: boundCost(cost)?.toString(),
  price_version: price?.version ?? (cost === undefined ? undefined : REPORTED),
  vendor_models: listModels(usage, calls),
  raw_usage: usage.raw,
});
export type RowCharge = Readonly<ReturnType<typeof describeCharge>>;

/** JSON of a usage report, unless it is too long. */
export const writeRaw = (raw: unknown): string | null => {
  const text = raw === undefined ? null : JSON.stringify(raw);
  return text !== null && text.length > MAX_RAW_LENGTH ? null : text;
};

const PLAIN_END: EndColumns = [null, null, null, null];
const NO_ESTIMATE = [null, null, null] as const;

/** The columns `stream` and `trace_id`. */
export const describeStart = ({ request, headers: { traceparent } }: Exchange): readonly [number, string | null] => [
  'stream' in request && request.stream ? 1 : 0,
  traceparent === undefined ? null : (readTraceId(traceparent) ?? null),
];

/** How it ended. Most end plainly, and have nothing to describe. */
const describeFinish = (exchange: Exchange, outcome: Outcome): EndColumns => {
  const [attempt, ...others] = outcome.attempts;
  const isPlain = others.length === 0 && attempt?.ending?.reason === 'complete' && attempt.losses.length === 0;
  return isPlain ? PLAIN_END : describeEnd(exchange, outcome);
};

/** The row of an exchange that has ended. @param endedAt unix milliseconds */
export function settledRow(exchange: Exchange, outcome: Outcome, openedAt: number, endedAt: number): LedgerRow {
  const { id, caller, route, operation, model, attribution } = exchange;
  const { charges, usage, cost, cache, attempts, status, result, times, annotations } = outcome;
  const [last, attempt] = [charges.at(-1), attempts.at(-1)];
  return [
    id,
    'settled',
    openedAt,
    endedAt,
    clean(caller.organization),
    clean(caller.project),
    clean(caller.key),
    route.path,
    route.wire,
    operation,
    model,
    last?.target.id ?? attempt?.target ?? null,
    attempts.length,
    status,
    result,
    Math.min(usage?.inputUncached ?? 0, MAX_TOKENS),
    Math.min(usage?.cacheRead ?? 0, MAX_TOKENS),
    Math.min(usage?.cacheWrite5m ?? 0, MAX_TOKENS),
    Math.min(usage?.cacheWrite1h ?? 0, MAX_TOKENS),
    Math.min(usage?.output ?? 0, MAX_TOKENS),
    Math.min(usage?.reasoning ?? 0, MAX_TOKENS),
    usage?.source ?? null,
    last === undefined ? 0 : boundCost(cost),
    last?.price?.version ?? (last?.cost === undefined ? null : REPORTED),
    boundCost(cache?.saved),
    boundCost(cache?.lost),
    Math.round(times.total),
    times.firstContent === undefined ? null : Math.round(times.firstContent),
    charges.length === 1 ? writeRaw(last?.usage.raw) : null,
    ...NO_ESTIMATE,
    charges.length > 1 ? JSON.stringify(charges.map(describeCharge)) : null,
    annotations?.tags === undefined && attribution?.tags === undefined
      ? null
      : JSON.stringify({ ...attribution?.tags, ...annotations?.tags }),
    ...(usage?.units === undefined && usage?.cacheWrite12h === undefined ? NO_LATER_COUNTS : countLater(usage)),
    usage?.tier === undefined ? null : writeName(usage.tier),
    usage?.region === undefined ? null : writeName(usage.region),
    attribution?.user ?? null,
    charges.length < 2 && last?.calls === undefined && last?.usage.model === undefined ? null : writeModels(charges),
    ...describeStart(exchange),
    attempt?.upstreamRequestId ?? null,
    ...describeFinish(exchange, outcome),
    countCharacters(usage),
  ];
}

/** The row as an object, for a log line. */
export const describeRow = (row: LedgerRow): object =>
  Object.fromEntries(rowColumns.map((name, index) => [name, row[index]]));
