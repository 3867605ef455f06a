import {
  attemptResult,
  inputTotal,
  wasSent,
  type AttemptRecord,
  type EndedRequest,
  type Exchange,
  type Metrics,
  type Outcome,
  type Target,
  type Usage,
} from '../../core/index.ts';
import { isStreamed } from './exchange-meters.ts';
import type { ExtraLabels } from './extra-labels.ts';
import { memoize } from './memoize.ts';
import { tryOf } from './try-of.ts';

const DURATION = Array.from({ length: 17 }, (_, step) => 0.01 * 2 ** step);
const FIRST_TOKEN = [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2.5, 5, 7.5, 10, 15, 20, 30, 60, 120];
const EACH_TOKEN = [0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1, 2.5];
const TOKENS = Array.from({ length: 14 }, (_, step) => 4 ** step);
const NANO_DOLLARS = 1e9;

const tokenCounts: readonly { readonly type: string; readonly count: (usage: Usage) => number }[] = [
  { type: 'input', count: inputTotal },
  { type: 'output', count: ({ output }) => output },
  { type: 'cache_read', count: ({ cacheRead }) => cacheRead },
  { type: 'cache_write', count: ({ cacheWrite5m, cacheWrite1h }) => cacheWrite5m + cacheWrite1h },
  { type: 'reasoning', count: ({ reasoning }) => reasoning },
];

/** The target of an attempt; undefined where it is none of the exchange's. */
export function targetOf({ targets }: Pick<Exchange, 'targets'>, id: string): Target | undefined {
  for (const target of targets) if (target.id === id) return target;
  return undefined;
}

export interface UpstreamMeters {
  /** An attempt that ended. */
  attempt(exchange: Exchange, attempt: AttemptRecord): void;
  /** What an exchange used, at each target that was paid for it, and how fast its stream came. */
  end(ended: EndedRequest): void;
}

export const countInBoth = (one: UpstreamMeters, other: UpstreamMeters): UpstreamMeters => ({
  attempt: (exchange, attempt) => {
    one.attempt(exchange, attempt);
    other.attempt(exchange, attempt);
  },
  end: (ended) => {
    one.end(ended);
    other.end(ended);
  },
});

