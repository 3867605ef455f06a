import { defaultTextMapGetter, defaultTextMapSetter, ROOT_CONTEXT, type Context } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { Headers } from '../../core/index.ts';

/** https://www.w3.org/TR/trace-context/ */
const propagator = new W3CTraceContextPropagator();

/**
 * The trace that a client is in; a header that is none begins a new one.
 * @param withState its `tracestate` goes on as well
 */
export function readContext(headers: Headers, withState: boolean): Context {
  const { traceparent = '' } = headers;
  return propagator.extract(ROOT_CONTEXT, withState ? headers : { traceparent }, defaultTextMapGetter);
}

/** What tells a provider which trace a call belongs to. */
export function writeContext(context: Context): Headers {
  const headers: Record<string, string> = {};
  propagator.inject(context, headers, defaultTextMapSetter);
  return headers;
}
