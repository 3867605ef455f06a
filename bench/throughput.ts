import autocannon from 'autocannon';
import type { BenchRequest } from './requests.ts';

export interface Throughput {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
}

/** Long enough for the code to be compiled. */
const WARM_UP_SECONDS = 3;

/** A closed loop for some seconds after a warm-up. */
export const measureThroughput = async (url: string, { path, headers, body }: BenchRequest, connections: number, seconds: number): Promise<Throughput> => {
  const load = { url: url + path, method: 'POST' as const, headers: { ...headers }, body, connections };
  await autocannon({ ...load, duration: WARM_UP_SECONDS });
  const result = await autocannon({ ...load, duration: seconds });
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99, errors: result.errors + result.non2xx };
};
