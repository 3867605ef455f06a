import type { AttemptRecord } from '../contracts/attempt-record.ts';
import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import type { Exchange, RequestHead } from '../contracts/exchange.ts';
import type { Admission, EndedRequest, Outcome } from '../contracts/outcome.ts';
import type { PluginInstance } from '../contracts/plugin.ts';
import type { Clock, Log } from '../contracts/services.ts';
import { createOutcome } from '../outcome/outcome.ts';
import type { Spending } from '../outcome/charges.ts';
import { writeExchange } from './access-log.ts';
import { joinAnnotations } from './hooks/annotations.ts';
import type { ExchangeState } from './exchange-state.ts';
import type { WatchUsage } from './usage-watch.ts';

/** Called once for every request that has ended. */
export type OnEnded = (ended: EndedRequest) => void;

/** Calls the `ended` hook of every plugin in YAML order. */
export function composeEnded(plugins: readonly PluginInstance[]): OnEnded {
  const hooks = plugins.flatMap((plugin) => (plugin.ended === undefined ? [] : [plugin.ended.bind(plugin)]));
  return (ended) => {
    for (const hook of hooks) hook(ended);
  };
}

/**
 * Settles every admission once, concurrently, the last one first: what was admitted last is left first. A failure is
 * logged, and affects neither the other admissions nor the client.
 * @returns a promise only if a plugin returns one
 */
export function settleAll(admitted: readonly Admission[], outcome: Outcome, log: Log): Promise<unknown> | undefined {
  let pending: Promise<void>[] | undefined;
  const fail = (error: unknown): void => log.error({ error }, 'a plugin failed to settle');
  for (let at = admitted.length - 1; at >= 0; at -= 1) {
    try {
      const settling = admitted[at]?.settle?.(outcome);
      if (settling instanceof Promise) (pending ??= []).push(settling.catch(fail));
    } catch (error) {
      fail(error);
    }
  }
  return pending && Promise.all(pending);
}

/** The waiting time of an exchange without a response: its attempts and the pauses between them. */
const sumWaits = (attempts: readonly AttemptRecord[]): number =>
  attempts.reduce((sum, { ms, waitedMs = 0 }) => sum + ms + waitedMs, 0);

const measureTimes = (state: ExchangeState, total: number): Outcome['times'] => {
  const { attempts, ending, firstContentMs: firstContent, waitedMs } = state;
  if (firstContent === undefined) return { total, own: Math.max(0, total - sumWaits(attempts)) };
  const own = firstContent - waitedMs;
  if (ending?.waitedMs === undefined) return { total, own, firstContent };
  return { total, own, firstContent, ownAfter: Math.max(0, total - firstContent - ending.waitedMs) };
};

/**
 * Writes the access log line of an exchange.
 * @param fields members of a JSON object
 * @param startedAt of the request
 * @param limited the admission that knows the limits. undefined: none does
 */
export type LogExchange = (fields: string, outcome: Outcome, startedAt: number, limited: Admission | undefined) => void;

export interface SettleParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly logExchange: LogExchange;
  readonly ended: OnEnded;
  /** The hook of the plugin that accounts for the prompt cache. */
  readonly account?: PluginInstance['account'];
  /** Notices members of reported usage that are not known. */
  readonly watchUsage: WatchUsage;
  readonly background: {
    /**
     * The request of an exchange has ended.
     * @param isWhole so has its response
     * @returns whether a background response continues: its figures follow
     */
    leave(exchange: Exchange, isWhole: boolean): boolean;
  };
}

/** The figures of a response that continues. */
export const noSpending: Spending = { charges: [], usage: undefined, cost: undefined };

const finish = (
  head: RequestHead,
  state: ExchangeState,
  outcome: Outcome,
  limited: Admission | undefined,
  { log, logExchange, ended, watchUsage }: SettleParts,
): void => {
  const { caller, requested, exchange, attempts } = state;
  const lost = exchange?.losses === 'warn' ? attempts.findLast(({ committed }) => committed)?.losses : undefined;
  if (lost !== undefined && lost.length > 0)
    log.warn({ request_id: head.id, losses: lost }, 'a translation lost parts of a request');
  if (exchange !== undefined && outcome.charges.length > 0) watchUsage(exchange.operation, outcome);
  const request: EndedRequest =
    caller === undefined || requested === undefined || exchange === undefined
      ? omitUndefined({ head, outcome, caller, requested, exchange })
      : { head, outcome, caller, requested, exchange };
  logExchange(writeExchange(request), outcome, head.startedAt, limited);
  ended(request);
};

/**
 * The last phase, which runs once on every path: creates the outcome, settles every admission on it, writes the access
 * log line. The response is ended after it, so it does not wait for settlements: their effects on the row and the line
 * are synchronous.
 * @returns a promise only if a plugin returns one
 */
export function settle(
  head: RequestHead,
  state: ExchangeState,
  sent: number,
  parts: SettleParts,
): Promise<unknown> | undefined {
  const { status, attempts, ending, spending, error, exchange, received, admissions } = state;
  const { clock, log, account, background } = parts;
  const times = measureTimes(state, clock.monotonic() - head.startedAt);
  const bytes = { received, sent };
  let limited: Admission | undefined;
  for (const admission of admissions) if (admission.admitted !== undefined) limited = admission;
  const isWhole = error === undefined && ending?.reason === 'complete';
  const continues = exchange !== undefined && background.leave(exchange, isWhole);
  const outcome = createOutcome({
    exchange,
    status,
    endedAt: clock.now(),
    attempts,
    ending,
    spending: continues ? noSpending : spending,
    continues,
    error,
    times,
    bytes,
    account,
    annotations: joinAnnotations(admissions),
  });
  const settling = settleAll(admissions, outcome, log);
  finish(head, state, outcome, limited, parts);
  return settling;
}
