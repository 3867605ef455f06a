import type { LogReport } from './access-log.ts';
import { countStatuses, type Tally } from './clients.ts';
import type { Sample } from './sample.ts';
import { growthOf } from './trend.ts';

/** The result of one check. */
export interface Finding {
  readonly name: string;
  readonly good: boolean;
  readonly detail: string;
}

/** Rows of the ledger after the gateway has stopped. */
export interface LedgerReport {
  readonly settled: number;
  readonly open: number;
}

export interface Facts {
  /** Before the load, after the warm-up. */
  readonly before: Sample;
  /** During the load. */
  readonly samples: readonly Sample[];
  /** After the load. */
  readonly after: Sample;
  readonly tally: Tally;
  readonly log: LogReport;
  readonly ledger: LedgerReport;
  /** The output of the gateway on standard error. */
  readonly stderr: string;
  readonly exitCode: number | null;
}

/** Growth of the memory that is still noise. */
const HEAP_NOISE = 0.05;
const RSS_NOISE = 0.1;
/** A shorter run has not warmed up. */
const JUDGED_FROM_SECONDS = 180;

const percent = (share: number): string => `${share < 0 ? '' : '+'}${(share * 100).toFixed(1)} %`;

const judgeGrowth = (
  name: string,
  samples: readonly Sample[],
  read: (sample: Sample) => number,
  noise: number,
): Finding => {
  const seconds = samples.at(-1)?.at ?? 0;
  const growth = growthOf(samples.map(read));
  const limit = `between the medians of the second and of the last quarter, below ${percent(noise)}`;
  if (seconds < JUDGED_FROM_SECONDS)
    return { name, good: true, detail: `not judged: a run of ${seconds.toFixed(0)} s has not warmed up` };
  return { name, good: growth < noise, detail: `${percent(growth)} ${limit}` };
};

const WARNING = /warning|unhandled|uncaught|^\s+at /i;

/** Requests that do not have exactly one line in the access log. */
const findWrongLines = ({ sent }: Tally, { lines }: LogReport): readonly string[] =>
  sent.filter((id) => lines.get(id) !== 1).map((id) => `${id} has ${lines.get(id) ?? 0}`);

/** The number of texts, and some of them. */
export const shorten = (texts: readonly string[]): string =>
  texts.length === 0 ? 'none' : `${texts.length}: ${texts.slice(0, 5).join('; ')}`;

/** Checks the run for growth, leaks and losses. */
export function judge({ before, samples, after, tally, log, ledger, stderr, exitCode }: Facts): readonly Finding[] {
  const wrong = findWrongLines(tally, log);
  const warnings = stderr.split('\n').filter((line) => WARNING.test(line));
  return [
    judgeGrowth('heap', samples, ({ heap }) => heap, HEAP_NOISE),
    judgeGrowth('memory of the process', samples, ({ rss }) => rss, RSS_NOISE),
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
      good: wrong.length === 0,
      detail: `${tally.sent.length} exchanges; not one line: ${shorten(wrong)}`,
    },
    {
      name: 'a settled row of the ledger for each exchange that called a provider',
      good: ledger.open === 0 && ledger.settled >= log.called,
      detail: `${log.called} called, ${ledger.settled} settled, ${ledger.open} open`,
    },
    {
      name: 'a response for each client',
      good: tally.lost.length === 0,
      detail: `without any: ${shorten(tally.lost)}`,
    },
    {
      name: 'no fault of the gateway',
      good: log.gatewayFaults.length === 0 && !countStatuses(tally).has(500),
      detail: shorten(log.gatewayFaults),
    },
    { name: 'no warning', good: warnings.length === 0, detail: shorten(warnings) },
    { name: 'a clean end', good: exitCode === 0, detail: `exit code ${exitCode}` },
  ];
}
