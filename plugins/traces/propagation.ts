import { defaultTextMapGetter, defaultTextMapSetter, ROOT_CONTEXT, type Context } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { Headers } from '../../core/api/index.ts';

/** https://www.w3.org/TR/trace-context/ */
const propagator = new W3CTraceContextPropagator();

/**
 * Reads the trace of a client. An invalid header starts a new trace.
 * @param withState read its `tracestate` as well
 */
export function readContext(headers: Headers, withState: boolean): Context {
  const { traceparent = '' } = headers;
  return propagator.extract(ROOT_CONTEXT, withState ? headers : { traceparent }, defaultTextMapGetter);
}

/** The headers that carry a trace to a provider. */
export function writeContext(context: Context): Headers {
  const headers: Record<string, string> = {};
  propagator.inject(context, headers, defaultTextMapSetter);
  return headers;
}
