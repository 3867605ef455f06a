import {
  allowsModel,
  hashConversation,
  hashText,
  type Exchange,
  type Log,
  type Order,
  type RankedTarget,
  type Standing,
  type Target,
} from '../../../core/api/index.ts';
import type { ModelOptions, Routing } from '../config/schema.ts';
import type { Settings } from '../config/settings.ts';
import type { HealthRegistry } from '../health/health-registry.ts';
import type { Health } from '../health/health.ts';
import { kindOf } from '../health/latency.ts';
import type { Random } from './backoff.ts';

/** One target with one of its credentials. */
export interface Candidate {
  readonly target: Target;
  readonly credential: string;
  readonly health: Health;
  readonly seed: number;
}
/** A target with its candidates, prepared once per configuration. */
interface Group {
  readonly target: Target;
  readonly seed: number;
  readonly weight: number;
  readonly candidates: readonly Candidate[];
}
/** How the targets of one model are ordered. */
export interface Plan {
  readonly routing: Routing;
  readonly sticky: boolean;
  readonly groups: readonly Group[];
  /** The final order, if it is the same for every request. */
  readonly fixed?: readonly Candidate[];
}

/**
 * Targets up to this much slower than the fastest count as equally fast: conversations do not move for small changes.
 */
const AS_FAST = { times: 1.25, plusMs: 50 };

interface RouterParts {
  readonly settings: Pick<Settings, 'routing' | 'sticky' | 'models' | 'spareBelow'>;
  readonly registry: HealthRegistry;
  readonly random: Random;
  readonly log: Pick<Log, 'warn'>;
}

type Routed = Pick<Exchange, 'model' | 'targets'>;

/**
 * Orders the candidates of an exchange by rendezvous hashing: each candidate has a figure for each conversation, and
 * the smallest comes first. When one is out, only its own conversations move, and they return to it later.
 */
export class Router {
  readonly #parts: RouterParts;
  readonly #models: readonly { readonly pattern: readonly string[]; readonly options: ModelOptions }[];
  /** By the list of targets, which is one object per model for as long as a configuration runs. */
  readonly #plans = new WeakMap<readonly Target[], Plan>();

  constructor(parts: RouterParts) {
    this.#parts = parts;
    this.#models = Object.entries(parts.settings.models).map(([pattern, options]) => ({ pattern: [pattern], options }));
  }

  plan(exchange: Routed): Plan {
    const known = this.#plans.get(exchange.targets);
    if (known !== undefined) return known;
    const plan = this.#createPlan(exchange);
    this.#plans.set(exchange.targets, plan);
    return plan;
  }

  /**
   * Every candidate, best first, whether or not it is ready. Only one credential has what is stored at a vendor.
   * @param now monotonic milliseconds
   * @param order of other plugins, which can leave targets out
   */
  route(exchange: Exchange, now: number, order?: Order): readonly Candidate[] {
    const plan = this.plan(exchange);
    const candidates = order === undefined ? plan.fixed : undefined;
    return this.#keepStored(exchange, candidates ?? this.#draw(plan, exchange, now, order));
  }

