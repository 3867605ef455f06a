import type { Admission, EndedRequest, Exchange, Metrics, RouteInfo } from '../../core/index.ts';
import type { ExtraLabels } from './extra-labels.ts';
import { memoize, memoizeByObject } from './memoize.ts';

const DURATION = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320, 640];
const OVERHEAD = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];
const BYTES = Array.from({ length: 9 }, (_, step) => 1_000 * 4 ** step);

export const isStreamed = ({ request }: Exchange): boolean => 'stream' in request && request.stream;

export interface ExchangeMeters {
  /** An exchange that was admitted is in flight until it is settled. */
  begin(exchange: Exchange): Admission;
  /** Every request, once. */
  end(ended: EndedRequest): void;
}

/** How many exchanges of one kind are in flight: one admission for all of them. */
class InFlight implements Admission {
  private readonly show: (value: number) => void;
  private now = 0;

  constructor(show: (value: number) => void) {
    this.show = show;
  }

  begin(): this {
    this.show((this.now += 1));
    return this;
  }

  settle(): void {
    this.show((this.now -= 1));
  }
}

/** What is counted of a request as its client sees it. Everything is bound at its first use, by route: an update looks up a route and a result. */
export function createExchangeMeters(metrics: Metrics, extra: ExtraLabels): ExchangeMeters {
  const requests = metrics.counter('koine_http_requests_total', 'Requests by how they ended, wherever that was.', [
    'route',
    'wire',
    'operation',
    'code',
    'outcome',
    ...extra.names,
  ]);
  const durations = metrics.histogram(
    'koine_http_request_duration_seconds',
    'From accept to the last byte.',
    ['route', 'wire', 'operation', 'outcome'],
    DURATION,
  );
  const overheads = metrics.histogram(
    'koine_overhead_duration_seconds',
    'Time that the gateway itself adds.',
    ['wire', 'phase'],
    OVERHEAD,
  );
  const inFlight = metrics.gauge(
    'koine_requests_in_flight',
    'Exchanges that are being answered.',
    ['wire', 'stream'],
    'sum',
  );
  const received = metrics.histogram(
    'koine_request_body_bytes',
    'Bodies of exchanges as they came, inflated.',
    ['wire'],
    BYTES,
  );
  const sent = metrics.histogram('koine_response_body_bytes', 'Bodies of exchanges as they went out.', ['wire'], BYTES);
  const exhausted = metrics.counter('koine_candidates_exhausted_total', 'Exchanges that no target answered.', [
    'model',
    'reason',
  ]);

  const wires = memoize((wire: string) => ({
    request: overheads.bind([wire, 'request']),
    response: overheads.bind([wire, 'response']),
    received: received.bind([wire]),
    sent: sent.bind([wire]),
  }));
  const open = memoize((wire: string) =>
    memoize((stream: boolean) => new InFlight(inFlight.bind([wire, String(stream)]))),
  );
  const exhaust = memoize((model: string) => memoize((reason: string) => exhausted.bind([model, reason])));
  const bindResult = ({ path, wire, operation }: RouteInfo, result: string) => ({
    time: durations.bind([path, wire, operation, result]),
    count: memoize((more: readonly string[]) =>
      memoize((code: number) => requests.bind([path, wire, operation, String(code), result, ...more])),
    ),
  });
  const routes = memoizeByObject((route: RouteInfo) => ({
    open: open(route.wire),
    ended: memoize((result: string) => bindResult(route, result)),
    wire: undefined as ReturnType<typeof wires> | undefined,
  }));

  return {
    begin: (exchange) => routes(exchange.route).open(isStreamed(exchange)).begin(),
    end: ({ head, outcome: { status, result, attempts, error, times, bytes }, caller, exchange }) => {
      const route = routes(head.route);
      const { time, count } = route.ended(result);
      count(extra.of(caller))(status)(1);
      time(times.total / 1_000);
      // Of what took several attempts, or never came, nobody has told the waiting from the work.
      const isTimed = times.firstContent !== undefined && attempts.length === 1;
      if (bytes !== undefined || isTimed || times.ownAfter !== undefined) {
        const wire = (route.wire ??= wires(head.route.wire));
        if (bytes !== undefined) {
          wire.received(bytes.received);
          wire.sent(bytes.sent);
        }
        if (isTimed) wire.request(times.own / 1_000);
        if (times.ownAfter !== undefined) wire.response(times.ownAfter / 1_000);
      }
      const isUnanswered =
        error !== undefined &&
        (result === 'upstream_error' || result === 'timeout') &&
        !attempts.some(({ committed }) => committed);
      if (exchange !== undefined && isUnanswered) exhaust(exchange.model)(error.failure)(1);
    },
  };
}
