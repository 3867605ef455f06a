import {
  inputTotal,
  usageUnits,
  type AttemptRecord,
  type EndedRequest,
  type Exchange,
  type Metrics,
  type Outcome,
  type Target,
  type Usage,
} from '../../core/api/index.ts';
import { attemptResult, wasSent } from '../../core/api/internal.ts';
import { isStreamed } from './exchange-meters.ts';
import { createBindModel, NANO_DOLLARS, type ModelMeters } from './model-meters.ts';

/** The target of an attempt; undefined when it is not one of the exchange's targets. */
export function targetOf({ targets }: Pick<Exchange, 'targets'>, id: string): Target | undefined {
  for (const target of targets) if (target.id === id) return target;
  return undefined;
}

/** `first`, `retry` of a target that was tried before, or `fallback` to another target. */
export function attemptKind(
  { attempts }: Pick<Exchange, 'attempts'>,
  attempt: AttemptRecord,
): 'first' | 'retry' | 'fallback' {
  const index = attempts.indexOf(attempt);
  if (index <= 0) return 'first';
  return attempts.slice(0, index).some(({ target }) => target === attempt.target) ? 'retry' : 'fallback';
}

export interface UpstreamMeters {
  /** Counts an attempt that has ended. */
  attempt(exchange: Exchange, attempt: AttemptRecord): void;
  /** Counts the usage of an exchange at each target that charged for it, and the speed of its stream. */
  end(ended: EndedRequest): void;
}

export const combineMeters = (one: UpstreamMeters, other: UpstreamMeters): UpstreamMeters => ({
  attempt: (exchange, attempt) => {
    one.attempt(exchange, attempt);
    other.attempt(exchange, attempt);
  },
  end: (ended) => {
    one.end(ended);
    other.end(ended);
  },
});

/** Finds the meters of a target, which belongs to one model of its configuration. */
const createMetersOf = (
  bindModel: (provider: string, model: string) => ModelMeters,
): ((target: Target | undefined, exchange: Exchange) => ModelMeters) => {
  const byTarget = new WeakMap<Target, ModelMeters>();
  return (target, exchange) => {
    const model = exchange.targets[0]?.label?.id ?? exchange.model;
    if (target === undefined) return bindModel('other', model);
    const known = byTarget.get(target);
    if (known?.model === model) return known;
    const bound = bindModel(target.provider, model);
    byTarget.set(target, bound);
    return bound;
  };
};

const addUnits = (meters: ModelMeters, units: NonNullable<Usage['units']>): void => {
  for (const unit of usageUnits) if ((units[unit] ?? 0) > 0) meters.units(unit)(units[unit] ?? 0);
};

/** Counts attempts, streams, tokens and cost by provider and model. */
export function createUpstreamMeters(metrics: Metrics): UpstreamMeters {
  const metersOf = createMetersOf(createBindModel(metrics));

  const timeStream = (
    exchange: Exchange,
    { attempts, charges, ending, times: { total, firstContent } }: Outcome,
  ): void => {
    const last = attempts.at(-1);
    if (firstContent === undefined || last === undefined || !isStreamed(exchange)) return;
    const meters = metersOf(targetOf(exchange, last.target), exchange);
    meters.firstToken(firstContent / 1_000);
    const output = charges.find(({ attempt }) => attempt === attempts.length - 1)?.usage.output ?? 0;
    if (ending?.reason === 'complete' && output > 1) meters.eachToken((total - firstContent) / 1_000 / (output - 1));
  };

  return {
    attempt: (exchange, attempt) => {
      if (!wasSent(attempt)) return;
      const outcome = attemptResult(exchange, attempt);
      const meters = metersOf(targetOf(exchange, attempt.target), exchange);
      const { time, count } = meters.ended(outcome);
      count(attemptKind(exchange, attempt))(1);
      time(attempt.ms / 1_000);
      if (attempt.ending !== undefined && isStreamed(exchange)) meters.terminated(attempt.ending.reason)(1);
      if (attempt.committed) for (const { kind } of attempt.losses) meters.loss(kind)(1);
    },
    end: ({ exchange, outcome }) => {
      if (exchange === undefined) return;
      for (const { attempt, target, usage, cost } of outcome.charges) {
        const meters = metersOf(target, exchange);
        meters.tokens(usage.source)(usage);
        if (usage.units !== undefined) addUnits(meters, usage.units);
        meters.inputTokens(inputTotal(usage));
        meters.outputTokens(usage.output);
        if (usage.source === 'estimated' && outcome.attempts[attempt]?.ending?.reason === 'complete')
          meters.usageMissing(1);
        if (cost === undefined) meters.unpriced(1);
        else meters.cost('USD')(Number(cost) / NANO_DOLLARS);
      }
      timeStream(exchange, outcome);
    },
  };
}
