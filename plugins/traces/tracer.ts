import { setTimeout as delay } from 'node:timers/promises';
import { ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import { readDuration, type Log } from '../../core/api/index.ts';
import type { TracesOptions } from './schema.ts';

/** How long `close` waits for the last spans. */
const CLOSE_MS = 2_000;
/** Spans that wait to be exported. Further spans are dropped. */
const MAX_QUEUE = 4_096;

/**
 * Logs the start and the end of an outage of the collector. Spans are lost meanwhile; exchanges never wait for them.
 */
const logOutages = (exporter: SpanExporter, log: Log): SpanExporter => {
  let isDown = false;
  const note = (hasFailed: boolean, error: Error | undefined): void => {
    if (isDown === hasFailed) return;
    isDown = hasFailed;
    if (hasFailed) log.warn({ error }, 'the trace collector does not accept spans; spans are lost');
    else log.info({}, 'the trace collector accepts spans again');
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

/** Samples a share of all traces at random: a client can choose the sampled flag and the trace id. */
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

/** Takes the trace ids of the gateway, so that a request has the same one in its span, log line and ledger row. */
class TraceIds extends RandomIdGenerator {
  /** The id of the next trace that starts at the gateway. */
  next = '';

  override generateTraceId(): string {
    return this.next;
  }
}

/** Spans are exported in batches, outside the path of exchanges. */
export function openTracer(options: TracesOptions, log: Log) {
  const { endpoint, headers, service, timeout } = options;
  const timeoutMillis = readDuration(timeout);
  const exporter = logOutages(new OTLPTraceExporter({ url: endpoint, headers: { ...headers }, timeoutMillis }), log);
  const traceIds = new TraceIds();
  const provider = new TracerProvider({
    idGenerator: traceIds,
    resource: resourceFromAttributes({ 'service.name': service }),
    sampler: createSampler(options),
    spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: MAX_QUEUE, exportTimeoutMillis: timeoutMillis })],
  });
  return {
    tracer: provider.getTracer('koine'),
    traceIds,
    /** Exports the remaining spans. A failure is logged by then, and a collector that is down is not waited for. */
    close: (): Promise<void> =>
      Promise.race([provider.shutdown().catch(() => {}), delay(CLOSE_MS, undefined, { ref: false })]),
  };
}
