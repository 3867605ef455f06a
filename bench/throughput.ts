import autocannon from 'autocannon';
import type { BenchRequest } from './requests.ts';

export interface Throughput {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
}

const load = (url: string, { path, headers, body }: BenchRequest, connections: number) => ({ url: url + path, method: 'POST' as const, headers: { ...headers }, body, connections });

/** Long enough for the code to be compiled. */
const WARM_UP_SECONDS = 8;

/** The same load, unmeasured. */
export const warmUp = async (url: string, request: BenchRequest, connections: number): Promise<void> => {
  await autocannon({ ...load(url, request, connections), duration: WARM_UP_SECONDS });
};

/** A closed loop for some seconds. */
export const measureThroughput = async (url: string, request: BenchRequest, connections: number, seconds: number): Promise<Throughput> => {
  const result = await autocannon({ ...load(url, request, connections), duration: seconds });
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99, errors: result.errors + result.non2xx };
};
