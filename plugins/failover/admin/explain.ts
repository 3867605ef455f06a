import type { Clock, Exchange, Order, PrimaryLink, Standing } from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import { readMoveOn } from '../attempts/move-on.ts';
import type { Candidate, Router } from '../attempts/router.ts';
import type { Settings } from '../config/settings.ts';
import { nameOf } from '../health/callers.ts';
import { EVERY_MODEL, latencyKey, type HealthRegistry } from '../health/health-registry.ts';
import { kindOf } from '../health/latency.ts';
import type { FleetHealthEntry, PrimaryMessage, Quantiles } from './messages.ts';

interface ExplainParts {
  readonly settings: Pick<Settings, 'spareBelow' | 'moveOn'>;
  readonly registry: Pick<HealthRegistry, 'latency'>;
  readonly router: Router;
  readonly primary: PrimaryLink;
  readonly clock: Clock;
}

const TIMEOUT_MS = 1_000;
const ranks: Readonly<Record<Standing['state'], number>> = { ready: 0, behind: 1, resting: 2 };

type Caller = Exchange['caller'];

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** If the primary instance does not respond, the state of this process is described alone. */
const ask = async <T>(primary: PrimaryLink, message: PrimaryMessage, otherwise: T): Promise<T> => {
  try {
    return (await primary.call(message, TIMEOUT_MS)) as T;
  } catch {
    return otherwise;
  }
};

/** An entry that any process of this host has reported, and that applies to the caller. */
const findEntry = (
  fleet: readonly FleetHealthEntry[],
  { target, credential }: Candidate,
  caller: Caller,
): FleetHealthEntry | undefined =>
  fleet.find(
    (entry) =>
      (entry.state === 'open' || entry.state === 'cooling') &&
      entry.provider === target.provider &&
      entry.credential === credential &&
      (entry.model === target.model || entry.model === EVERY_MODEL) &&
      (entry.callers === undefined || entry.callers.includes(nameOf(caller))),
  );

/** Describes one exchange. The times are those of one moment. */
class Explanation {
  readonly #caller: Caller;
  readonly #fleet: readonly FleetHealthEntry[];
  readonly #spareBelow: number;
  readonly #wall: number;
  readonly #now: number;

  constructor(caller: Caller, fleet: readonly FleetHealthEntry[], spareBelow: number, clock: Clock, now: number) {
    this.#caller = caller;
    this.#fleet = fleet;
    this.#spareBelow = spareBelow;
    this.#wall = clock.now();
    this.#now = now;
  }

  standing(candidate: Candidate): Standing {
    const { target, credential, health } = candidate;
    const name = { target: target.id, credential };
    const notReady = health.whyNotReady(this.#caller, this.#now);
    if (notReady !== undefined) {
      const until = iso(this.#wall + health.readyAt(this.#caller, this.#now) - this.#now);
      return { ...name, state: 'resting', reason: notReady, until };
    }
    const entry = findEntry(this.#fleet, candidate, this.#caller);
    if (entry !== undefined) return { ...name, ...this.#standingOf(entry) };
    const behind = health.whyBehind(this.#caller, this.#now, this.#spareBelow);
    return behind === undefined ? { ...name, state: 'ready' } : { ...name, state: 'behind', reason: behind };
  }

  #standingOf({
    state,
    reason = 'found by a worker',
    until,
  }: FleetHealthEntry): Omit<Standing, 'target' | 'credential'> {
    const standing = { state: 'resting', reason: `${state} (${reason})` } as const;
    return until === undefined || until <= this.#wall ? standing : { ...standing, until: iso(until) };
  }
}

/**
 * When each target is given up while another is left, and which part of `moveOn` decides. If workers serve, the longest
 * time that any of them has learnt counts.
 */
const describeMoveOn = (
  { settings, registry }: Pick<ExplainParts, 'settings' | 'registry'>,
  exchange: Exchange,
  quantiles: Quantiles,
): object => {
  const targets = exchange.targets.filter(({ credentials }) => credentials.length > 0);
  if (targets.length < 2) return {};
  const kind = kindOf(exchange);
  const moveOn = targets.map((target) => {
    const quantile = registry.latency(target, kind).quantile ?? quantiles[latencyKey(kind, target.id)];
    const { milliseconds, from } = readMoveOn(settings, kind, { quantile });
    return omitUndefined({ target: target.id, afterMs: milliseconds, from, p99Ms: quantile });
  });
  return { moveOn };
};

/**
 * Explains the routing of an exchange: its candidates in the order in which they would be tried now, and why. If
 * workers serve, the worst state that any of them has reported counts.
 */
export function createExplain({
  settings,
  registry,
  router,
  primary,
  clock,
}: ExplainParts): (exchange: Exchange, order?: Order) => Promise<object> {
  return async (exchange, order) => {
    const fleet = await ask<readonly FleetHealthEntry[]>(primary, { call: 'list' }, []);
    const quantiles = await ask<Quantiles>(primary, { call: 'quantiles' }, {});
    const now = clock.monotonic();
    const { routing, sticky, groups } = router.plan(exchange);
    const explanation = new Explanation(exchange.caller, fleet, settings.spareBelow, clock, now);
    const standings = router.route(exchange, now, order).map((candidate) => explanation.standing(candidate));
    return {
      routing,
      sticky,
      ...(routing === 'weighted'
        ? { weights: Object.fromEntries(groups.map(({ target, weight }) => [target.id, weight])) }
        : {}),
      ...describeMoveOn({ settings, registry }, exchange, quantiles),
      candidates: standings.sort((one, other) => ranks[one.state] - ranks[other.state]),
      unavailable: exchange.targets.flatMap(({ id, credentials, unavailable }) =>
        credentials.length > 0 ? [] : [{ target: id, reason: unavailable ?? 'no credential can be used' }],
      ),
    };
  };
}
