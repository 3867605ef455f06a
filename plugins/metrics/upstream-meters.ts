import { attemptResult, inputTotal, wasAsked, type AttemptRecord, type Exchange, type Metrics, type Outcome, type Usage } from '../../core/index.ts';
import { isStreamed } from './exchange-meters.ts';
import { remember } from './remember.ts';
import { tryOf } from './try-of.ts';

const DURATION = Array.from({ length: 17 }, (_, step) => 0.01 * 2 ** step);
const NANO_DOLLARS = 1e9;

const counts: Readonly<Record<string, (usage: Usage) => number>> = {
  input: inputTotal,
  output: ({ output }) => output,
  cache_read: ({ cacheRead }) => cacheRead,
  cache_write: ({ cacheWrite5m, cacheWrite1h }) => cacheWrite5m + cacheWrite1h,
  reasoning: ({ reasoning }) => reasoning,
};

export interface UpstreamMeters {
  /** An attempt that ended. */
  attempt(exchange: Exchange, attempt: AttemptRecord): void;
  /** What the exchange used, at each target that was paid for it. */
  spend(exchange: Exchange, outcome: Outcome): void;
}

/** What is counted by provider and model: attempts, streams, tokens, money. */
export const createUpstreamMeters = (metrics: Metrics): UpstreamMeters => {
  const attempts = metrics.counter('koine_upstream_attempts_total', 'Calls to providers that ended.', ['provider', 'model', 'outcome', 'attempt']);
  const durations = metrics.histogram('koine_upstream_duration_seconds', 'From the beginning of a call to the end of its answer.', ['provider', 'model', 'outcome'], DURATION);
  const terminations = metrics.counter('koine_stream_terminations_total', 'Streams that had content, by how they ended.', ['provider', 'model', 'reason']);
  const tokens = metrics.counter('koine_tokens_total', 'Billable tokens. cache_read and cache_write are parts of input, reasoning is a part of output.', ['provider', 'model', 'type', 'source']);
  const costs = metrics.counter('koine_cost_total', 'What was used, at the prices of the configuration.', ['provider', 'model', 'currency']);
  const missing = metrics.counter('koine_usage_missing_total', 'Answers that came to their end without usage that could be counted.', ['provider', 'model']);
  const unpriced = metrics.counter('koine_unpriced_total', 'Calls that were used, and have no price.', ['provider', 'model']);

  const models = remember((provider: string) =>
    remember((model: string) => ({
      count: remember((outcome: string) => remember((attempt: string) => attempts.bind([provider, model, outcome, attempt]))),
      time: remember((outcome: string) => durations.bind([provider, model, outcome])),
      end: remember((reason: string) => terminations.bind([provider, model, reason])),
      use: remember((source: string) => Object.entries(counts).map(([type, count]) => ({ count, add: tokens.bind([provider, model, type, source]) }))),
      miss: missing.bind([provider, model]),
      leaveUnpriced: unpriced.bind([provider, model]),
      pay: remember((currency: string) => costs.bind([provider, model, currency])),
    })),
  );
  const metersOf = ({ targets, model }: Exchange, { target }: AttemptRecord) => models(targets.find(({ id }) => id === target)?.provider ?? 'other')(model);

  return {
    attempt: (exchange, attempt) => {
      if (!wasAsked(attempt)) return;
      const outcome = attemptResult(exchange, attempt);
      const meters = metersOf(exchange, attempt);
      meters.count(outcome)(tryOf(exchange, attempt))(1);
      meters.time(outcome)(attempt.ms / 1_000);
      if (attempt.ending !== undefined && isStreamed(exchange)) meters.end(attempt.ending.reason)(1);
    },
    spend: ({ model }, { charges, attempts: records }) => {
      for (const { attempt, target, usage, cost } of charges) {
        const meters = models(target.provider)(model);
        for (const { count, add } of meters.use(usage.source)) add(count(usage));
        if (usage.source === 'estimated' && records[attempt]?.ending?.reason === 'complete') meters.miss(1);
        if (cost === undefined) meters.leaveUnpriced(1);
        else meters.pay('USD')(Number(cost) / NANO_DOLLARS);
      }
    },
  };
};
