import { allowsModel, hashConversation, hashText, type Exchange, type Log, type Target } from '../../../core/index.ts';
import { spread } from './affinity.ts';
import type { Random } from './backoff.ts';
import type { Health } from '../health/health.ts';
import type { Roster } from '../health/health-registry.ts';
import type { ModelOptions, Routing } from '../config/schema.ts';
import type { Settings } from '../config/settings.ts';

/** One way to have a request answered. */
export interface Candidate {
  readonly target: Target;
  readonly credential: string;
  readonly health: Health;
  readonly seed: number;
}
/** A target with all that is known of it before a request. */
interface Group {
  readonly target: Target;
  readonly seed: number;
  readonly weight: number;
  readonly candidates: readonly Candidate[];
}
/** How the targets of a model are chosen among. */
export interface Plan {
  readonly routing: Routing;
  readonly sticky: boolean;
  readonly groups: readonly Group[];
  /** All of them in the order of the configuration, where nothing else can come of choosing. */
  readonly only?: readonly Candidate[];
}

/** So much slower than the fastest is as good: otherwise conversations would change their place for nothing. */
const AS_FAST = { times: 1.25, plusMs: 50 };

export interface Arrange {
  /** Every candidate, the best first, whether or not it can be used now. */
  (exchange: Exchange, now: number): readonly Candidate[];
  plan(exchange: Pick<Exchange, 'model' | 'targets'>): Plan;
}

export const isStreamed = ({ request }: Exchange): boolean => 'stream' in request && request.stream;

interface ArrangeParts {
  readonly settings: Pick<Settings, 'routing' | 'sticky' | 'models'>;
  readonly roster: Roster;
  readonly random: Random;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * Rendezvous hashing: each place has a figure for each conversation, and the smallest comes first. When one is away, only its conversations move, and
 * they come back to it.
 */
export function createArrange({ settings, roster, random, log }: ArrangeParts): Arrange {
  const models = Object.entries(settings.models).map(([pattern, options]) => ({ pattern: [pattern], options }));
  const optionsOf = (model: string): ModelOptions =>
    models.find(({ pattern }) => allowsModel(pattern, model))?.options ?? {};

  const createGroup = (target: Target, weight: number): Group => ({
    target,
    seed: hashText(target.id),
    weight,
    candidates: target.credentials.map((credential) => ({
      target,
      credential,
      health: roster.health(target, credential),
      seed: hashText(`${target.id}\n${credential}`),
    })),
  });
  const createPlan = ({ model, targets }: Pick<Exchange, 'model' | 'targets'>): Plan => {
    const {
      weights = {},
      routing = 'weights' in optionsOf(model) ? 'weighted' : settings.routing,
      sticky = settings.sticky,
    } = optionsOf(model);
    const names = Object.keys(weights);
    if (names.length > 0 && !targets.some(({ id, provider }) => names.includes(id) || names.includes(provider))) {
      log.warn(
        { model, weights: names, targets: targets.map(({ id }) => id) },
        'the weights of a model name none of its targets or their providers',
      );
    }
    const groups = targets.map((target) => createGroup(target, weights[target.id] ?? weights[target.provider] ?? 1));
    const isFixed =
      (routing === 'order' || groups.length < 2) && groups.every(({ candidates }) => candidates.length < 2);
    return { routing, sticky, groups, ...(isFixed ? { only: groups.flatMap(({ candidates }) => candidates) } : {}) };
  };
  // The targets of a model are one list for as long as a configuration lives.
  const plans = new WeakMap<readonly Target[], Plan>();
  const plan = (exchange: Pick<Exchange, 'model' | 'targets'>): Plan => {
    const known = plans.get(exchange.targets);
    if (known !== undefined) return known;
    const made = createPlan(exchange);
    plans.set(exchange.targets, made);
    return made;
  };

  const arrangeGroups = (
    { routing, groups }: Plan,
    draw: (seed: number) => number,
    exchange: Exchange,
    now: number,
  ): readonly Group[] => {
    if (routing === 'order') return groups;
    if (routing === 'weighted')
      return sortBy(groups, ({ seed, weight }) => (weight === 0 ? Infinity : -Math.log(draw(seed)) / weight));
    const stream = isStreamed(exchange);
    const times = new Map(groups.map((group) => [group, roster.latency(group.target.id, stream).read(now)]));
    const asGood = Math.min(...times.values()) * AS_FAST.times + AS_FAST.plusMs;
    return sortBy(groups, (group) => {
      const time = times.get(group) ?? 0;
      return time <= asGood ? draw(group.seed) : 1 + time;
    });
  };

  const arrange = (exchange: Exchange, now: number): readonly Candidate[] => {
    const chosen = plan(exchange);
    if (chosen.only !== undefined) return chosen.only;
    const conversation = chosen.sticky ? hashConversation(exchange) : undefined;
    const draw =
      conversation === undefined
        ? (): number => Math.max(Number.MIN_VALUE, random())
        : (seed: number): number => spread(conversation, seed);
    return arrangeGroups(chosen, draw, exchange, now).flatMap(({ candidates }) =>
      candidates.length < 2 ? candidates : sortBy(candidates, ({ seed }) => draw(seed)),
    );
  };
  return Object.assign(arrange, { plan });
}

/** The smallest figure first; each is asked for once. */
const sortBy = <T>(list: readonly T[], figure: (item: T) => number): readonly T[] =>
  list
    .map((item) => ({ item, at: figure(item) }))
    .sort((one, other) => (one.at === other.at ? 0 : one.at - other.at))
    .map(({ item }) => item);
