import type { JsonObject } from '../../canonical/wire.ts';
import type { DraftLimit } from './draft.ts';
import { section, setting } from './section.ts';

const count = (description: string): JsonObject => setting(description, { type: 'integer', minimum: 1 });

const members = {
  requests: count('Requests in the window.'),
  tokens: count('Tokens in the window, input and output together.'),
  inputTokens: count('Input tokens in the window.'),
  outputTokens: count('Output tokens in the window.'),
  cost: setting('USD in a calendar window.', { type: 'number', exclusiveMinimum: 0 }),
  concurrent: count('Answers that are being made at once.'),
  per: setting(
    'The window: a sliding one of 1s to 31d (1m, 1h, 24h); for cost a calendar one: hour, day, week or month. ' +
      'Left out with concurrent alone.',
    {
      type: 'string',
      pattern: '^([0-9]+(\\.[0-9]+)?(ms|s|m|h|d)|hour|day|week|month)$',
      examples: ['1m', '24h', 'month'],
    },
  ),
  burst: count(
    'Choose a token bucket of this size, which is refilled at the rate of the limit. Left out: a sliding window.',
  ),
  soft: setting(
    'With cost: shares of the amount (0.8 is four fifths). ' +
      'When so much is spent the rate-limit plugin tells its webhook and the log, once in a window. ' +
      'All of it is told anyway.',
    {
      type: 'array',
      items: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
      minItems: 1,
      maxItems: 10,
      uniqueItems: true,
      examples: [[0.8, 0.95]],
    },
  ),
  models: setting('Only requests for these models count, as ids or patterns (openai/*). Empty: all.', {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    default: [],
  }),
  enforce: setting('false: what the limit would refuse is counted and logged, and goes through.', {
    type: 'boolean',
    default: true,
  }),
  onStoreFailure: setting(
    'What holds while Redis cannot be asked: ' +
      'this host counts by itself (local), the limit does not hold (allow), or 503 (deny). Left out: ' +
      'what the rate-limit plugin says.',
    {
      enum: ['local', 'allow', 'deny'],
    },
  ),
} satisfies Record<keyof DraftLimit, JsonObject>;

export const limitMembers: ReadonlySet<string> = new Set(Object.keys(members));

/**
 * One limit: exactly one unit, and how long its window is. What of it goes with what is checked by `limit-rules.ts`.
 */
export const limitSchema: JsonObject = section(
  'A limit. Give one of requests, tokens, inputTokens, outputTokens, cost and concurrent.',
  members,
);

/** A list of limits. */
export const limits = (description: string): JsonObject =>
  setting(description, { type: 'array', items: { $ref: '#/definitions/limit' } });
