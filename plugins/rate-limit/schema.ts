import type { JsonObject, StoreFailurePolicy } from '../../core/api/index.ts';
import { duration } from '../shared/settings.ts';

/** The plugin's `config`, validated and with defaults. */
export interface RateLimitOptions {
  readonly lease: string;
  readonly onStoreFailure: StoreFailurePolicy;
  readonly replicas: number;
  readonly factor: number;
  readonly undeclaredOutput: number;
  readonly timeZone: string;
}

export const schema: JsonObject = {
  type: 'object',
  description: 'Enforces the limits of keys, projects and organizations.',
  additionalProperties: false,
  properties: {
    lease: duration(
      'How long a reservation lasts after its process has crashed; 1s to 1h. A running process renews the leases ' +
        'of its requests three times in this time.',
      '15s',
    ),
    onStoreFailure: {
      description:
        'What happens while Redis is not available: this host counts alone (local), the limits do not apply ' +
        '(allow), or requests get a 503 (deny). A limit can set its own.',
      enum: ['local', 'allow', 'deny'],
      default: 'local',
    },
    replicas: {
      description:
        'The fewest hosts among which limits are divided while Redis is not available. They are counted in Redis; ' +
        'this is for a start without Redis, and for hosts that are added during an outage.',
      type: 'integer',
      minimum: 1,
      default: 1,
    },
    factor: {
      description: 'The share of a limit that all hosts together allow while Redis is not available; 1 is all of it.',
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 1,
      default: 1,
    },
    undeclaredOutput: {
      description:
        'The most output tokens that are reserved for each response of a request without a cap. What it has used is ' +
        'settled afterwards.',
      type: 'integer',
      minimum: 1,
      default: 4096,
    },
    timeZone: {
      description: 'The time zone of days, weeks and months, by its IANA name.',
      type: 'string',
      minLength: 1,
      default: 'UTC',
      examples: ['Europe/Berlin'],
    },
  } satisfies Record<keyof RateLimitOptions, JsonObject>,
};
