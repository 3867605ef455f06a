import type { CallDescription } from '../../contracts/admin.ts';
import type { PrimaryInstance } from '../../contracts/extension.ts';
import type { Clock, PrimaryLink } from '../../contracts/services.ts';
import { listOf, objectOf } from '../../http/admin/schemas.ts';

/** How many exchanges are listed, and how many may wait for the next report. */
const MOST = 200;
/** How often a process reports its exchanges. */
const REPORT_MS = 500;
const TIMEOUT_MS = 5_000;

/** One exchange: its line in the access log, as JSON members without braces, and its end in unix milliseconds. */
interface Ended {
  readonly at: number;
  readonly fields: string;
}

const described: CallDescription = {
  summary: 'The latest 200 requests of this host, the newest first: their lines of the access log.',
  answer: objectOf({ exchanges: listOf({ type: 'object' }) }),
};

/** The core's primary instance: the latest exchanges of all processes of this host. */
export function createRecentExchanges(): PrimaryInstance {
  let latest: readonly (Ended & { readonly worker: number })[] = [];
  /** Processes report independently: exchanges do not arrive in the order of their ends. */
  const add = (ended: readonly Ended[], worker: number): void => {
    const all = [...ended.map((each) => ({ ...each, worker })), ...latest];
    latest = all.sort((one, other) => other.at - one.at).slice(0, MOST);
  };
  const describe = ({ at, fields, worker }: (typeof latest)[number]): object => ({
    endedAt: new Date(at).toISOString(),
    ...(worker === 0 ? {} : { worker }),
    ...(JSON.parse(`{${fields}}`) as object),
  });
  return {
    handle: (message, worker) => {
      add((message as readonly Ended[]).toReversed(), worker);
      return null;
    },
    admin: (router) => router.get('/admin/exchanges', () => ({ body: { exchanges: latest.map(describe) } }), described),
  };
}

/**
 * Reports ended exchanges to the primary process in batches. A report that fails is dropped: the access log has its
 * lines.
 */
export function createExchangeReport(primary: PrimaryLink, clock: Clock): (fields: string) => void {
  let waiting: Ended[] = [];
  const report = async (): Promise<void> => {
    const ended = waiting;
    waiting = [];
    try {
      await primary.call(ended, TIMEOUT_MS);
    } catch {
      // See above.
    }
  };
  return (fields) => {
    if (waiting.push({ at: clock.now(), fields }) === 1) setTimeout(report, REPORT_MS).unref();
    else if (waiting.length > MOST) waiting.shift();
  };
}
