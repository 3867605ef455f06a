import type { Clock, Exchange, PrimaryLink, Standing } from '../../core/index.ts';
import type { Arrange, Candidate } from './arrange.ts';
import { readyAt, whyBehind, whyOut } from './health.ts';
import type { BoardEntry } from './messages.ts';
import { EVERY_MODEL } from './roster.ts';
import type { Settings } from './settings.ts';

interface ExplainParts {
  readonly settings: Pick<Settings, 'spareBelow'>;
  readonly arrange: Arrange;
  readonly primary: PrimaryLink;
  readonly clock: Clock;
}

const ASK_MS = 1_000;
const ranks: Readonly<Record<Standing['state'], number>> = { ready: 0, behind: 1, resting: 2 };

/** The candidates of an exchange in the order in which they would be tried now, and why. Where workers serve, the worst that one of them has told counts. */
export const createExplain = ({ settings, arrange, primary, clock }: ExplainParts): ((exchange: Exchange) => Promise<object>) => {
  const askBoard = async (): Promise<readonly BoardEntry[]> => {
    try {
      return (await primary.ask({ call: 'list' }, ASK_MS)) as readonly BoardEntry[];
    } catch {
      // What this process knows can be told all the same.
      return [];
    }
  };
  const describe = ({ target, credential, health }: Candidate, board: readonly BoardEntry[], now: number): Standing => {
    const name = { target: target.id, credential };
    const wall = clock.now();
    const out = whyOut(health, now);
    if (out !== undefined) return { ...name, state: 'resting', reason: out, until: new Date(wall + readyAt(health, now) - now).toISOString() };
    const told = board.find(
      ({ provider, model, credential: whose, until }) => provider === target.provider && whose === credential && (model === target.model || model === EVERY_MODEL) && until !== undefined && until > wall,
    );
    if (told?.until !== undefined) return { ...name, state: 'resting', reason: `${told.state} (${told.reason ?? 'a worker says so'})`, until: new Date(told.until).toISOString() };
    const behind = whyBehind(health, now, settings.spareBelow);
    return behind === undefined ? { ...name, state: 'ready' } : { ...name, state: 'behind', reason: behind };
  };

  return async (exchange) => {
    const board = await askBoard();
    const now = clock.monotonic();
    const { routing, sticky, groups } = arrange.plan(exchange);
    const standings = arrange(exchange, now).map((candidate) => describe(candidate, board, now));
    return {
      routing,
      sticky,
      ...(routing === 'weighted' ? { weights: Object.fromEntries(groups.map(({ target, weight }) => [target.id, weight])) } : {}),
      candidates: standings.sort((one, other) => ranks[one.state] - ranks[other.state]),
      unavailable: exchange.targets.flatMap(({ id, credentials, unavailable }) => (credentials.length > 0 ? [] : [{ target: id, reason: unavailable ?? 'no credential can be used' }])),
    };
  };
};