/** What is counted by provider and model: attempts, streams, tokens, money. */
export function createUpstreamMeters(metrics: Metrics, extra: ExtraLabels): UpstreamMeters {
  const attempts = metrics.counter('koine_upstream_attempts_total', 'Calls to providers that ended.', [
    'provider',
    'model',
    'outcome',
    'attempt',
  ]);
  const durations = metrics.histogram(
    'koine_upstream_duration_seconds',
    'From the beginning of a call to the end of its answer.',
    ['provider', 'model', 'outcome'],
    DURATION,
  );
  const terminations = metrics.counter(
    'koine_stream_terminations_total',
    'Streams that had content, by how they ended.',
    ['provider', 'model', 'reason'],
  );
  const tokens = metrics.counter(
    'koine_tokens_total',
    'Billable tokens. cache_read and cache_write are parts of input, reasoning is a part of output.',
    ['provider', 'model', 'type', 'source', ...extra.names],
  );
  const costs = metrics.counter('koine_cost_total', 'What was used, at the prices of the configuration.', [
    'provider',
    'model',
    'currency',
    ...extra.names,
  ]);
  const missing = metrics.counter(
    'koine_usage_missing_total',
    'Answers that came to their end without usage that could be counted.',
    ['provider', 'model'],
  );
  const unpriced = metrics.counter('koine_unpriced_total', 'Calls that were used, and have no price.', [
    'provider',
    'model',
  ]);

  const perRequest = metrics.histogram(
    'koine_tokens_per_request',
    'Tokens of an exchange at one target.',
    ['provider', 'model', 'type'],
    TOKENS,
  );
  const firstTokens = metrics.histogram(
    'koine_time_to_first_token_seconds',
    'Of streams, from accept to the first content.',
    ['provider', 'model'],
    FIRST_TOKEN,
  );
  const eachToken = metrics.histogram(
    'koine_time_per_output_token_seconds',
    'Of streams that ended well, between one token and the next.',
    ['provider', 'model'],
    EACH_TOKEN,
  );
  const losses = metrics.counter(
    'koine_translation_losses_total',
    'Parts of requests that a translation to a target dropped, changed or added.',
    ['provider', 'model', 'kind'],
  );

  const bindOutcome = (provider: string, model: string, outcome: string) => ({
    time: durations.bind([provider, model, outcome]),
    count: memoize((attempt: string) => attempts.bind([provider, model, outcome, attempt])),
  });
  const bindModel = (provider: string, model: string) => ({
    model,
    ended: memoize((outcome: string) => bindOutcome(provider, model, outcome)),
    terminate: memoize((reason: string) => terminations.bind([provider, model, reason])),
    use: memoize((more: readonly string[]) =>
      memoize((source: string) =>
        tokenCounts.map(({ type, count }) => ({ count, add: tokens.bind([provider, model, type, source, ...more]) })),
      ),
    ),
    input: perRequest.bind([provider, model, 'input']),
    output: perRequest.bind([provider, model, 'output']),
    first: firstTokens.bind([provider, model]),
    each: eachToken.bind([provider, model]),
    lose: memoize((kind: string) => losses.bind([provider, model, kind])),
    miss: missing.bind([provider, model]),
    leaveUnpriced: unpriced.bind([provider, model]),
    pay: memoize((more: readonly string[]) => costs.bind([provider, model, 'USD', ...more])),
  });
  type ModelMeters = ReturnType<typeof bindModel>;
  /** A target belongs to one model of its configuration. */
  const byTarget = new WeakMap<Target, ModelMeters>();
  const metersOf = (target: Target | undefined, model: string): ModelMeters => {
    if (target === undefined) return bindModel('other', model);
    const known = byTarget.get(target);
    if (known?.model === model) return known;
    const bound = bindModel(target.provider, model);
    byTarget.set(target, bound);
    return bound;
  };

  const timeStream = (
    exchange: Exchange,
    { attempts: records, charges, ending, times: { total, firstContent } }: Outcome,
  ): void => {
    const last = records.at(-1);
    if (firstContent === undefined || last === undefined || !isStreamed(exchange)) return;
    const meters = metersOf(targetOf(exchange, last.target), exchange.model);
    meters.first(firstContent / 1_000);
    const output = charges.find(({ attempt }) => attempt === records.length - 1)?.usage.output ?? 0;
    if (ending?.reason === 'complete' && output > 1) meters.each((total - firstContent) / 1_000 / (output - 1));
  };

  return {
    attempt: (exchange, attempt) => {
      if (!wasSent(attempt)) return;
      const outcome = attemptResult(exchange, attempt);
      const meters = metersOf(targetOf(exchange, attempt.target), exchange.model);
      const { time, count } = meters.ended(outcome);
      count(tryOf(exchange, attempt))(1);
      time(attempt.ms / 1_000);
      if (attempt.ending !== undefined && isStreamed(exchange)) meters.terminate(attempt.ending.reason)(1);
      if (attempt.committed) for (const { kind } of attempt.losses) meters.lose(kind)(1);
    },
    end: ({ exchange, outcome, caller }) => {
      if (exchange === undefined) return;
      const more = extra.of(caller);
      for (const { attempt, target, usage, cost } of outcome.charges) {
        const meters = metersOf(target, exchange.model);
        for (const { count, add } of meters.use(more)(usage.source)) {
          const used = count(usage);
          if (used > 0) add(used);
        }
        meters.input(inputTotal(usage));
        meters.output(usage.output);
        if (usage.source === 'estimated' && outcome.attempts[attempt]?.ending?.reason === 'complete') meters.miss(1);
        if (cost === undefined) meters.leaveUnpriced(1);
        else meters.pay(more)(Number(cost) / NANO_DOLLARS);
      }
      timeStream(exchange, outcome);
    },
  };
}
