import type { OutcomeClass, UsageUnit } from '../../../core/api/index.ts';
import { classOf, writeDollars } from '../../../core/api/internal.ts';
import type { UsageLine } from '../read/lines.ts';
import { outcomeNames, type CounterName } from '../tables.ts';

/** The quantiles of `Percentiles`, in this order. */
export const quantiles = [0.5, 0.95, 0.99] as const;

export interface Percentiles {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/** Usage and cost as the usage API returns it. Money is in USD, exact to the nano-dollar: `"0.000018"`. */
export interface Figures extends Readonly<Record<OutcomeClass, number>> {
  readonly exchanges: number;
  /** Failed attempts that were followed by another one, each at its own provider. */
  readonly retried: number;
  /** The share of `success` in `success` and `failure`; null without either. */
  readonly successRate: number | null;
  readonly outcomes: Readonly<Record<string, number>>;
  /** `input` includes the tokens read from and written to the cache; `output` includes `reasoning`. */
  readonly tokens: Readonly<
    Record<'input' | 'cacheRead' | 'cacheWrite5m' | 'cacheWrite1h' | 'cacheWrite12h' | 'output' | 'reasoning', number>
  >;
  /** What vendors bill besides tokens. Searches of requests to rerank are in cost and raw usage, and have no column. */
  readonly units: Readonly<Record<Exclude<UsageUnit, 'searches'>, number>>;
  /** Charges with estimated usage, and charges without a price. */
  readonly estimated: number;
  readonly unpriced: number;
  readonly cost: string;
  /**
   * `saved`: by cache reads, less the cost of cache writes. `lost`: paid again because conversations changed targets.
   */
  readonly cache: { readonly saved: string; readonly lost: string };
  /** Milliseconds, of successful exchanges; null without `percentiles=true`. */
  readonly latencyMs: Percentiles;
  /** Milliseconds to the first content of successful streams; null without `percentiles=true`. */
  readonly firstContentMs: Percentiles;
}

const readPercentiles = ([p50, p95, p99]: readonly (number | undefined)[] = []): Percentiles => ({
  p50: p50 ?? null,
  p95: p95 ?? null,
  p99: p99 ?? null,
});

/** The exchanges in each class, and their success rate. */
const countClasses = (read: (name: CounterName) => number): Pick<Figures, OutcomeClass | 'successRate'> => {
  const counts = { success: 0, client_error: 0, limited: 0, failure: 0 };
  for (const name of outcomeNames) counts[classOf(name)] += read(name);
  const judged = counts.success + counts.failure;
  return { ...counts, successRate: judged === 0 ? null : counts.success / judged };
};

/**
 * @param counters undefined when there were no exchanges
 * @param percentiles undefined when they were not asked for
 */
export function describeFigures(
  counters: UsageLine['counters'] | undefined,
  percentiles: UsageLine['percentiles'],
): Figures {
  const read = (name: CounterName): number => Number(counters?.[name] ?? 0n);
  const cached = {
    cacheRead: read('cache_read_tokens'),
    cacheWrite5m: read('cache_write_5m_tokens'),
    cacheWrite1h: read('cache_write_1h_tokens'),
    cacheWrite12h: read('cache_write_12h_tokens'),
  };
  const cachedInput = cached.cacheRead + cached.cacheWrite5m + cached.cacheWrite1h + cached.cacheWrite12h;
  return {
    exchanges: read('exchanges'),
    ...countClasses(read),
    retried: read('retried'),
    outcomes: Object.fromEntries(outcomeNames.map((name) => [name, read(name)])),
    tokens: {
      input: read('input_tokens') + cachedInput,
      ...cached,
      output: read('output_tokens'),
      reasoning: read('reasoning_tokens'),
    },
    units: {
      webSearches: read('web_searches'),
      webFetches: read('web_fetches'),
      images: read('images'),
      seconds: read('media_ms') / 1_000,
      characters: read('characters'),
    },
    estimated: read('estimated'),
    unpriced: read('unpriced'),
    cost: writeDollars(counters?.cost ?? 0n),
    cache: { saved: writeDollars(counters?.cache_saved ?? 0n), lost: writeDollars(counters?.cache_lost ?? 0n) },
    latencyMs: readPercentiles(percentiles?.total_times),
    firstContentMs: readPercentiles(percentiles?.first_times),
  };
}
