import { attemptResult, inputTotal, wasAsked, type AttemptRecord, type Ended, type Exchange, type Metrics, type Outcome, type Usage } from '../../core/index.ts';
import { isStreamed } from './exchange-meters.ts';
import type { ExtraLabels } from './extra-labels.ts';
import { remember } from './remember.ts';
import { tryOf } from './try-of.ts';

const DURATION = Array.from({ length: 17 }, (_, step) => 0.01 * 2 ** step);
const FIRST_TOKEN = [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2.5, 5, 7.5, 10, 15, 20, 30, 60, 120];
const EACH_TOKEN = [0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1, 2.5];
const TOKENS = Array.from({ length: 14 }, (_, step) => 4 ** step);
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
  /** What an exchange used, at each target that was paid for it, and how fast its stream came. */
  end(ended: Ended): void;
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
export const createUpstreamMeters = (metrics: Metrics, extra: ExtraLabels): UpstreamMeters => {
  const attempts = metrics.counter('koine_upstream_attempts_total', 'Calls to providers that ended.', ['provider', 'model', 'outcome', 'attempt']);
  const durations = metrics.histogram('koine_upstream_duration_seconds', 'From the beginning of a call to the end of its answer.', ['provider', 'model', 'outcome'], DURATION);
  const terminations = metrics.counter('koine_stream_terminations_total', 'Streams that had content, by how they ended.', ['provider', 'model', 'reason']);
  const tokens = metrics.counter('koine_tokens_total', 'Billable tokens. cache_read and cache_write are parts of input, reasoning is a part of output.', ['provider', 'model', 'type', 'source', ...extra.names]);
  const costs = metrics.counter('koine_cost_total', 'What was used, at the prices of the configuration.', ['provider', 'model', 'currency', ...extra.names]);
  const missing = metrics.counter('koine_usage_missing_total', 'Answers that came to their end without usage that could be counted.', ['provider', 'model']);
  const unpriced = metrics.counter('koine_unpriced_total', 'Calls that were used, and have no price.', ['provider', 'model']);

  const perRequest = metrics.histogram('koine_tokens_per_request', 'Tokens of an exchange at one target.', ['provider', 'model', 'type'], TOKENS);
  const firstTokens = metrics.histogram('koine_time_to_first_token_seconds', 'Of streams, from accept to the first content.', ['provider', 'model'], FIRST_TOKEN);
  const eachToken = metrics.histogram('koine_time_per_output_token_seconds', 'Of streams that ended well, between one token and the next.', ['provider', 'model'], EACH_TOKEN);
  const losses = metrics.counter('koine_translation_losses_total', 'Parts of requests that a translation to a target dropped, changed or added.', ['provider', 'model', 'kind']);

  const models = remember((provider: string) =>
    remember((model: string) => ({
      count: remember((outcome: string) => remember((attempt: string) => attempts.bind([provider, model, outcome, attempt]))),
      time: remember((outcome: string) => durations.bind([provider, model, outcome])),
      end: remember((reason: string) => terminations.bind([provider, model, reason])),
      use: remember((more: readonly string[]) => remember((source: string) => Object.entries(counts).map(([type, count]) => ({ count, add: tokens.bind([provider, model, type, source, ...more]) })))),
      input: perRequest.bind([provider, model, 'input']),
      output: perRequest.bind([provider, model, 'output']),
      first: firstTokens.bind([provider, model]),
      each: eachToken.bind([provider, model]),
      lose: remember((kind: string) => losses.bind([provider, model, kind])),
      miss: missing.bind([provider, model]),
      leaveUnpriced: unpriced.bind([provider, model]),
      pay: remember((more: readonly string[]) => costs.bind([provider, model, 'USD', ...more])),
    })),
  );
  const metersOf = ({ targets, model }: Exchange, { target }: AttemptRecord) => models(targets.find(({ id }) => id === target)?.provider ?? 'other')(model);

  const timeStream = (exchange: Exchange, { attempts: records, charges, ending, times: { total, firstContent } }: Outcome): void => {
    const last = records.at(-1);
    if (firstContent === undefined || last === undefined || !isStreamed(exchange)) return;
    const meters = metersOf(exchange, last);
    meters.first(firstContent / 1_000);
    const output = charges.find(({ attempt }) => attempt === records.length - 1)?.usage.output ?? 0;
    if (ending?.reason === 'complete' && output > 1) meters.each((total - firstContent) / 1_000 / (output - 1));
  };

  return {
    attempt: (exchange, attempt) => {
      if (!wasAsked(attempt)) return;
      const outcome = attemptResult(exchange, attempt);
      const meters = metersOf(exchange, attempt);
      meters.count(outcome)(tryOf(exchange, attempt))(1);
      meters.time(outcome)(attempt.ms / 1_000);
      if (attempt.ending !== undefined && isStreamed(exchange)) meters.end(attempt.ending.reason)(1);
      if (attempt.committed) for (const { kind } of attempt.losses) meters.lose(kind)(1);
    },
    end: ({ exchange, outcome, caller }) => {
      if (exchange === undefined) return;
      const more = extra.of(caller);
      for (const { attempt, target, usage, cost } of outcome.charges) {
        const meters = models(target.provider)(exchange.model);
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
};
