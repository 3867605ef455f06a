import type { LatencyLine, UsageLine } from '../read/usage.ts';
import { outcomeNames, type CounterName } from '../tables.ts';

/** Shares of the exchanges that ended well. */
export const shares = [0.5, 0.95, 0.99] as const;

export interface Percentiles {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/** What was used, as people and programs read it. Money in USD, exact to the nano-dollar: `"0.000018"`. */
export interface Figures {
  readonly exchanges: number;
  readonly outcomes: Readonly<Record<string, number>>;
  /** `input` is all of it; the cache's are parts of it, and `reasoning` is a part of `output`. */
  readonly tokens: Readonly<
    Record<'input' | 'cacheRead' | 'cacheWrite5m' | 'cacheWrite1h' | 'output' | 'reasoning', number>
  >;
  /** Charges whose usage was estimated, and those without a price. */
  readonly estimated: number;
  readonly unpriced: number;
  readonly cost: string;
  /** What reads of the prompt cache saved, less what its writes cost; what was paid again because a conversation moved. */
  readonly cache: { readonly saved: string; readonly lost: string };
  /** Milliseconds, of exchanges that ended well. */
  readonly latencyMs: Percentiles;
  /** Until the first content, of streams. */
  readonly firstContentMs: Percentiles;
}

const NANO = 1_000_000_000n;

/** Nano-dollars as a decimal number of dollars. */
export function writeDollars(nano: bigint): string {
  const size = nano < 0n ? -nano : nano;
  const fraction = String(size % NANO)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${nano < 0n ? '-' : ''}${size / NANO}${fraction === '' ? '' : `.${fraction}`}`;
}

const readPercentiles = (line: LatencyLine | undefined): Percentiles => {
  const [p50 = null, p95 = null, p99 = null] = line?.percentiles ?? [];
  return { p50, p95, p99 };
};

/** @param counters undefined: there was nothing */
export function describeFigures(
  counters: UsageLine['counters'] | undefined,
  total: LatencyLine | undefined,
  first: LatencyLine | undefined,
): Figures {
  const read = (name: CounterName): number => Number(counters?.[name] ?? 0n);
  const cached = {
    cacheRead: read('cache_read_tokens'),
    cacheWrite5m: read('cache_write_5m_tokens'),
    cacheWrite1h: read('cache_write_1h_tokens'),
  };
  return {
    exchanges: read('exchanges'),
    outcomes: Object.fromEntries(outcomeNames.map((name) => [name, read(name)])),
    tokens: {
      input: read('input_tokens') + cached.cacheRead + cached.cacheWrite5m + cached.cacheWrite1h,
      ...cached,
      output: read('output_tokens'),
      reasoning: read('reasoning_tokens'),
    },
    estimated: read('estimated'),
    unpriced: read('unpriced'),
    cost: writeDollars(counters?.cost ?? 0n),
    cache: { saved: writeDollars(counters?.cache_saved ?? 0n), lost: writeDollars(counters?.cache_lost ?? 0n) },
    latencyMs: readPercentiles(total),
    firstContentMs: readPercentiles(first),
  };
}
