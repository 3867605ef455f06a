import { setTimeout as delay } from 'node:timers/promises';
import type { Tracer } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import { readDuration, type Log } from '../../core/index.ts';
import type { TracesOptions } from './schema.ts';

/** How long the last spans may take to be sent. */
const CLOSE_MS = 2_000;
/** Spans that wait to be sent; what comes on top of them is dropped rather than kept in memory. */
const QUEUE = 4_096;

/** Says once that a collector cannot be reached, and once that it can be again: spans may be lost, exchanges never wait for them. */
const logOutages = (exporter: SpanExporter, log: Log): SpanExporter => {
  let failing = false;
  const note = (now: boolean, error: Error | undefined): void => {
    if (failing === now) return;
    failing = now;
    if (now) log.warn({ error }, 'the collector of traces takes no spans; those of this time are lost');
    else log.info({}, 'the collector of traces takes spans again');
  };
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        note(result.code !== ExportResultCode.SUCCESS, result.error);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
};

/** Keeps a share of all traces by chance: neither the flag nor the trace id, both of which a client may choose, decides. */
const createShareSampler = (share: number): Sampler => ({
  shouldSample: () => ({
    decision: Math.random() < share ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
  }),
  toString: () => `share ${share}`,
});

const createSampler = ({ share, trustParent }: Pick<TracesOptions, 'share' | 'trustParent'>): Sampler => {
  const root = new TraceIdRatioBasedSampler(share);
  if (trustParent) return new ParentBasedSampler({ root });
  const remote = createShareSampler(share);
  return new ParentBasedSampler({ root, remoteParentSampled: remote, remoteParentNotSampled: remote });
};

export interface OpenTracer {
  readonly tracer: Tracer;
  /** Sends what waits, for two seconds at most, and ends. */
  close(): Promise<void>;
}

/** Spans are sent in batches, off the path of exchanges. */
export function openTracer(options: TracesOptions, log: Log): OpenTracer {
  const { endpoint, headers, service, timeout } = options;
  const timeoutMillis = readDuration(timeout);
  const exporter = logOutages(new OTLPTraceExporter({ url: endpoint, headers: { ...headers }, timeoutMillis }), log);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    sampler: createSampler(options),
    spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: QUEUE, exportTimeoutMillis: timeoutMillis })],
  });
  return {
    tracer: provider.getTracer('koine'),
    // That the collector does not take the last of them has been said; an end does not wait for one that is away.
    close: () => Promise.race([provider.shutdown().catch(() => {}), delay(CLOSE_MS, undefined, { ref: false })]),
  };
}
