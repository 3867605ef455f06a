import { priceUsage, type Charge, type Exchange, type Outcome, type Usage } from '../../core/index.ts';
import type { LedgerTable } from './tables.ts';

/** More than any call uses. Figures beyond are an upstream's nonsense, and must not break the sums of everybody. */
const MOST_TOKENS = 1e12;
const MOST_COST = 10n ** 15n;

const boundTokens = (tokens: number): number => Math.min(tokens, MOST_TOKENS);
const bound = (cost: bigint): bigint => (cost > MOST_COST ? MOST_COST : cost < -MOST_COST ? -MOST_COST : cost);

/** Money as JSON has it. */
const writeCost = (cost: bigint | undefined): string | undefined => (cost === undefined ? undefined : String(bound(cost)));

/** Tokens by what they cost, as everything in the ledger names them. */
const countTokens = (usage: Usage | undefined) => ({
  input_tokens: boundTokens(usage?.inputUncached ?? 0),
  cache_read_tokens: boundTokens(usage?.cacheRead ?? 0),
  cache_write_5m_tokens: boundTokens(usage?.cacheWrite5m ?? 0),
  cache_write_1h_tokens: boundTokens(usage?.cacheWrite1h ?? 0),
  output_tokens: boundTokens(usage?.output ?? 0),
  reasoning_tokens: boundTokens(usage?.reasoning ?? 0),
  usage_source: usage?.source,
});

/** One of several charges, as the row keeps it. */
const describeCharge = ({ attempt, target, usage, cost }: Charge) => ({
  attempt,
  target: target.id,
  ...countTokens(usage),
  cost: writeCost(cost),
  price_version: target.price?.version,
  raw_usage: usage.raw,
});
export type RowCharge = Readonly<ReturnType<typeof describeCharge>>;

type Money = 'cost' | 'cache_saved' | 'cache_lost' | 'estimated_cost';
type Special = 'process' | 'state' | 'raw_usage' | 'charges' | 'abandoned_at' | Money;
type Nullable = { [Name in keyof LedgerTable]: null extends LedgerTable[Name] ? Name : never }[keyof LedgerTable];
type Optional<T> = { readonly [Name in keyof T]?: NonNullable<T[Name]> | undefined };

/**
 * A row of `ledger` on its way to the database: plain JSON, without what is null, with money as decimal text. Whose row it is, the message says
 * that it travels in.
 */
export interface LedgerRow extends Omit<LedgerTable, Special | Nullable>, Optional<Pick<LedgerTable, Exclude<Nullable, Special>>>, Optional<Record<Money, string>> {
  readonly state: 'pending' | 'settled';
  readonly raw_usage?: unknown;
  readonly charges?: readonly RowCharge[] | undefined;
}

/** What Postgres takes for no text: the names of keys may come from a key service. */
const clean = (name: string): string => name.replaceAll('\0', '').toWellFormed();

const describeExchange = (exchange: Exchange, openedAt: number) => ({
  id: exchange.id,
  opened_at: openedAt,
  organization: clean(exchange.caller.organization),
  project: clean(exchange.caller.project),
  key: clean(exchange.caller.key),
  route: exchange.route.path,
  wire: exchange.route.wire,
  operation: exchange.operation,
  model: exchange.model,
});

/** What nobody counted costs its input; a prompt that is only counted costs nothing. */
const estimateInput = ({ operation, estimate }: Exchange): Usage => {
  const inputUncached = operation === 'count-tokens' ? 0 : estimate.inputTokens;
  return { inputUncached, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0, source: 'estimated' };
};

/** Before anything was sent. @param openedAt unix milliseconds */
export const openRow = (exchange: Exchange, openedAt: number): LedgerRow => {
  const target = exchange.targets[0];
  const usage = estimateInput(exchange);
  return {
    ...describeExchange(exchange, openedAt),
    ...countTokens(undefined),
    state: 'pending',
    attempts: 0,
    target: target?.id,
    price_version: target?.price?.version,
    estimated_target: target?.id,
    estimated_input_tokens: boundTokens(usage.inputUncached),
    estimated_cost: usage.inputUncached === 0 ? '0' : writeCost(target?.price && priceUsage(target.price, usage)),
  };
};

/** When all is known. @param endedAt unix milliseconds */
export const settledRow = (exchange: Exchange, { charges, usage, cost, cache, attempts, status, result, times }: Outcome, openedAt: number, endedAt: number): LedgerRow => {
  const last = charges.at(-1);
  return {
    ...describeExchange(exchange, openedAt),
    ...countTokens(usage),
    state: 'settled',
    ended_at: endedAt,
    target: last?.target.id ?? attempts.at(-1)?.target,
    attempts: attempts.length,
    status,
    outcome: result,
    cost: last === undefined ? '0' : writeCost(cost),
    price_version: last?.target.price?.version,
    cache_saved: writeCost(cache?.saved),
    cache_lost: writeCost(cache?.lost),
    total_ms: Math.round(times.total),
    first_content_ms: times.firstContent === undefined ? undefined : Math.round(times.firstContent),
    raw_usage: charges.length === 1 ? last?.usage.raw : undefined,
    charges: charges.length > 1 ? charges.map(describeCharge) : undefined,
  };
};
