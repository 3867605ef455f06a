import { DURATION_PATTERN, type JsonObject } from '../../core/index.ts';

/** The plugin's `config`, checked and with its defaults filled in. */
export interface TracesOptions {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly service: string;
  readonly share: number;
  readonly timeout: string;
}

export const schema: JsonObject = {
  type: 'object',
  description: 'Sends a span of every exchange and of every attempt to an OpenTelemetry collector.',
  additionalProperties: false,
  properties: {
    endpoint: { description: 'Where spans are sent: OTLP over HTTP (protobuf).', type: 'string', pattern: '^https?://', default: 'http://127.0.0.1:4318/v1/traces', examples: ['https://otel.internal/v1/traces'] },
    headers: { description: 'Sent with them.', type: 'object', additionalProperties: { type: 'string', writeOnly: true }, default: {}, examples: [{ authorization: 'Bearer ${OTEL_TOKEN}' }] },
    service: { description: 'service.name of the resource.', type: 'string', minLength: 1, default: 'koine' },
    share: { description: 'Which share of the traces that begin here is kept, 0 to 1. Of a trace that began at the client, the client decides.', type: 'number', minimum: 0, maximum: 1, default: 1 },
    timeout: { description: 'How long one sending may take.', type: 'string', pattern: DURATION_PATTERN, default: '10s', examples: ['10s'] },
  } satisfies Record<keyof TracesOptions, JsonObject>,
};
