import type { Admission, EndedRequest, Exchange, Metrics, Outcome, RouteInfo } from '../../core/api/index.ts';
import { classOf } from '../../core/api/internal.ts';
import { memoize, memoizeByObject } from './memoize.ts';

const DURATION = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320, 640];
const OVERHEAD = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];
const BYTES = Array.from({ length: 9 }, (_, step) => 1_000 * 4 ** step);

export const isStreamed = ({ request }: Exchange): boolean => 'stream' in request && request.stream;

/** The number of exchanges of one kind that are in flight. One object is the admission of all of them. */
class InFlight implements Admission {
  readonly #show: (value: number) => void;
  #count = 0;

  constructor(show: (value: number) => void) {
    this.#show = show;
  }

  begin(): this {
    this.#show((this.#count += 1));
    return this;
  }

  settle(): void {
    this.#show((this.#count -= 1));
  }
}

const declareCounters = (metrics: Metrics) => ({
  requests: metrics.counter('koine_http_requests_total', 'Requests by outcome and by its class.', [
    'route',
    'wire',
    'operation',
    'code',
    'outcome',
    'class',
  ]),
  inFlight: metrics.gauge('koine_requests_in_flight', 'Exchanges that have not ended.', ['wire', 'stream'], 'sum'),
  exhausted: metrics.counter('koine_candidates_exhausted_total', 'Exchanges for which every target failed.', [
    'model',
    'reason',
  ]),
});

const declareHistograms = (metrics: Metrics) => ({
  durations: metrics.histogram(
    'koine_http_request_duration_seconds',
    'From accept to the last byte.',
    ['route', 'wire', 'operation', 'outcome'],
    DURATION,
  ),
  overheads: metrics.histogram(
    'koine_overhead_duration_seconds',
    'Time that the gateway itself adds.',
    ['wire', 'phase'],
    OVERHEAD,
  ),
  received: metrics.histogram(
    'koine_request_body_bytes',
    'Size of request bodies of exchanges, decompressed.',
    ['wire'],
    BYTES,
  ),
  sent: metrics.histogram('koine_response_body_bytes', 'Size of response bodies of exchanges.', ['wire'], BYTES),
});

/**
 * Binds the metrics at their first use: an update only looks up the route, an object of the configuration, and the
 * result.
 */
const bindMeters = (metrics: Metrics) => {
  const { requests, inFlight, exhausted } = declareCounters(metrics);
  const { durations, overheads, received, sent } = declareHistograms(metrics);
  const wires = memoize((wire: string) => ({
    request: overheads.bind([wire, 'request']),
    response: overheads.bind([wire, 'response']),
    received: received.bind([wire]),
    sent: sent.bind([wire]),
  }));
  const inFlightOf = memoize((wire: string) =>
    memoize((stream: boolean) => new InFlight(inFlight.bind([wire, String(stream)]))),
  );
  const bindResult = ({ path, wire, operation }: RouteInfo, result: Outcome['result']) => ({
    time: durations.bind([path, wire, operation, result]),
    count: memoize((code: number) => requests.bind([path, wire, operation, String(code), result, classOf(result)])),
  });
  const routes = memoizeByObject((route: RouteInfo) => ({
    inFlight: inFlightOf(route.wire),
    ended: memoize((result: Outcome['result']) => bindResult(route, result)),
    wire: undefined as ReturnType<typeof wires> | undefined,
  }));
  const exhaust = memoize((model: string) => memoize((reason: string) => exhausted.bind([model, reason])));
  return { routes, wires, exhaust };
};

/** Counts and times requests as clients see them. */
export function createExchangeMeters(metrics: Metrics) {
  const { routes, wires, exhaust } = bindMeters(metrics);
  return {
    /** Counts an admitted exchange as in flight until it is settled. */
    begin: (exchange: Exchange): Admission => routes(exchange.route).inFlight(isStreamed(exchange)).begin(),
    /** Counts a request of any kind, once. */
    end: ({ head, outcome, exchange }: EndedRequest): void => {
      const { status, result, attempts, error, times, bytes } = outcome;
      const route = routes(head.route);
      const { time, count } = route.ended(result);
      count(status)(1);
      time(times.total / 1_000);
      // After several attempts, or without content, waiting cannot be separated from the time of the gateway itself.
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
      const isExhausted =
        error !== undefined &&
        (result === 'upstream_error' || result === 'timeout') &&
        !attempts.some(({ committed }) => committed);
      if (exchange !== undefined && isExhausted)
        exhaust(exchange.targets[0]?.label?.id ?? exchange.model)(error.failure)(1);
    },
  };
}
