import { DURATION_PATTERN, type JsonObject, type StoreFailurePolicy } from '../../core/index.ts';
import type { WebhookOptions } from './budgets/webhook.ts';

/** The plugin's `config`, checked and with its defaults filled in. */
export interface RateLimitOptions {
  readonly lease: string;
  readonly onStoreFailure: StoreFailurePolicy;
  readonly replicas: number;
  readonly factor: number;
  readonly undeclaredOutput: number;
  readonly timeZone: string;
  readonly webhook?: WebhookOptions;
}

export const schema: JsonObject = {
  type: 'object',
  description: 'Makes the limits of keys, projects and organizations hold.',
  additionalProperties: false,
  properties: {
    lease: {
      description:
        'What a request holds is given back when the process that served it has been silent for so long: it has crashed; 1s to 1h. Running requests are kept alive.',
      type: 'string',
      pattern: DURATION_PATTERN,
      default: '60s',
      examples: ['60s'],
    },
    onStoreFailure: {
      description:
        'What holds while Redis cannot be asked: this host counts by itself (local), the limits do not hold (allow), or 503 (deny). A limit may say otherwise.',
      enum: ['local', 'allow', 'deny'],
      default: 'local',
    },
    replicas: {
      description: 'Hosts that share the Redis. While it cannot be asked each allows its part of a limit.',
      type: 'integer',
      minimum: 1,
      default: 1,
    },
    factor: {
      description: 'How much of a limit all hosts together allow while Redis cannot be asked; 1 is all of it.',
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 1,
      default: 1,
    },
    undeclaredOutput: {
      description:
        'Output tokens that are reserved, at most, for each answer of a request whose client declared no cap. What it really used is settled afterwards.',
      type: 'integer',
      minimum: 1,
      default: 4096,
    },
    timeZone: {
      description: 'The time zone in which days, weeks and months begin, by its IANA name.',
      type: 'string',
      minLength: 1,
      default: 'UTC',
      examples: ['Europe/Berlin'],
    },
    webhook: {
      description:
        'Who is told when so much of a budget is spent as its soft says, when all of it is, and when it first refuses somebody. Left out: the log alone.',
      type: 'object',
      additionalProperties: false,
      required: ['url', 'secret'],
      properties: {
        url: {
          description: 'Where events are sent, by POST. Redirects are not followed.',
          type: 'string',
          pattern: '^https?://',
          examples: ['https://hooks.internal/koine'],
        },
        secret: {
          description: 'Signs them, as the Standard Webhooks do: whsec_ and base64, or any text.',
          type: 'string',
          minLength: 16,
          writeOnly: true,
          examples: ['${WEBHOOK_SECRET}'],
        },
        timeout: {
          description: 'How long an answer is waited for; 100ms to 1m.',
          type: 'string',
          pattern: DURATION_PATTERN,
          default: '10s',
          examples: ['10s'],
        },
      },
    },
  } satisfies Record<keyof RateLimitOptions, JsonObject>,
};