  #keepStored(exchange: Exchange, candidates: readonly Candidate[]): readonly Candidate[] {
    const place = exchange.stored?.place;
    if (place === undefined) return candidates;
    return candidates.filter(
      ({ target, credential }) => target.provider === place.provider && credential === place.credential,
    );
  }

  #draw(plan: Plan, exchange: Exchange, now: number, order: Order | undefined): readonly Candidate[] {
    const conversation = plan.sticky ? hashConversation(exchange) : undefined;
    const draw =
      conversation === undefined
        ? (): number => Math.max(Number.MIN_VALUE, this.#parts.random())
        : (seed: number): number => mixHashes(conversation, seed);
    const sorted = this.#sortGroups(plan, draw, exchange, now);
    const groups = order === undefined ? sorted : this.#reorder(sorted, order, exchange, now);
    return groups.flatMap(({ candidates }) =>
      candidates.length < 2 ? candidates : sortBy(candidates, ({ seed }) => draw(seed)),
    );
  }

  #reorder(groups: readonly Group[], order: Order, exchange: Exchange, now: number): readonly Group[] {
    const { registry } = this.#parts;
    const kind = kindOf(exchange);
    const ranked = new Map(
      groups.map((group): readonly [RankedTarget, Group] => {
        const { target } = group;
        const { usual } = registry.latency(target, kind);
        return [
          { target, state: this.#stateOf(group, exchange, now), ...(usual > 0 ? { usualMs: usual } : {}) },
          group,
        ];
      }),
    );
    return order(exchange, [...ranked.keys()]).flatMap((target) => ranked.get(target) ?? []);
  }

  /** That of the best candidate. A target without credentials rests. */
  #stateOf({ candidates }: Group, { caller }: Exchange, now: number): Standing['state'] {
    const ready = candidates.filter(({ health }) => health.readyAt(caller, now) <= now);
    if (ready.length === 0) return 'resting';
    const { spareBelow } = this.#parts.settings;
    return ready.some(({ health }) => health.whyBehind(caller, now, spareBelow) === undefined) ? 'ready' : 'behind';
  }

  #createPlan({ model, targets }: Routed): Plan {
    const { settings, log } = this.#parts;
    const options = this.#models.find(({ pattern }) => allowsModel(pattern, model))?.options ?? {};
    const {
      weights = {},
      routing = 'weights' in options ? 'weighted' : settings.routing,
      sticky = settings.sticky,
    } = options;
    const names = Object.keys(weights);
    if (names.length > 0 && !targets.some(({ id, provider }) => names.includes(id) || names.includes(provider))) {
      log.warn(
        { model, weights: names, targets: targets.map(({ id }) => id) },
        'the weights of a model match none of its targets or providers: they have no effect',
      );
    }
    const groups = targets.map((target) =>
      this.#createGroup(target, weights[target.id] ?? weights[target.provider] ?? 1),
    );
    const isFixed =
      (routing === 'order' || groups.length < 2) && groups.every(({ candidates }) => candidates.length < 2);
    const plan = { routing, sticky, groups };
    return isFixed ? { ...plan, fixed: groups.flatMap(({ candidates }) => candidates) } : plan;
  }

  #createGroup(target: Target, weight: number): Group {
    return {
      target,
      seed: hashText(target.id),
      weight,
      candidates: target.credentials.map((credential) => ({
        target,
        credential,
        health: this.#parts.registry.health(target, credential),
        seed: hashText(`${target.id}\n${credential}`),
      })),
    };
  }

  #sortGroups(
    { routing, groups }: Plan,
    draw: (seed: number) => number,
    exchange: Exchange,
    now: number,
  ): readonly Group[] {
    if (routing === 'order') return groups;
    if (routing === 'weighted')
      return sortBy(groups, ({ seed, weight }) => (weight === 0 ? Infinity : -Math.log(draw(seed)) / weight));
    const { registry } = this.#parts;
    const kind = kindOf(exchange);
    const times = new Map(groups.map((group) => [group, registry.latency(group.target, kind).read(now)]));
    const asFast = Math.min(...times.values()) * AS_FAST.times + AS_FAST.plusMs;
    return sortBy(groups, (group) => {
      const time = times.get(group) ?? 0;
      return time <= asFast ? draw(group.seed) : 1 + time;
    });
  }
}

/** Two hashes as one number in (0, 1). The last step of MurmurHash3 spreads inputs that differ in few bits. */
const mixHashes = (one: number, other: number): number => {
  let mixed = one ^ Math.imul(other, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (((mixed ^ (mixed >>> 16)) >>> 0) + 0.5) / 0x1_0000_0000;
};

/** Ascending by a figure that is computed once per item. */
const sortBy = <T>(list: readonly T[], figure: (item: T) => number): readonly T[] =>
  list
    .map((item) => ({ item, at: figure(item) }))
    .sort((one, other) => (one.at === other.at ? 0 : one.at - other.at))
    .map(({ item }) => item);
