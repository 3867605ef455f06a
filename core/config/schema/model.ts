import type { JsonObject } from '../../canonical/wire.ts';
import type { AgentBound, CapabilityOverrides } from '../../contracts/capabilities.ts';
import type { DraftModel, DraftTarget } from './draft.ts';
import type { WrittenDefaults } from '../defaults-config.ts';
import { hostedToolsSetting, toolKinds } from './hosted-tools.ts';
import { priceFactor } from './price.ts';
import { optional, section, setting } from './section.ts';
import { modelTimeouts } from './timeouts.ts';

const flag = (description: string): JsonObject => setting(description, { type: 'boolean' });
const tokens = (description: string): JsonObject => setting(description, { type: 'integer', minimum: 1 });

/** Members that the gateway sets itself, or by which requests are limited and routed. */
export const ownMembers: readonly string[] = [
  'model',
  'stream',
  'stream_options',
  'n',
  'background',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
];

const capabilities = optional(
  section(
    'What the model supports, where the shipped data is wrong or incomplete. Anything left out is taken as supported.',
    {
      efforts: setting('Supported reasoning efforts, weakest first. Empty: a request cannot ask for reasoning.', {
        type: 'array',
        items: { type: 'string' },
      }),
      thinking: setting(
        'How a request asks for thinking: ' +
          'not at all (none), by a token budget (budget), or by leaving it to the model (adaptive).',
        { enum: ['none', 'budget', 'adaptive'] },
      ),
      minBudget: setting('The smallest thinking budget in tokens.', { type: 'integer', minimum: 0 }),
      maxBudget: tokens('The largest thinking budget in tokens.'),
      thinkingOff: flag('false: thinking cannot be turned off.'),
      thinksUnasked: flag(
        'false: the model thinks only when the request enables it. true: it thinks unless the request forbids it.',
      ),
      sampling: flag('false: temperature, top_p and top_k are refused, even with their default values.'),
      maxTemperature: setting('The highest supported temperature. Higher values are lowered to it.', {
        type: 'number',
        minimum: 0,
      }),
      temperatureWithTopP: flag('false: temperature and top_p cannot be combined.'),
      stop: flag('false: stop sequences are refused.'),
      choices: flag('false: only one choice per call.'),
      logprobs: flag('false: a request for the log probabilities of tokens is refused.'),
      json: flag('false: no JSON mode without a schema.'),
      schema: flag('false: no structured output by a JSON Schema.'),
      jsonWithTools: flag('false: structured output and tools cannot be combined.'),
      prefill: flag('false: a final assistant turn is refused.'),
      forcedTool: setting(
        'false: tool calls cannot be forced. not-with-thinking: only while the model does not think.',
        { enum: [true, false, 'not-with-thinking'] },
      ),
      customTools: flag('false: only tools with JSON input are supported; free-text tools are rewritten.'),
      mediaUrls: flag('false: media must be sent as bytes.'),
      midSystem: flag('false: system turns are supported only at the beginning.'),
      vision: flag('false: images are refused.'),
      documents: flag('false: documents (PDF) are refused.'),
      audio: flag('false: audio is refused.'),
      video: flag('false: video is refused.'),
      mediaOutput: flag(
        'true: responses can contain images or audio, so the first event of a stream can have 8 MB instead of 1 MB.',
      ),
      webSearch: setting(
        'true: the vendor can search the web for the model. without-tools: only if the request has no other tools. ' +
          'Default: it cannot.',
        { enum: [true, false, 'without-tools'] },
      ),
      cacheMarks: setting(
        'Supported lifetimes of prompt cache breakpoints, shortest first. Default: breakpoints are not supported.',
        { type: 'array', items: { enum: ['5m', '30m', '1h', '12h'] } },
      ),
      maxOutput: tokens('The largest number of output tokens.'),
      contextTokens: tokens('The context size: input and output tokens together.'),
      agent: section(
        'The target is an agent of the vendor, which requests name as agent instead of model. Limits reserve these ' +
          'tokens as a whole, since a request of an agent has no bound of its own. An agent needs a price.',
        {
          inputTokens: tokens('The most input tokens of a run, in all of its own calls.'),
          outputTokens: tokens('The most output tokens of a run, with its thoughts.'),
        } satisfies Record<keyof AgentBound, JsonObject>,
        ['inputTokens', 'outputTokens'],
      ),
    } satisfies Record<keyof CapabilityOverrides, JsonObject>,
  ),
);

