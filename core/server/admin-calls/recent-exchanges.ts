import type { Admission, Outcome } from '../../contracts/outcome.ts';
import type { CallDescription } from '../../contracts/admin.ts';
import type { PrimaryInstance } from '../../contracts/extension.ts';
import type { PrimaryLink } from '../../contracts/services.ts';
import { listOf, objectOf } from '../../http/admin/schemas.ts';
import { describeLife, keepLife, lifeSchema, type ExchangeLife } from './exchange-life.ts';

/** How many exchanges are listed, and how many may wait for the next report. */
const MOST = 200;
/** How often a process reports its exchanges. */
const REPORT_MS = 500;
const TIMEOUT_MS = 5_000;

/** One exchange: its line in the access log, and its end in unix milliseconds. */
export interface Ended {
  readonly at: number;
  readonly line: string;
  readonly life: ExchangeLife;
}

/** What a process keeps of an exchange until its report, in which it is described. It has no text of the request. */
interface Waiting {
  /** The line that was written: that text is flat, unlike the fields, which are a tree of their parts. */
  readonly line: string;
  readonly outcome: Outcome;
  readonly startedAt: number;
  readonly limited: Admission | undefined;
}

const described: CallDescription = {
  summary: 'The latest 200 requests of this host, the newest first: their lines of the access log.',
  query: { id: 'Only the request with this id, and its life. The list is empty if it is not among the latest.' },
  answer: objectOf({ exchanges: listOf(objectOf({ life: lifeSchema })) }),
};

/** The members of a line that belong to its exchange, without those that every line has. */
const fieldsOf = (line: string): string =>
  `{${line.slice(line.indexOf('"request_id":'), line.lastIndexOf(',"message":'))}}`;

/** The core's primary instance: the latest exchanges of all processes of this host. */
export function createRecentExchanges(): PrimaryInstance {
  let latest: readonly (Ended & { readonly worker: number })[] = [];
  /** Processes report independently: exchanges do not arrive in the order of their ends. */
  const add = (ended: readonly Ended[], worker: number): void => {
    const all = [...ended.map((each) => ({ ...each, worker })), ...latest];
    latest = all.sort((one, other) => other.at - one.at).slice(0, MOST);
  };
  const describe = ({ at, line, worker }: (typeof latest)[number]): object => ({
    endedAt: new Date(at).toISOString(),
    ...(worker === 0 ? {} : { worker }),
    ...(JSON.parse(fieldsOf(line)) as object),
  });
  const find = (id: string): readonly object[] => {
    const start = `{"request_id":"${id}"`;
    const found = latest.find(({ line }) => fieldsOf(line).startsWith(start));
    return found === undefined ? [] : [{ ...describe(found), life: describeLife(found.life) }];
  };
  return {
    handle: (message, worker) => {
      add((message as readonly Ended[]).toReversed(), worker);
      return null;
    },
    admin: (router) =>
      router.get(
        '/admin/exchanges',
        ({ query: { id } }) => ({ body: { exchanges: id === undefined ? latest.map(describe) : find(id) } }),
        described,
      ),
  };
}

const describeEnded = ({ line, outcome, startedAt, limited }: Waiting): Ended => ({
  at: outcome.endedAt,
  line,
  life: keepLife(outcome, startedAt, limited),
});

/**
 * Reports ended exchanges to the main thread in batches. A report that fails is dropped: the access log has its
 * lines.
 */
export function createExchangeReport(primary: PrimaryLink): (exchange: Waiting) => void {
  let waiting: Waiting[] = [];
  const report = async (): Promise<void> => {
    const ended = waiting;
    waiting = [];
    try {
      await primary.call(ended.map(describeEnded), TIMEOUT_MS);
    } catch {
      // See above.
    }
  };
  return (exchange) => {
    if (waiting.push(exchange) === 1) setTimeout(report, REPORT_MS).unref();
    else if (waiting.length > MOST) waiting.shift();
  };
}
