import type { AttemptRecord, Ending } from '../../contracts/attempt-record.ts';
import type { Exchange, RequestHead, RouteInfo } from '../../contracts/exchange.ts';
import type { Admission, EndedRequest } from '../../contracts/outcome.ts';
import { createOutcome } from '../../outcome/outcome.ts';
import { writeExchange } from '../access-log.ts';
import { joinAnnotations } from '../hooks/annotations.ts';
import { noSpending, settleAll, type SettleParts } from '../settle.ts';
import type { OpenResponse } from './packed-exchange.ts';

type EndParts = Omit<SettleParts, 'background'>;

/** The outcome for who reserved something for a response that others follow from now on. */
export function settleLeft({ clock, log }: EndParts, exchange: Exchange, admissions: readonly Admission[]): void {
  const outcome = createOutcome({
    exchange,
    status: 200,
    endedAt: clock.now(),
    attempts: [],
    ending: undefined,
    spending: noSpending,
    continues: true,
    error: undefined,
    times: { total: 0, own: 0 },
  });
  void settleAll(admissions, outcome, log);
}

/** By path: metrics keep what they know of a route by its object. */
const routes = new Map<string, RouteInfo>();

/** The end of a response is counted and logged under an operation of its own: its request has been. */
const routeOf = ({ path, wire }: RouteInfo): RouteInfo => {
  const known = routes.get(`${wire} ${path}`);
  if (known !== undefined) return known;
  const route: RouteInfo = { path, wire, operation: 'background' };
  routes.set(`${wire} ${path}`, route);
  return route;
};

/** Settles a response that has ended: its admissions, its row, its line, its metrics. */
export function settleEnd(
  parts: EndParts,
  { exchange, target, record }: OpenResponse,
  ending: Ending,
  admissions: readonly Admission[],
): void {
  const { clock, log, logExchange, ended, account, watchUsage } = parts;
  const total = Math.max(0, clock.monotonic() - exchange.startedAt);
  const attempt: AttemptRecord = {
    target: target.id,
    credential: record.credential,
    wire: exchange.route.wire,
    lane: 'native',
    committed: true,
    status: 200,
    ending,
    startedAt: exchange.startedAt,
    ms: total,
    losses: [],
  };
  const outcome = createOutcome({
    exchange,
    status: 200,
    endedAt: clock.now(),
    attempts: [attempt],
    ending,
    error: undefined,
    times: { total, own: 0 },
    account,
    annotations: joinAnnotations(admissions),
  });
  const head: RequestHead = { ...exchange, route: routeOf(exchange.route) };
  void settleAll(admissions, outcome, log);
  if (outcome.charges.length > 0) watchUsage(exchange.operation, outcome);
  const { caller } = exchange;
  const request: EndedRequest = { head, outcome, caller, exchange };
  logExchange(writeExchange(request), outcome, exchange.startedAt, undefined);
  ended(request);
}