const defaults = section(
  'Set in generation requests where the client sets nothing, on any wire. Written for each target as it can take ' +
    'them; what it cannot take is left out.',
  {
    max_tokens: tokens('The largest number of output tokens.'),
    temperature: setting('The temperature.', { type: 'number', minimum: 0 }),
    top_p: setting('The probability mass of nucleus sampling.', { type: 'number', minimum: 0, maximum: 1 }),
    top_k: tokens('The number of tokens to sample from.'),
    seed: setting('The seed of sampling.', { type: 'integer' }),
    presence_penalty: setting('The presence penalty.', { type: 'number' }),
    frequency_penalty: setting('The frequency penalty.', { type: 'number' }),
    stop: setting('Stop sequences.', { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } }),
    reasoning: section('How much the model reasons, where the request asks for no effort and no budget.', {
      effort: setting('The effort. none: the model does not reason. Default: that of the model.', {
        enum: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
      }),
      budget: setting('The largest number of reasoning tokens. 0: the model does not reason. Default: none.', {
        type: 'integer',
        minimum: 0,
      }),
    }),
    body: setting(
      'Members of the body that is sent to the target, where it has none of that name. They are not translated, and ' +
        'limits do not know them.',
      { type: 'object', propertyNames: { not: { enum: ownMembers } } },
    ),
  } satisfies Record<keyof WrittenDefaults, JsonObject>,
);

const target = section(
  'A provider, and a model there, that requests can be sent to.',
  {
    provider: setting('A name under providers.', { type: 'string', minLength: 1 }),
    model: setting('The name of the model at the provider.', { type: 'string', minLength: 1 }),
    wire: setting('The wire for calls to this target. Default: the wire of the client, if the provider supports it.', {
      type: 'string',
      minLength: 1,
    }),
    price: setting('Prices in USD per million tokens. Default: the price of the model.', {
      $ref: '#/definitions/price',
    }),
  } satisfies Record<keyof DraftTarget, JsonObject>,
  ['provider', 'model'],
);

export const unpricedPolicy: JsonObject = { enum: ['allow', 'warn', 'reject'] };

export const modelSchema = section(
  'A model of the catalog.',
  {
    wires: setting('Client wires on which the model is available. Default: all but responses.', {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { type: 'string', minLength: 1 },
    }),
    targets: setting('Where requests go, in failover order.', { type: 'array', minItems: 1, items: target }),
    capabilities,
    defaults,
    promptCache: setting(
      'Adds prompt cache breakpoints with this lifetime (or the nearest that the target supports) to requests ' +
        'that have none and are translated to another wire: ' +
        'on the last tool, the system prompt and the last two user turns. ' +
        'Writing to the cache costs more, reading from it much less. Default: none are added.',
      { enum: ['5m', '30m', '1h', '12h'] },
    ),
    hostedTools: hostedToolsSetting('Default of the policy: drop for codingAgents, refuse for other clients.'),
    timeouts: modelTimeouts,
    price: setting(
      'Prices in USD per million tokens, for targets without their own. Default: ' +
        'the list price that the provider ships, or else unknown, which is never treated as free.',
      { $ref: '#/definitions/price' },
    ),
    priceFactor: priceFactor('the prices of its targets, in addition to that of the provider'),
    unpriced: setting(
      'What to do with targets that have no price: allow, warn or reject. Under a limit of cost they are used only ' +
        'with allow, written here; what they cost does not count there. Default: the top-level setting unpriced.',
      unpricedPolicy,
    ),
    unpricedTools: toolKinds(
      'Hosted tools that can be used under a limit of cost although they have no price. What they cost does not ' +
        'count. Default: the top-level setting unpricedTools.',
    ),
  } satisfies Record<keyof DraftModel, JsonObject>,
  ['targets'],
);
