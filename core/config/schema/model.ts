import type { JsonObject } from '../../canonical/wire.ts';
import type { CapabilityOverrides } from '../../contracts/capabilities.ts';
import type { DraftModel, DraftTarget } from './draft.ts';
import { optional, section, setting } from './section.ts';
import { modelTimeouts } from './timeouts.ts';

const flag = (description: string): JsonObject => setting(description, { type: 'boolean' });
const tokens = (description: string): JsonObject => setting(description, { type: 'integer', minimum: 1 });

const capabilities = optional(
  section('What the model can do, where the shipped data is wrong or knows nothing. What is left out is permitted.', {
    efforts: setting(
      'Reasoning efforts the model takes, weakest first. An empty list: it does not reason on request.',
      { type: 'array', items: { type: 'string' } },
    ),
    thinking: setting('How thinking is asked for: not at all, by a token budget, or by letting the model decide.', {
      enum: ['none', 'budget', 'adaptive'],
    }),
    minBudget: setting('Fewest tokens of a thinking budget.', { type: 'integer', minimum: 0 }),
    maxBudget: tokens('Most tokens of a thinking budget.'),
    thinkingOff: flag('false: thinking cannot be switched off.'),
    thinksUnasked: flag('false: the model thinks only where the request asks for it.'),
    sampling: flag('false: temperature, top_p and top_k are refused even at their defaults.'),
    maxTemperature: setting('The highest temperature taken; above it the value is lowered to it.', {
      type: 'number',
      minimum: 0,
    }),
    temperatureWithTopP: flag('false: temperature and top_p may not be sent together.'),
    stop: flag('false: stop sequences are refused.'),
    choices: flag('false: one answer per call.'),
    json: flag('false: no free-form JSON mode.'),
    schema: flag('false: no JSON Schema output.'),
    jsonWithTools: flag('false: structured output and tools exclude each other.'),
    prefill: flag('false: a last assistant turn is refused.'),
    forcedTool: setting(
      'false: a tool call cannot be forced. not-with-thinking: only while the model does not think.',
      { enum: [true, false, 'not-with-thinking'] },
    ),
    customTools: flag('false: tools take JSON only; free-text tools are rewritten.'),
    mediaUrls: flag('false: media must be sent as bytes.'),
    midSystem: flag('false: system turns may only lead.'),
    vision: flag('false: images are refused.'),
    documents: flag('false: documents (PDF) are refused.'),
    audio: flag('false: audio is refused.'),
    video: flag('false: video is refused.'),
    mediaOutput: flag(
      'true: answers hold images or audio, so that the first event of a stream may have 8 MB instead of 1 MB.',
    ),
    cacheMarks: setting(
      'Lifetimes of the prompt cache breakpoints that a request may carry, shortest first. Left out: ' +
        'it can carry none.',
      { type: 'array', items: { enum: ['5m', '30m', '1h', '12h'] } },
    ),
    maxOutput: tokens('Most tokens one answer may have.'),
    contextTokens: tokens('Input and output together, in tokens.'),
  } satisfies Record<keyof CapabilityOverrides, JsonObject>),
);

const target = section(
  'Somewhere to send requests for the model.',
  {
    provider: setting('A name under providers.', { type: 'string', minLength: 1 }),
    model: setting('The name of the model at the provider.', { type: 'string', minLength: 1 }),
    wire: setting('The wire to speak there. Left out: the one the client wires, if the provider speaks it too.', {
      type: 'string',
      minLength: 1,
    }),
    price: setting("What its tokens cost, in USD per million. Left out: the model's price.", {
      $ref: '#/definitions/price',
    }),
  } satisfies Record<keyof DraftTarget, JsonObject>,
  ['provider', 'model'],
);

export const unpricedPolicy: JsonObject = { enum: ['allow', 'warn', 'reject'] };

export const modelSchema = section(
  'A model of the catalog.',
  {
    wires: setting('Client wires that may name the model. Left out: all but responses.', {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { type: 'string', minLength: 1 },
    }),
    targets: setting('Where requests go, in failover order.', { type: 'array', minItems: 1, items: target }),
    capabilities,
    promptCache: setting(
      'Place prompt cache breakpoints of this lifetime (the nearest that the target has) where the client has ' +
        'set none and speaks another wire than the target: ' +
        'on the last tool, the system prompt and the last two user turns. ' +
        'Writing the cache costs more, reading it much less. Left out: none are placed.',
      { enum: ['5m', '30m', '1h', '12h'] },
    ),
    timeouts: modelTimeouts,
    price: setting(
      'What its tokens cost, in USD per million, wherever a target has no price of its own. Left out: ' +
        'unknown, which is never taken for free.',
      { $ref: '#/definitions/price' },
    ),
    unpriced: setting(
      'What becomes of targets without a price: allow, warn or reject. Left out: what `unpriced` says for all.',
      unpricedPolicy,
    ),
  } satisfies Record<keyof DraftModel, JsonObject>,
  ['targets'],
);
