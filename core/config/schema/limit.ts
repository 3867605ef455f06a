import type { JsonObject } from '../../canonical/wire.ts';
import type { DraftLimit } from './draft.ts';
import { TAG_NAME } from '../units/tags.ts';
import { section, setting } from './section.ts';

const count = (description: string): JsonObject => setting(description, { type: 'integer', minimum: 1 });

const members = {
  requests: count('Requests per window.'),
  tokens: count('Input and output tokens per window.'),
  inputTokens: count('Input tokens per window.'),
  outputTokens: count('Output tokens per window.'),
  images: count('Generated images per window.'),
  seconds: count('Seconds of transcribed audio per window.'),
  characters: count('Characters of text that is spoken per window.'),
  cost: setting('Cost in USD per calendar period.', { type: 'number', exclusiveMinimum: 0 }),
  concurrent: count('Responses in progress at the same time.'),
  per: setting(
    'The window: for cost a calendar period (hour, day, week or month), for other units a sliding window from ' +
      '1s to 31d (1m, 1h, 24h). Must be left out with concurrent.',
    {
      type: 'string',
      pattern: '^([0-9]+(\\.[0-9]+)?(ms|s|m|h|d)|hour|day|week|month)$',
      examples: ['1m', '24h', 'month'],
    },
  ),
  burst: count('Use a token bucket of this size, refilled at the rate of the limit. Default: a sliding window.'),
  soft: setting(
    'For cost: shares of the amount (0.8 is four fifths) at which an alert is sent, once per ' +
      'period. Default: only for the full amount, which always sends an alert.',
    {
      type: 'array',
      items: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
      minItems: 1,
      maxItems: 10,
      uniqueItems: true,
      examples: [[0.8, 0.95]],
    },
  ),
  models: setting('Only requests for these models count, as ids or patterns (openai/*). Empty: all models.', {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    default: [],
  }),
  each: setting(
    'user: each end user has a count of its own; tag:team: each value of the tag team. Requests without one are not ' +
      'counted. Default: all requests share one count.',
    { type: 'string', pattern: `^(user|tag:${TAG_NAME.source.slice(1, -1)})$`, examples: ['user', 'tag:team'] },
  ),
  enforce: setting('false: requests above the limit are counted and logged, but not refused.', {
    type: 'boolean',
    default: true,
  }),
  onStoreFailure: setting(
    'What to do while Redis is unavailable: ' +
      'local counts on this host alone, allow does not enforce the limit, deny refuses requests with 503. ' +
      'Default: the setting of the rate-limit plugin.',
    { enum: ['local', 'allow', 'deny'] },
  ),
} satisfies Record<keyof DraftLimit, JsonObject>;

export const limitMembers: ReadonlySet<string> = new Set(Object.keys(members));

/** One limit. `limit-rules.ts` checks which settings can be combined. */
export const limitSchema: JsonObject = section(
  'A limit. Give one of requests, tokens, inputTokens, outputTokens, images, seconds, characters, cost and concurrent.',
  members,
);

/** A list of limits. */
export const limits = (description: string): JsonObject =>
  setting(description, { type: 'array', items: { $ref: '#/definitions/limit' } });
