import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseMetrics, sumOf } from '../../test/support/parse-metrics.ts';
import { send } from '../../test/support/http.ts';
import type { SoakGateway } from './gateway.ts';

/** The state of the gateway at one moment. Memory is measured after a garbage collection. */
export interface Sample {
  /** Seconds since the start of the load. */
  readonly at: number;
  readonly exchanges: number;
  /** Bytes of the process, of its used heap, and of buffers outside the heap. */
  readonly rss: number;
  readonly heap: number;
  readonly external: number;
  /** Open descriptors; 0 if the system does not report them. */
  readonly descriptors: number;
  /** Connections to the upstreams. */
  readonly upstream: number;
  readonly inFlight: number;
  /** 99th percentile of the event loop lag since the last sample, in milliseconds. */
  readonly lag: number;
}

/** Long enough for the signal to arrive and the garbage collection to end. */
const COLLECTING_MS = 300;

const readMetrics = async ({ adminUrl }: SoakGateway): Promise<(name: string) => number> => {
  const { text } = await send(adminUrl, { method: 'GET', path: '/metrics', headers: {} });
  const families = parseMetrics(text);
  return (name) => sumOf(families, name);
};

const countDescriptors = ({ pid }: SoakGateway): number =>
  existsSync(`/proc/${pid}/fd`) ? readdirSync(`/proc/${pid}/fd`).length : 0;

/** @param measured what is measured outside the gateway */
export async function takeSample(
  gateway: SoakGateway,
  measured: () => Pick<Sample, 'at' | 'upstream'>,
): Promise<Sample> {
  const underLoad = await readMetrics(gateway);
  const [descriptors, outside] = [countDescriptors(gateway), measured()];
  gateway.collectGarbage();
  await delay(COLLECTING_MS);
  const collected = await readMetrics(gateway);
  return {
    ...outside,
    descriptors,
    exchanges: underLoad('koine_http_requests_total'),
    inFlight: underLoad('koine_requests_in_flight'),
    lag: underLoad('nodejs_eventloop_lag_p99_seconds') * 1_000,
    rss: collected('process_resident_memory_bytes'),
    heap: collected('nodejs_heap_size_used_bytes'),
    external: collected('nodejs_external_memory_bytes'),
  };
}
