import { defaultTextMapGetter, defaultTextMapSetter, ROOT_CONTEXT, type Context } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { Headers } from '../../core/index.ts';

/** https://www.w3.org/TR/trace-context/ */
const propagator = new W3CTraceContextPropagator();

/** The trace that a client is in; a header that is none begins a new one. */
export const readContext = (headers: Headers): Context => propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);

/** What tells a provider which trace a call belongs to. */
export const writeContext = (context: Context): Headers => {
  const headers: Record<string, string> = {};
  propagator.inject(context, headers, defaultTextMapSetter);
  return headers;
};
