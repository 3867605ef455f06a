import type { Ended, Exchange, Metrics } from '../../core/index.ts';
import type { ExtraLabels } from './extra-labels.ts';
import { remember } from './remember.ts';

const DURATION = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320, 640];
const OVERHEAD = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];
const BYTES = Array.from({ length: 9 }, (_, step) => 1_000 * 4 ** step);

export const isStreamed = ({ request }: Exchange): boolean => 'stream' in request && request.stream;

export interface ExchangeMeters {
  /** An exchange that was admitted is being answered. */
  begin(exchange: Exchange): void;
  /** Once for each that has begun. */
  settle(exchange: Exchange): void;
  /** Every request, once. */
  end(ended: Ended): void;
}

/** What is counted of a request as its client sees it. Everything is bound at its first use: an update finds it by a few map look-ups. */
export const createExchangeMeters = (metrics: Metrics, extra: ExtraLabels): ExchangeMeters => {
  const requests = metrics.counter('koine_http_requests_total', 'Requests by how they ended, wherever that was.', ['route', 'wire', 'operation', 'code', 'outcome', ...extra.names]);
  const durations = metrics.histogram('koine_http_request_duration_seconds', 'From accept to the last byte.', ['route', 'wire', 'operation', 'outcome'], DURATION);
  const overheads = metrics.histogram('koine_overhead_duration_seconds', 'Time that the gateway itself adds.', ['wire', 'phase'], OVERHEAD);
  const inFlight = metrics.gauge('koine_requests_in_flight', 'Exchanges that are being answered.', ['wire', 'stream'], 'sum');
  const received = metrics.histogram('koine_request_body_bytes', 'Bodies of exchanges as they came, inflated.', ['wire'], BYTES);
  const sent = metrics.histogram('koine_response_body_bytes', 'Bodies of exchanges as they went out.', ['wire'], BYTES);
  const exhausted = metrics.counter('koine_candidates_exhausted_total', 'Exchanges that no target answered.', ['model', 'reason']);

  const routes = remember((route: string) =>
    remember((wire: string) =>
      remember((operation: string) => ({
        count: remember((more: readonly string[]) => remember((code: number) => remember((outcome: string) => requests.bind([route, wire, operation, String(code), outcome, ...more])))),
        time: remember((outcome: string) => durations.bind([route, wire, operation, outcome])),
      })),
    ),
  );
  const wires = remember((wire: string) => ({
    request: overheads.bind([wire, 'request']),
    response: overheads.bind([wire, 'response']),
    received: received.bind([wire]),
    sent: sent.bind([wire]),
  }));
  const open = remember((wire: string) =>
    remember((stream: boolean) => {
      const show = inFlight.bind([wire, String(stream)]);
      let now = 0;
      return (change: number): void => show((now += change));
    }),
  );
  const exhaust = remember((model: string) => remember((reason: string) => exhausted.bind([model, reason])));

  return {
    begin: (exchange) => open(exchange.route.wire)(isStreamed(exchange))(1),
    settle: (exchange) => open(exchange.route.wire)(isStreamed(exchange))(-1),
    end: ({ head, outcome: { status, result, attempts, error, times, bytes }, caller, exchange }) => {
      const { path, wire, operation } = head.route;
      const route = routes(path)(wire)(operation);
      route.count(extra.of(caller))(status)(result)(1);
      route.time(result)(times.total / 1_000);
      if (bytes !== undefined) {
        wires(wire).received(bytes.received);
        wires(wire).sent(bytes.sent);
      }
      // Of what took several attempts, or never came, nobody has told the waiting from the work.
      if (times.firstContent !== undefined && attempts.length === 1) wires(wire).request(times.own / 1_000);
      if (times.ownAfter !== undefined) wires(wire).response(times.ownAfter / 1_000);
      const isUnanswered = error !== undefined && (result === 'upstream_error' || result === 'timeout') && !attempts.some(({ committed }) => committed);
      if (exchange !== undefined && isUnanswered) exhaust(exchange.model)(error.failure)(1);
    },
  };
};
