import type { JsonObject } from '../../../core/api/index.ts';
import { duration } from '../../shared/settings.ts';

export type Routing = 'order' | 'weighted' | 'least-latency';

/** How the targets of some models are ordered. An absent member is as for all models. */
export interface ModelOptions {
  readonly routing?: Routing;
  readonly sticky?: boolean;
  /** By the id of a target or the name of a provider. */
  readonly weights?: Readonly<Record<string, number>>;
}

/** The plugin's `config`, validated and with defaults. */
export interface FailoverOptions {
  readonly retries: number;
  readonly attempts: number;
  readonly deadline: string;
  readonly moveOn: {
    readonly streamed: string;
    readonly plain: string;
    readonly times: number;
    readonly least: { readonly streamed: string; readonly plain: string };
  };
  readonly wait: string;
  readonly backoff: { readonly base: string; readonly cap: string };
  readonly budget: { readonly share: number; readonly free: number };
  readonly cooldown: { readonly rateLimit: string; readonly quota: string };
  readonly circuit: {
    readonly window: string;
    readonly calls: number;
    readonly failures: number;
    readonly consecutive: number;
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

const count = (description: string, bounds: JsonObject): JsonObject => ({ description, type: 'integer', ...bounds });

const figure = (description: string, bounds: JsonObject): JsonObject => ({ description, type: 'number', ...bounds });

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
  description: 'Tries the next credential or target when one fails, and uses those that fail last.',
  additionalProperties: false,
  properties: {
    retries: count(
      'Retries of the same target with the same credential, after failures that a retry can help ' +
        '(docs/operate/failover.md).',
      { minimum: 0, maximum: 5, default: 1 },
    ),
    attempts: count('The most calls for one request, over all targets.', { minimum: 1, maximum: 32, default: 8 }),
    deadline: duration(
      'A response that has not begun by then is cancelled, even if targets are left. Streams that have begun continue.',
      '900s',
    ),
    moveOn: group(
      'While another target is left, an attempt whose response has not begun by then is ended, and the next target ' +
        'is tried; after half of the remaining deadline at the latest.',
      {
        streamed: duration('For streamed responses, until their first content.', '120s'),
        plain: duration(
          'For responses that are not streamed: they arrive as a whole, and reasoning models take minutes.',
          '300s',
        ),
        times: figure(
          'Moves on earlier than that: after this many times the 99th percentile of the latest 100 responses of ' +
            'the target, once 50 are known. 0: never.',
          { minimum: 0, default: 4 },
        ),
        least: group('The earliest that `times` can make it.', {
          streamed: duration('For streamed responses.', '15s'),
          plain: duration('For responses that are not streamed.', '60s'),
        }),
      },
    ),
    wait: duration(
      'How long a request waits while every target of its model refuses calls. Then it is refused with the error of ' +
        'the providers.',
      '2s',
    ),
    backoff: group(
      'The pause before a retry of the same target: random, up to `base`, doubled with each retry, up to `cap`.',
      {
        base: duration('The longest pause before the first retry.', '250ms'),
        cap: duration('The longest pause before any retry.', '5s'),
      },
    ),
    budget: group('Limits the load of retries of the same target. Other targets are not limited.', {
      share: figure('Retries per request, on average over recent requests.', { minimum: 0, maximum: 1, default: 0.2 }),
      free: count('The most retries that can be saved up; a process starts with as many.', { minimum: 0, default: 10 }),
    }),
    cooldown: group('How long a credential is used for a model only if no other target is left.', {
      rateLimit: duration('After a 429 without a retry-after; a retry-after counts up to 60s.', '10s'),
      quota: duration('After the vendor has reported that the quota or the balance is spent.', '10m'),
    }),
    circuit: group('When a credential is not used for a model because its calls fail.', {
      window: duration('How long a call counts as recent.', '30s'),
      calls: count('With fewer recent calls than this no circuit opens by their share of failures.', {
        minimum: 1,
        default: 10,
      }),
      failures: figure('The share of failures among recent calls that opens it.', {
        exclusiveMinimum: 0,
        maximum: 1,
        default: 0.5,
      }),
      consecutive: count(
        'This many failures in a row open it as well, however many calls succeeded before. 0: only the share counts.',
        { minimum: 0, default: 5 },
      ),
      open: duration('The approximate time between two probes while it is open.', '1s'),
      longest: duration(
        'The most that time becomes: while the vendor refuses the credential it is an eighth of the time since the ' +
          'first refusal, and it is at least as long as the last probe took.',
        '5m',
      ),
      probes: count(
        'Probes in flight at once. Each good one doubles the number, and three close the circuit. Other requests ' +
          'go elsewhere.',
        { minimum: 1, default: 1 },
      ),
      slow: duration('A client that leaves after waiting this long counts as a failure of the target.', '20s'),
    }),
    spareBelow: figure(
      'A target comes after the others while less than this share of a limit is left, by the headers of its ' +
        'vendor. 0: never.',
      { minimum: 0, maximum: 1, default: 0.05 },
    ),
    routing: {
      description:
        'Which target comes first: as listed (order), by weight (weighted), or the one with the fastest recent ' +
        'responses (least-latency).',
      enum: routings,
      default: 'order',
    },
    sticky: {
      description:
        'A conversation stays with its credential and target while they are ready, so that the prompt cache of the ' +
        'vendor is used.',
      type: 'boolean',
      default: true,
    },
    models: {
      description: 'Other settings for some models, by id or pattern; the first that matches counts.',
      type: 'object',
      default: {},
      additionalProperties: {
        description: 'A setting that is left out is as for all models.',
        type: 'object',
        additionalProperties: false,
        properties: {
          routing: { description: 'As above; `weighted` if there are weights.', enum: routings },
          sticky: { description: 'As above.', type: 'boolean' },
          weights: {
            description:
              'By the id of a target (<provider>/<model>) or the name of a provider; 1 for any other. 0: only if no ' +
              'other is left. With weights the routing is `weighted`.',
            type: 'object',
            additionalProperties: {
              description: 'Its share of the conversations is this number divided by the sum of all.',
              type: 'number',
              minimum: 0,
            },
          },
        },
      },
    },
    adviseNoRetry: {
      description:
        'When every attempt has failed, sends x-should-retry: false, so that SDKs do not retry by themselves.',
      type: 'boolean',
      default: true,
    },
  } satisfies Record<keyof FailoverOptions, JsonObject>,
};
