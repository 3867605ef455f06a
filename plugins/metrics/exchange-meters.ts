import type { Exchange, Metrics, Outcome } from '../../core/index.ts';
import { remember } from './remember.ts';

const DURATION = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320, 640];
const OVERHEAD = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

export const isStreamed = ({ request }: Exchange): boolean => 'stream' in request && request.stream;

export interface ExchangeMeters {
  begin(exchange: Exchange): void;
  /** Once for each that has begun. */
  end(exchange: Exchange, outcome: Outcome): void;
}

/** What is counted of an exchange as its client sees it. Everything is bound at its first use: an update finds it by a few map look-ups. */
export const createExchangeMeters = (metrics: Metrics): ExchangeMeters => {
  const requests = metrics.counter('koine_http_requests_total', 'Exchanges that were admitted or refused by a plugin, by how they ended.', ['route', 'wire', 'operation', 'code', 'outcome']);
  const durations = metrics.histogram('koine_http_request_duration_seconds', 'From accept to the last byte.', ['route', 'wire', 'operation', 'outcome'], DURATION);
  const overheads = metrics.histogram('koine_overhead_duration_seconds', 'Time that the gateway itself adds.', ['wire', 'phase'], OVERHEAD);
  const inFlight = metrics.gauge('koine_requests_in_flight', 'Exchanges that are being answered.', ['wire', 'stream'], 'sum');

  const routes = remember((route: string) =>
    remember((wire: string) =>
      remember((operation: string) => ({
        count: remember((code: number) => remember((outcome: string) => requests.bind([route, wire, operation, String(code), outcome]))),
        time: remember((outcome: string) => durations.bind([route, wire, operation, outcome])),
      })),
    ),
  );
  const overhead = remember((wire: string) => overheads.bind([wire, 'request']));
  const open = remember((wire: string) =>
    remember((stream: boolean) => {
      const show = inFlight.bind([wire, String(stream)]);
      let now = 0;
      return (change: number): void => show((now += change));
    }),
  );

  return {
    begin: (exchange) => open(exchange.route.wire)(isStreamed(exchange))(1),
    end: (exchange, { status, result, attempts, times }) => {
      const { path, wire, operation } = exchange.route;
      open(wire)(isStreamed(exchange))(-1);
      const route = routes(path)(wire)(operation);
      route.count(status)(result)(1);
      route.time(result)(times.total / 1_000);
      // Of what took several attempts, or never came, nobody has told the waiting from the work.
      if (times.firstContent !== undefined && attempts.length === 1) overhead(wire)(times.own / 1_000);
    },
  };
};
