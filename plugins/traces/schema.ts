import { DURATION_PATTERN, type JsonObject } from '../../core/index.ts';

/** The plugin's `config`, checked and with its defaults filled in. */
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
  description: 'Sends a span of every exchange and of every attempt to an OpenTelemetry collector.',
  additionalProperties: false,
  properties: {
    endpoint: {
      description: 'Where spans are sent: OTLP over HTTP (protobuf).',
      type: 'string',
      pattern: '^https?://',
      default: 'http://127.0.0.1:4318/v1/traces',
      examples: ['https://otel.internal/v1/traces'],
    },
    headers: {
      description: 'Sent with them.',
      type: 'object',
      additionalProperties: { type: 'string', writeOnly: true },
      default: {},
      examples: [{ authorization: 'Bearer ${OTEL_TOKEN}' }],
    },
    service: { description: 'service.name of the resource.', type: 'string', minLength: 1, default: 'koine' },
    share: {
      description: 'Which share of the traces is kept, 0 to 1; with trustParent, of those that begin here.',
      type: 'number',
      minimum: 0,
      maximum: 1,
      default: 1,
    },
    trustParent: {
      description:
        "true: of a trace that began at a client, the sampled flag of its traceparent decides whether it is kept. Only where every client is your own. false: the share decides; the client's trace id is kept.",
      type: 'boolean',
      default: false,
    },
    tracestate: {
      description: "true: the client's tracestate goes on to providers and to the collector. false: it ends here.",
      type: 'boolean',
      default: false,
    },
    timeout: {
      description: 'How long one sending may take.',
      type: 'string',
      pattern: DURATION_PATTERN,
      default: '10s',
      examples: ['10s'],
    },
  } satisfies Record<keyof TracesOptions, JsonObject>,
};
