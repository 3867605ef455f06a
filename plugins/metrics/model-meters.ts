import { cacheWriteTotal, inputTotal, type Metrics, type Usage, type UsageUnit } from '../../core/api/index.ts';
import { memoize } from './memoize.ts';

const DURATION = Array.from({ length: 17 }, (_, step) => 0.01 * 2 ** step);
const FIRST_TOKEN = [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2.5, 5, 7.5, 10, 15, 20, 30, 60, 120];
const EACH_TOKEN = [0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1, 2.5];
const TOKENS = Array.from({ length: 14 }, (_, step) => 4 ** step);

export const NANO_DOLLARS = 1e9;

const LABELS = ['provider', 'model'];

const tokenCounts: readonly { readonly type: string; readonly count: (usage: Usage) => number }[] = [
  { type: 'input', count: inputTotal },
  { type: 'output', count: ({ output }) => output },
  { type: 'cache_read', count: ({ cacheRead }) => cacheRead },
  { type: 'cache_write', count: cacheWriteTotal },
  { type: 'reasoning', count: ({ reasoning }) => reasoning },
];

/** Counts the tokens of a usage, each type with a counter of its own. */
export const bindTokens = (bind: (type: string) => (tokens: number) => void): ((usage: Usage) => void) => {
  const counters = tokenCounts.map(({ type, count }) => ({ count, add: bind(type) }));
  return (usage) => {
    for (const { count, add } of counters) {
      const used = count(usage);
      if (used > 0) add(used);
    }
  };
};

const unitNames: Readonly<Record<UsageUnit, string>> = {
  webSearches: 'web_searches',
  webFetches: 'web_fetches',
  images: 'images',
  seconds: 'seconds',
  searches: 'searches',
  characters: 'characters',
};

const declareCounters = (metrics: Metrics) => ({
  attempts: metrics.counter('koine_upstream_attempts_total', 'Calls to providers that ended.', [
    ...LABELS,
    'outcome',
    'attempt',
  ]),
  terminations: metrics.counter(
    'koine_stream_terminations_total',
    'Streams with content, by the reason why they ended.',
    [...LABELS, 'reason'],
  ),
  tokens: metrics.counter(
    'koine_tokens_total',
    'Billable tokens. cache_read and cache_write are parts of input, reasoning is a part of output.',
    [...LABELS, 'type', 'source'],
  ),
  units: metrics.counter('koine_usage_units_total', 'Usage that is billed by unit instead of by token.', [
    ...LABELS,
    'unit',
  ]),
  costs: metrics.counter('koine_cost_total', 'Cost of usage at the configured prices.', [...LABELS, 'currency']),
  missing: metrics.counter('koine_usage_missing_total', 'Complete responses without usable usage figures.', LABELS),
  unpriced: metrics.counter('koine_unpriced_total', 'Calls with usage but without a price.', LABELS),
  losses: metrics.counter(
    'koine_translation_losses_total',
    'Parts of requests that a translation to a target dropped, changed or added.',
    [...LABELS, 'kind'],
  ),
});

const declareHistograms = (metrics: Metrics) => ({
  durations: metrics.histogram(
    'koine_upstream_duration_seconds',
    'Duration of calls to providers, to the end of the response.',
    [...LABELS, 'outcome'],
    DURATION,
  ),
  perRequest: metrics.histogram(
    'koine_tokens_per_request',
    'Tokens of an exchange at one target.',
    [...LABELS, 'type'],
    TOKENS,
  ),
  firstTokens: metrics.histogram(
    'koine_time_to_first_token_seconds',
    'Time from accepting a streamed request to its first content.',
    LABELS,
    FIRST_TOKEN,
  ),
  eachToken: metrics.histogram(
    'koine_time_per_output_token_seconds',
    'Time between output tokens of complete streams.',
    LABELS,
    EACH_TOKEN,
  ),
});

export type ModelMeters = ReturnType<ReturnType<typeof createBindModel>>;

/**
 * Declares the metrics with the labels `provider` and `model`.
 * @returns a function that binds them to one provider and model
 */
export function createBindModel(metrics: Metrics) {
  const { attempts, terminations, tokens, units, costs, missing, unpriced, losses } = declareCounters(metrics);
  const { durations, perRequest, firstTokens, eachToken } = declareHistograms(metrics);
  const bindOutcome = (provider: string, model: string, outcome: string) => ({
    time: durations.bind([provider, model, outcome]),
    count: memoize((attempt: string) => attempts.bind([provider, model, outcome, attempt])),
  });
  return (provider: string, model: string) => ({
    model,
    ended: memoize((outcome: string) => bindOutcome(provider, model, outcome)),
    terminated: memoize((reason: string) => terminations.bind([provider, model, reason])),
    tokens: memoize((source: string) => bindTokens((type) => tokens.bind([provider, model, type, source]))),
    units: memoize((unit: UsageUnit) => units.bind([provider, model, unitNames[unit]])),
    inputTokens: perRequest.bind([provider, model, 'input']),
    outputTokens: perRequest.bind([provider, model, 'output']),
    firstToken: firstTokens.bind([provider, model]),
    eachToken: eachToken.bind([provider, model]),
    loss: memoize((kind: string) => losses.bind([provider, model, kind])),
    usageMissing: missing.bind([provider, model]),
    unpriced: unpriced.bind([provider, model]),
    cost: memoize((currency: string) => costs.bind([provider, model, currency])),
  });
}
