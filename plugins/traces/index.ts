import { definePlugin } from '../../core/api/index.ts';
import { schema, type TracesOptions } from './schema.ts';

/** Traces for an OpenTelemetry collector. The OpenTelemetry packages are loaded only when the plugin is configured. */
export default definePlugin<TracesOptions>({
  kind: 'plugin',
  apiVersion: 1,
  name: 'traces',
  schema,
  create: async (options, services) => (await import('./spans.ts')).createTraces(options, services),
});
