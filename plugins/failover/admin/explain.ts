import type { Clock, Exchange, PrimaryLink, Standing } from '../../../core/index.ts';
import type { Arrange, Candidate } from '../attempts/router.ts';
import { nameOf } from '../health/callers.ts';
import { EVERY_MODEL } from '../health/health-registry.ts';
import type { BoardEntry } from './messages.ts';
import type { Settings } from '../config/settings.ts';

interface ExplainParts {
  readonly settings: Pick<Settings, 'spareBelow'>;
  readonly arrange: Arrange;
  readonly primary: PrimaryLink;
  readonly clock: Clock;
}

const ASK_MS = 1_000;
const ranks: Readonly<Record<Standing['state'], number>> = { ready: 0, behind: 1, resting: 2 };

type Asked = Pick<Exchange, 'caller'>;

/** What a process of this host knows of a candidate that binds the caller. */
const findEntry = (
  board: readonly BoardEntry[],
  { target, credential }: Candidate,
  { caller }: Asked,
): BoardEntry | undefined =>
  board.find(
    (entry) =>
      (entry.state === 'open' || entry.state === 'cooling') &&
      entry.provider === target.provider &&
      entry.credential === credential &&
      (entry.model === target.model || entry.model === EVERY_MODEL) &&
      (entry.callers === undefined || entry.callers.includes(nameOf(caller))),
  );

/** The candidates of an exchange in the order in which they would be tried now, and why. Where workers serve, the worst that one of them knows counts. */
export function createExplain({
  settings,
  arrange,
  primary,
  clock,
}: ExplainParts): (exchange: Exchange) => Promise<object> {
  const askBoard = async (): Promise<readonly BoardEntry[]> => {
    try {
      return (await primary.ask({ call: 'list' }, ASK_MS)) as readonly BoardEntry[];
    } catch {
      // What this process knows can be said all the same.
      return [];
    }
  };
  const describe = (candidate: Candidate, { caller }: Asked, board: readonly BoardEntry[], now: number): Standing => {
    const { target, credential, health } = candidate;
    const name = { target: target.id, credential };
    const wall = clock.now();
    const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
    const out = health.whyOut(caller, now);
    if (out !== undefined)
      return { ...name, state: 'resting', reason: out, until: iso(wall + health.readyAt(caller, now) - now) };
    const entry = findEntry(board, candidate, { caller });
    if (entry !== undefined) {
      const { state, reason = 'found by a worker', until } = entry;
      return {
        ...name,
        state: 'resting',
        reason: `${state} (${reason})`,
        ...(until === undefined || until <= wall ? {} : { until: iso(until) }),
      };
    }
    const behind = health.whyBehind(caller, now, settings.spareBelow);
    return behind === undefined ? { ...name, state: 'ready' } : { ...name, state: 'behind', reason: behind };
  };

  return async (exchange) => {
    const board = await askBoard();
    const now = clock.monotonic();
    const { routing, sticky, groups } = arrange.plan(exchange);
    const standings = arrange(exchange, now).map((candidate) => describe(candidate, exchange, board, now));
    return {
      routing,
      sticky,
      ...(routing === 'weighted'
        ? { weights: Object.fromEntries(groups.map(({ target, weight }) => [target.id, weight])) }
        : {}),
      candidates: standings.sort((one, other) => ranks[one.state] - ranks[other.state]),
      unavailable: exchange.targets.flatMap(({ id, credentials, unavailable }) =>
        credentials.length > 0 ? [] : [{ target: id, reason: unavailable ?? 'no credential can be used' }],
      ),
    };
  };
}
