import { SpanKind, SpanStatusCode, trace, type Context, type Span } from '@opentelemetry/api';
import type { AttemptRecord, Exchange, Outcome, PluginInstance, Services } from '../../core/api/index.ts';
import { describeAttempt, describeExchange, describeOutcome, describeRecord } from './attributes.ts';
import { nameOperation } from '../shared/genai-names.ts';
import { readContext, writeContext } from './propagation.ts';
import type { TracesOptions } from './schema.ts';
import { openTracer } from './tracer.ts';

/** The open spans of one exchange. */
interface Traced {
  readonly span: Span;
  readonly context: Context;
  /** Span of the current attempt; there is one at a time. */
  attempt?: Span;
}

const endExchange = ({ span }: Traced, outcome: Outcome): void => {
  span.setAttributes(describeOutcome(outcome));
  if (outcome.status >= 500 || outcome.ending?.error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
};

const endAttempt = (span: Span, record: AttemptRecord): void => {
  span.setAttributes(describeRecord(record));
  if (record.failure !== undefined || record.ending?.error !== undefined)
    span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
};

/** Creates a span for every exchange and child spans for its attempts. They continue the trace of the client. */
export function createTraces(options: TracesOptions, { log, clock }: Pick<Services, 'log' | 'clock'>): PluginInstance {
  const { tracer, traceIds, close } = openTracer(options, log);
  const open = new Map<Exchange, Traced>();
  return {
    admit: (exchange) => {
      // The span starts when the exchange was accepted, before this hook.
      const startTime = clock.now() - (clock.monotonic() - exchange.startedAt);
      const parent = readContext(exchange.headers, options.tracestate);
      traceIds.next = exchange.id.slice('req_'.length);
      const span = tracer.startSpan(
        `${exchange.method} ${exchange.route.path}`,
        { kind: SpanKind.SERVER, startTime, attributes: describeExchange(exchange) },
        parent,
      );
      const traced: Traced = { span, context: trace.setSpan(parent, span) };
      open.set(exchange, traced);
      return {
        settle: (outcome) => {
          open.delete(exchange);
          endExchange(traced, outcome);
        },
      };
    },
    interceptor: (next) => (attempt) => {
      const traced = open.get(attempt.exchange as Exchange);
      if (traced === undefined) return next(attempt);
      traced.attempt = tracer.startSpan(
        `${nameOperation(attempt.operation, attempt.wire)} ${attempt.target.model}`,
        { kind: SpanKind.CLIENT, attributes: describeAttempt(attempt) },
        traced.context,
      );
      return next({
        ...attempt,
        headers: { ...attempt.headers, ...writeContext(trace.setSpan(traced.context, traced.attempt)) },
      });
    },
    observe: (exchange, record) => {
      const traced = open.get(exchange);
      if (traced?.attempt !== undefined) endAttempt(traced.attempt, record);
    },
    close,
  };
}
