import type { LogReport } from './access-log.ts';
import type { Tally } from './clients.ts';
import type { Look } from './look.ts';
import { growthOf } from './trend.ts';

/** One thing that was looked at. */
export interface Finding {
  readonly name: string;
  readonly good: boolean;
  readonly detail: string;
}

/** Rows of the ledger, when the gateway has ended. */
export interface LedgerReport {
  readonly settled: number;
  readonly open: number;
}

export interface Facts {
  /** Before the load, when everything had been used once. */
  readonly before: Look;
  /** During the load. */
  readonly looks: readonly Look[];
  /** When the load was over. */
  readonly after: Look;
  readonly tally: Tally;
  readonly log: LogReport;
  readonly ledger: LedgerReport;
  /** What the gateway said on standard error. */
  readonly said: string;
  readonly exitCode: number | null;
}

/** What memory may grow by for no reason that means anything. */
const HEAP_NOISE = 0.05;
const RSS_NOISE = 0.1;
/** A shorter run has not warmed up. */
const JUDGED_FROM_SECONDS = 180;

const percent = (share: number): string => `${share < 0 ? '' : '+'}${(share * 100).toFixed(1)} %`;

const judgeGrowth = (name: string, looks: readonly Look[], read: (look: Look) => number, noise: number): Finding => {
  const seconds = looks.at(-1)?.at ?? 0;
  const growth = growthOf(looks.map(read));
  const limit = `between the medians of the second and of the last quarter, below ${percent(noise)}`;
  if (seconds < JUDGED_FROM_SECONDS)
    return { name, good: true, detail: `not judged: a run of ${seconds.toFixed(0)} s has not warmed up` };
  return { name, good: growth < noise, detail: `${percent(growth)} ${limit}` };
};

const WARNING = /warning|unhandled|uncaught|^\s+at /i;

/** What a client sent and the log does not have exactly once. */
const findOdd = ({ sent }: Tally, { lines }: LogReport): readonly string[] =>
  sent.filter((id) => lines.get(id) !== 1).map((id) => `${id} has ${lines.get(id) ?? 0}`);

const shorten = (texts: readonly string[]): string =>
  texts.length === 0 ? 'none' : `${texts.length}: ${texts.slice(0, 5).join('; ')}`;

/** Whether the run shows any growth, anything left behind, anything lost. */
export function judge({ before, looks, after, tally, log, ledger, said, exitCode }: Facts): readonly Finding[] {
  const odd = findOdd(tally, log);
  const warnings = said.split('\n').filter((line) => WARNING.test(line));
  return [
    judgeGrowth('heap', looks, ({ heap }) => heap, HEAP_NOISE),
    judgeGrowth('memory of the process', looks, ({ rss }) => rss, RSS_NOISE),
    {
      name: 'descriptors',
      good: after.descriptors <= before.descriptors,
      detail: `${before.descriptors} before, ${after.descriptors} after`,
    },
    {
      name: 'connections to upstreams',
      good: after.upstream <= before.upstream,
      detail: `${before.upstream} before, ${after.upstream} after`,
    },
    { name: 'in flight', good: after.inFlight === 0, detail: `${after.inFlight} after` },
    {
      name: 'one line in the access log for each exchange',
      good: odd.length === 0,
      detail: `${tally.sent.length} exchanges; not one line: ${shorten(odd)}`,
    },
    {
      name: 'a settled row of the ledger for each exchange that asked a provider',
      good: ledger.open === 0 && ledger.settled >= log.asked,
      detail: `${log.asked} asked, ${ledger.settled} settled, ${ledger.open} open`,
    },
    { name: 'an answer for each client', good: tally.lost.length === 0, detail: `without any: ${shorten(tally.lost)}` },
    {
      name: 'no fault of the gateway',
      good: log.ownFaults.length === 0 && !tally.statuses.has(500),
      detail: shorten(log.ownFaults),
    },
    { name: 'no warning', good: warnings.length === 0, detail: shorten(warnings) },
    { name: 'a clean end', good: exitCode === 0, detail: `exit code ${exitCode}` },
  ];
}
