import type { JsonObject } from '../../core/api/index.ts';
import { duration, list, size } from '../shared/settings.ts';

/** The plugin's `config` after validation, with defaults. */
export interface ResponseCacheOptions {
  readonly when: 'deterministic' | 'always';
  readonly shared: 'key' | 'project' | 'organization';
  readonly models: readonly string[];
  readonly ttl: string;
  readonly store: 'memory' | 'redis';
  readonly size: string;
  readonly maxResponse: string;
}

export const schema: JsonObject = {
  type: 'object',
  description: 'Answers equal requests with the stored response of the first.',
  additionalProperties: false,
  properties: {
    when: {
      description:
        'deterministic: requests with temperature 0 and without tools that run at a vendor, and embeddings. ' +
        'always: all generation and embeddings.',
      enum: ['deterministic', 'always'],
      default: 'deterministic',
    },
    shared: {
      description: 'Who gets the stored response: requests of the same key, project or organization.',
      enum: ['key', 'project', 'organization'],
      default: 'project',
    },
    models: list('Models by their ids in models; * stands for any characters. Empty: all.', ['openai/*']),
    ttl: duration('How long a response is stored.', '1h', ['10m']),
    store: {
      description: 'memory: in the main thread of each host. redis: in store.redis, for all hosts.',
      enum: ['memory', 'redis'],
      default: 'memory',
    },
    size: size('Most bytes in memory. The responses that were not used for longest are removed.', '64mb'),
    maxResponse: size('Longer responses are not stored.', '1mb'),
  } satisfies Record<keyof ResponseCacheOptions, JsonObject>,
};
