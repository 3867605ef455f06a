import type { AttemptRecord, Outcome, RequestHead } from '../contracts/exchange.ts';
import type { PluginInstance } from '../contracts/plugin.ts';
import type { Clock, Log } from '../contracts/services.ts';
import { writeExchange } from './access-log.ts';
import { settleAll } from './admit.ts';
import type { Door } from './door.ts';
import type { TellEnded } from './ended.ts';
import { createOutcome } from './outcome.ts';
import type { Progress } from './progress.ts';

/** Of an exchange that nobody answered: its attempts and the pauses between them. */
const sumWaits = (attempts: readonly AttemptRecord[]): number => attempts.reduce((sum, { ms, waitedMs = 0 }) => sum + ms + waitedMs, 0);

const measureTimes = ({ attempts, ending, firstContentMs, waitedMs }: Progress, total: number): Outcome['times'] => {
  if (firstContentMs === undefined) return { total, own: Math.max(0, total - sumWaits(attempts)) };
  const ownAfter = ending?.waitedMs === undefined ? undefined : Math.max(0, total - firstContentMs - ending.waitedMs);
  return { total, own: firstContentMs - waitedMs, firstContent: firstContentMs, ...(ownAfter === undefined ? {} : { ownAfter }) };
};

export interface SettleParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Takes the line of an exchange: members of a JSON object. */
  readonly logExchange: (fields: string) => void;
  readonly ended: TellEnded;
  /** Of the plugin that accounts for the prompt cache. */
  readonly account?: PluginInstance['account'];
}

/** The last phase, run once on every path: one outcome, every admission settled on it, one line in the log. */
export const settleExchange = async (head: RequestHead, progress: Progress, { sent }: Pick<Door, 'sent'>, { clock, log, logExchange, ended, account }: SettleParts): Promise<void> => {
  const { status, attempts, ending, error, caller, requested, exchange, received, admissions } = progress;
  const times = measureTimes(progress, clock.monotonic() - head.startedAt);
  const outcome = createOutcome({ exchange, status, attempts, ending, error, times, bytes: { received, sent }, account });
  if (admissions.length > 0) await settleAll(admissions, outcome, log);
  const lost = exchange?.losses === 'warn' ? attempts.findLast(({ committed }) => committed)?.losses : undefined;
  if (lost !== undefined && lost.length > 0) log.warn({ request_id: head.id, losses: lost }, 'a translation lost parts of a request');
  logExchange(writeExchange({ head, outcome, caller, requested, exchange }));
  ended({ head, outcome, ...(caller === undefined ? {} : { caller }), ...(exchange === undefined ? {} : { exchange }) });
};
