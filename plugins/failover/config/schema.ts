import { DURATION_PATTERN, type JsonObject } from '../../../core/index.ts';

export type Routing = 'order' | 'weighted' | 'least-latency';

/** How the targets of some models are chosen among. What is absent is as for all models. */
export interface ModelOptions {
  readonly routing?: Routing;
  readonly sticky?: boolean;
  /** By the id of a target, or by the name of a provider. */
  readonly weights?: Readonly<Record<string, number>>;
}

/** The plugin's `config`, checked and with its defaults filled in. */
export interface FailoverOptions {
  readonly retries: number;
  readonly attempts: number;
  readonly deadline: string;
  readonly moveOn: { readonly streamed: string; readonly plain: string };
  readonly wait: string;
  readonly backoff: { readonly base: string; readonly cap: string };
  readonly budget: { readonly share: number; readonly free: number };
  readonly cooldown: { readonly rateLimit: string; readonly quota: string };
  readonly circuit: {
    readonly window: string;
    readonly calls: number;
    readonly failures: number;
    readonly open: string;
    readonly longest: string;
    readonly probes: number;
    readonly slow: string;
  };
  readonly spareBelow: number;
  readonly routing: Routing;
  readonly sticky: boolean;
  readonly models: Readonly<Record<string, ModelOptions>>;
  readonly adviseNoRetry: boolean;
}

const duration = (description: string, fallback: string): JsonObject => ({
  description,
  type: 'string',
  pattern: DURATION_PATTERN,
  default: fallback,
  examples: [fallback],
});
const group = (description: string, properties: JsonObject): JsonObject => ({
  description,
  type: 'object',
  additionalProperties: false,
  default: {},
  properties,
});
const routings: readonly Routing[] = ['order', 'weighted', 'least-latency'];

export const schema: JsonObject = {
  type: 'object',
  description: 'Goes on to the next credential or target when one fails, and spares those that do.',
  additionalProperties: false,
  properties: {
    retries: {
      description:
        'Further tries of the same target with the same credential, where the failure makes it worth it (docs/failover.md).',
      type: 'integer',
      minimum: 0,
      maximum: 5,
      default: 1,
    },
    attempts: {
      description: 'Calls for one request, at most, over all targets.',
      type: 'integer',
      minimum: 1,
      maximum: 32,
      default: 8,
    },
    deadline: duration(
      'An answer that has not begun by then is given up, whatever is left to try. Streams that have begun go on.',
      '900s',
    ),
    moveOn: group(
      'While another target is left, an attempt whose answer has not begun by then is ended, and the next target is tried; at the latest at half of the deadline.',
      {
        streamed: duration('Of streamed answers, until their first content.', '120s'),
        plain: duration(
          'Of answers that are not streamed: they come as a whole, and reasoning models take minutes for one.',
          '300s',
        ),
      },
    ),
    wait: duration(
      'How long a request waits, at most, while every target of its model refuses calls. After that it is refused with what the providers said.',
      '2s',
    ),
    backoff: group(
      'The pause before the same target is tried again: random, up to `base`, doubled with each retry, up to `cap`.',
      {
        base: duration('Before the first retry, at most.', '250ms'),
        cap: duration('Before any retry, at most.', '5s'),
      },
    ),
    budget: group(
      'Keeps retries of the same target from becoming a load of their own. Going on to another is not limited.',
      {
        share: {
          description: 'Retries per request, on average over recent ones.',
          type: 'number',
          minimum: 0,
          maximum: 1,
          default: 0.2,
        },
        free: {
          description: 'Retries that may be saved up, and that a process starts with.',
          type: 'integer',
          minimum: 0,
          default: 10,
        },
      },
    ),
    cooldown: group('How long a credential is used for a model only where no other target is left.', {
      rateLimit: duration('After a 429 that does not say for how long; what it says counts up to 60s.', '10s'),
      quota: duration('After the vendor has said that the quota or the balance is spent.', '10m'),
    }),
    circuit: group('When a credential is not used for a model because its calls fail.', {
      window: duration('What counts as recent.', '30s'),
      calls: { description: 'Fewer recent calls than this open nothing.', type: 'integer', minimum: 1, default: 10 },
      failures: {
        description: 'The share of failures among recent calls that opens it.',
        type: 'number',
        exclusiveMinimum: 0,
        maximum: 1,
        default: 0.5,
      },
      open: duration('The time between two probes while it is open, more or less.', '1s'),
      longest: duration(
        'That time at most: it doubles while the vendor refuses the credential, and is as long as a slow probe took.',
        '5m',
      ),
      probes: {
        description:
          'Probes that may be in flight; each good one doubles it, and three close the circuit. Other requests go elsewhere.',
        type: 'integer',
        minimum: 1,
        default: 1,
      },
      slow: duration('A client that leaves after waiting for so long counts as a failure of the target.', '20s'),
    }),
    spareBelow: {
      description:
        'A target comes after the others while less than this share of a limit is left, by the headers of its vendor. 0: never.',
      type: 'number',
      minimum: 0,
      maximum: 1,
      default: 0.05,
    },
    routing: {
      description:
        'Which target comes first: as listed (order), by weight (weighted), or the one that has answered fastest (least-latency).',
      enum: routings,
      default: 'order',
    },
    sticky: {
      description:
        'A conversation stays with the credential and the target it began with while they are well, so that the prompt cache of the vendor is kept.',
      type: 'boolean',
      default: true,
    },
    models: {
      description: 'Other choices for some models, by id or pattern; the first that matches counts.',
      type: 'object',
      default: {},
      additionalProperties: {
        description: 'What is left out is as for all models.',
        type: 'object',
        additionalProperties: false,
        properties: {
          routing: { description: 'As above; `weighted` where there are weights.', enum: routings },
          sticky: { description: 'As above.', type: 'boolean' },
          weights: {
            description:
              'By the id of a target (<provider>/<model>) or the name of a provider; 1 where nothing is said. 0: only when no other is left. With them routing is `weighted`.',
            type: 'object',
            additionalProperties: {
              description: 'Its share of the conversations is this number by the sum of all.',
              type: 'number',
              minimum: 0,
            },
          },
        },
      },
    },
    adviseNoRetry: {
      description:
        'When everything has been tried in vain, tell SDKs not to try again by themselves (x-should-retry: false).',
      type: 'boolean',
      default: true,
    },
  } satisfies Record<keyof FailoverOptions, JsonObject>,
};
