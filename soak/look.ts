import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseMetrics, sumOf } from '../test/support/parse-metrics.ts';
import { send } from '../test/e2e/http.ts';
import type { SoakedGateway } from './gateway.ts';

/** The gateway at one moment. Memory is read after a garbage collection. */
export interface Look {
  /** Seconds since the load began. */
  readonly at: number;
  readonly exchanges: number;
  /** Bytes: of the process; of its heap in use; of buffers beside the heap. */
  readonly rss: number;
  readonly heap: number;
  readonly external: number;
  /** Open descriptors; 0 where the system does not tell. */
  readonly descriptors: number;
  /** Connections to the upstreams. */
  readonly upstream: number;
  readonly inFlight: number;
  /** Milliseconds by which the event loop was late in one of a hundred turns since the last look. */
  readonly lag: number;
}

/** Time enough for the signal to arrive and for a heap of this size to be swept. */
const COLLECTING_MS = 300;

const readMetrics = async ({ adminUrl }: SoakedGateway): Promise<(name: string) => number> => {
  const { text } = await send(adminUrl, { method: 'GET', path: '/metrics', headers: {} });
  const families = parseMetrics(text);
  return (name) => sumOf(families, name);
};

const countDescriptors = ({ pid }: SoakedGateway): number =>
  existsSync(`/proc/${pid}/fd`) ? readdirSync(`/proc/${pid}/fd`).length : 0;

/** @param known what is not the gateway's to tell */
export async function look(gateway: SoakedGateway, known: () => Pick<Look, 'at' | 'upstream'>): Promise<Look> {
  const busy = await readMetrics(gateway);
  const [descriptors, around] = [countDescriptors(gateway), known()];
  gateway.collectGarbage();
  await delay(COLLECTING_MS);
  const swept = await readMetrics(gateway);
  return {
    ...around,
    descriptors,
    exchanges: busy('koine_http_requests_total'),
    inFlight: busy('koine_requests_in_flight'),
    lag: busy('nodejs_eventloop_lag_p99_seconds') * 1_000,
    rss: swept('process_resident_memory_bytes'),
    heap: swept('nodejs_heap_size_used_bytes'),
    external: swept('nodejs_external_memory_bytes'),
  };
}
