import type { JsonObject } from '../../core/api/index.ts';
import { duration } from '../shared/settings.ts';

/** The plugin's `config` after validation, with defaults. */
export interface TracesOptions {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly service: string;
  readonly share: number;
  readonly trustParent: boolean;
  readonly tracestate: boolean;
  readonly timeout: string;
}

export const schema: JsonObject = {
  type: 'object',
  description: 'Sends a span of every exchange and every attempt to an OpenTelemetry collector.',
  additionalProperties: false,
  properties: {
    endpoint: {
      description: 'URL of the collector: OTLP over HTTP (protobuf).',
      type: 'string',
      pattern: '^https?://',
      default: 'http://127.0.0.1:4318/v1/traces',
      examples: ['https://otel.internal/v1/traces'],
    },
    headers: {
      description: 'Headers of the calls to the collector.',
      type: 'object',
      additionalProperties: { type: 'string', writeOnly: true },
      default: {},
      examples: [{ authorization: 'Bearer ${OTEL_TOKEN}' }],
    },
    service: { description: 'service.name of the resource.', type: 'string', minLength: 1, default: 'koine' },
    share: {
      description: 'Share of traces that are sampled, 0 to 1; with trustParent, of those that start at the gateway.',
      type: 'number',
      minimum: 0,
      maximum: 1,
      default: 1,
    },
    trustParent: {
      description:
        'true: for a trace that started at a client, the sampled flag of its traceparent decides. Use it only when ' +
        "all clients are trusted. false: share decides; the client's trace id is kept.",
      type: 'boolean',
      default: false,
    },
    tracestate: {
      description: "true: the client's tracestate is sent to providers and to the collector. false: it is dropped.",
      type: 'boolean',
      default: false,
    },
    timeout: duration('Timeout of one export.', '10s'),
  } satisfies Record<keyof TracesOptions, JsonObject>,
};
