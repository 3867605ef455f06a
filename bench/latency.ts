import { Agent } from 'undici';
import type { BenchRequest } from './requests.ts';

const percentile = (sorted: readonly number[], share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

export interface Latency {
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}
export const describeLatency = (samples: readonly number[]): Latency => {
  const sorted = samples.toSorted((a, b) => a - b);
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
};

/** One request after the other on one connection, with a finer clock than a load generator has. */
export const measureLatency = async (url: string, { path, headers, body }: BenchRequest, count: number): Promise<Latency> => {
  const agent = new Agent({ connections: 1 });
  const samples: number[] = [];
  for (let index = -100; index < count; index += 1) {
    const startedAt = performance.now();
    const reply = await agent.request({ origin: url, path, method: 'POST', headers, body });
    await reply.body.arrayBuffer();
    if (index >= 0) samples.push(performance.now() - startedAt);
  }
  await agent.close();
  return describeLatency(samples);
};

/** Milliseconds from the sending of each token at the upstream to its arrival here, over many streams at once. */
export const measureStreams = async (url: string, { path, headers, body }: BenchRequest, streams: number): Promise<Latency & { readonly tokens: number }> => {
  const agent = new Agent();
  const delays: number[] = [];
  const read = async (): Promise<void> => {
    const reply = await agent.request({ origin: url, path, method: 'POST', headers, body });
    for await (const chunk of reply.body as AsyncIterable<Buffer>) {
      const arrived = performance.timeOrigin + performance.now();
      for (const [, sent] of chunk.toString().matchAll(/@(\d+\.\d+) /g)) delays.push(arrived - Number(sent));
    }
  };
  await Promise.all(Array.from({ length: streams }, read));
  await agent.close();
  return { ...describeLatency(delays), tokens: delays.length };
};
