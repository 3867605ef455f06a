import { expect } from 'chai';
import { generation } from '../answers/generation.ts';
import type { Json } from '../lines.ts';
import type { GenerationWire } from '../wires.ts';
import { holdLines } from './hold.ts';
import { makeLines } from './made-lines.ts';

interface FieldCase {
  readonly name: string;
  readonly usage: Json;
  /** Members of the response beside the usage, or of Google's candidate. */
  readonly members?: Json;
  readonly model?: string;
}

const prompt = { prompt_tokens: 1_000, completion_tokens: 200, total_tokens: 1_200 };
const chat: readonly FieldCase[] = [
  {
    name: 'cached, audio, image and video tokens, and cache writes of 12 hours',
    usage: {
      ...prompt,
      prompt_tokens_details: {
        cached_tokens: 300,
        audio_tokens: 60,
        image_tokens: 50,
        video_tokens: 40,
        cache_write_tokens: 90,
        cache_write_tokens_details: { ttl_30m_tokens: 20, ttl_12h_tokens: 70 },
      },
      completion_tokens_details: { reasoning_tokens: 80, audio_tokens: 30, image_tokens: 20 },
    },
  },
  ...['flex', 'priority', 'fast', 'ultrafast'].map((tier) => ({
    name: `service_tier ${tier}`,
    usage: { ...prompt, prompt_tokens_details: { cached_tokens: 100 } },
    members: { service_tier: tier },
  })),
  {
    name: 'reasoning beside the completion (xAI)',
    usage: { ...prompt, total_tokens: 1_280, completion_tokens_details: { reasoning_tokens: 80 } },
  },
  {
    name: 'more reasoning than completion (Vercel)',
    usage: {
      ...prompt,
      completion_tokens: 20,
      total_tokens: 1_020,
      completion_tokens_details: { reasoning_tokens: 80 },
    },
  },
  {
    name: 'prompt_cache_hit_tokens (DeepSeek)',
    usage: { ...prompt, prompt_cache_hit_tokens: 640, prompt_cache_miss_tokens: 360 },
  },
  { name: 'cached_tokens at the top (Moonshot)', usage: { ...prompt, cached_tokens: 512 } },
  { name: 'num_search_queries (Perplexity)', usage: { ...prompt, num_search_queries: 2 } },
];

const tokens = { input_tokens: 100, output_tokens: 10 };
const none = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
const anthropic: readonly FieldCase[] = [
  {
    name: 'cache writes of both lifetimes',
    usage: {
      ...tokens,
      cache_read_input_tokens: 5_000,
      cache_creation_input_tokens: 900,
      cache_creation: { ephemeral_5m_input_tokens: 300, ephemeral_1h_input_tokens: 600 },
      output_tokens_details: { thinking_tokens: 4 },
    },
  },
  {
    name: 'a compaction of 183,600 tokens',
    usage: {
      ...tokens,
      iterations: [
        { type: 'compaction', input_tokens: 180_000, output_tokens: 3_600, ...none },
        { type: 'message', ...tokens, ...none },
      ],
    },
  },
  {
    name: 'an advisor of another model',
    usage: {
      ...tokens,
      iterations: [
        { type: 'message', ...tokens, ...none },
        { type: 'advisor_message', model: 'claude-opus-4-8', input_tokens: 2_500, output_tokens: 99, ...none },
      ],
    },
  },
  {
    name: 'a fallback, and a model that declined',
    usage: {
      ...tokens,
      iterations: [
        { type: 'message', model: 'claude-fable-5', input_tokens: 98, output_tokens: 0, ...none },
        { type: 'fallback_message', model: 'claude-opus-4-8', ...tokens, ...none },
      ],
    },
  },
  {
    name: 'searches, fetches and a region',
    usage: {
      ...tokens,
      server_tool_use: { web_search_requests: 3, web_fetch_requests: 2 },
      inference_geo: 'us',
      service_tier: 'priority',
    },
  },
  {
    name: 'cached input that Bedrock reports at the end',
    usage: { input_tokens: 4_995, output_tokens: 10 },
    members: {
      'amazon-bedrock-invocationMetrics': {
        inputTokenCount: 2,
        outputTokenCount: 9,
        cacheReadInputTokenCount: 4_793,
        cacheWriteInputTokenCount: 200,
      },
    },
  },
  { name: 'fast mode', usage: { ...tokens, speed: 'fast' } },
];

const input = { input_tokens: 1_000, output_tokens: 200, total_tokens: 1_200 };
/** Three searches; a failed one, two calls that read pages, and one that does not say what it was, are free. */
const calls: readonly Json[] = [
  ...[1, 2, 3].map((number) => ({ action: { type: 'search', query: `number ${number}` } })),
  { status: 'failed', action: { type: 'search', query: 'number 4' } },
  { action: { type: 'open_page', url: 'https://example.com' } },
  { action: { type: 'find_in_page', url: 'https://example.com', pattern: 'one' } },
  {},
].map((members, index) => ({ type: 'web_search_call', id: `ws_${index}`, status: 'completed', ...members }));
const responses: readonly FieldCase[] = [
  {
    name: 'cached tokens, cache writes and reasoning',
    usage: {
      ...input,
      input_tokens_details: {
        cached_tokens: 300,
        cache_write_tokens: 90,
        cache_write_tokens_details: { ttl_30m_tokens: 20, ttl_12h_tokens: 70 },
      },
      output_tokens_details: { reasoning_tokens: 80 },
    },
    members: { service_tier: 'ultrafast' },
  },
  {
    name: 'more reasoning than output',
    usage: { ...input, output_tokens: 20, total_tokens: 1_020, output_tokens_details: { reasoning_tokens: 80 } },
  },
  {
    name: 'searches and generated images',
    usage: input,
    members: {
      tools: [{ type: 'image_generation', model: 'gpt-image-9' }],
      tool_usage: {
        web_search: { num_requests: 3 },
        image_gen: {
          input_tokens: 70,
          input_tokens_details: { image_tokens: 20, text_tokens: 50 },
          output_tokens: 1_056,
          output_tokens_details: { image_tokens: 1_056, text_tokens: 0 },
          total_tokens: 1_126,
        },
      },
    },
  },
  { name: 'three searches that no report counts', usage: input, members: { output: calls } },
  {
    name: 'three searches that the report counts as well',
    usage: input,
    members: { output: calls, tool_usage: { web_search: { num_requests: 3 } } },
  },
  {
    name: 'three searches that a vendor counts in its usage',
    usage: { ...input, server_side_tool_usage_details: { web_search_calls: 3, image_generation_calls: 1 } },
    members: { output: calls },
  },
  {
    name: 'tools of xAI',
    usage: {
      ...input,
      server_side_tool_usage_details: { web_search_calls: 2, x_search_calls: 1, image_generation_calls: 1 },
    },
  },
];

const counted = { promptTokenCount: 1_000, candidatesTokenCount: 200, totalTokenCount: 1_200 };
const modality = (kind: string, tokenCount: number): Json => ({ modality: kind, tokenCount });
const google: readonly FieldCase[] = [
  {
    name: 'every modality, tools and thoughts',
    usage: {
      promptTokenCount: 1_000,
      cachedContentTokenCount: 300,
      toolUsePromptTokenCount: 77,
      candidatesTokenCount: 200,
      thoughtsTokenCount: 80,
      totalTokenCount: 1_357,
      promptTokensDetails: ['TEXT', 'AUDIO', 'IMAGE', 'VIDEO', 'DOCUMENT'].map((kind) => modality(kind, 200)),
      cacheTokensDetails: [modality('AUDIO', 150), modality('VIDEO', 150)],
      candidatesTokensDetails: [modality('AUDIO', 40), modality('IMAGE', 60), modality('TEXT', 100)],
    },
  },
  ...['ON_DEMAND_FLEX', 'ON_DEMAND_PRIORITY'].map((trafficType) => ({
    name: `trafficType ${trafficType}`,
    usage: { ...counted, trafficType },
  })),
  ...['gemini-2.5-flash', 'gemini-3-flash'].map((model) => ({
    name: `searches of ${model}`,
    model,
    usage: counted,
    members: { groundingMetadata: { webSearchQueries: ['', 'one', 'two', 'one'] } },
  })),
];

const interaction = { total_input_tokens: 1_000, total_output_tokens: 200, total_tokens: 1_200 };
const tokensOf = (kind: string, count: number): Json => ({ modality: kind, tokens: count });
const search = (...queries: readonly string[]): Json => ({
  type: 'google_search_call',
  id: 'search_1',
  arguments: { queries },
});
const interactions: readonly FieldCase[] = [
  {
    name: 'thoughts beside the output',
    usage: { ...interaction, total_thought_tokens: 300, total_tokens: 1_500 },
  },
  {
    name: 'more thoughts than output, and cached tokens',
    usage: {
      ...interaction,
      total_cached_tokens: 400,
      total_output_tokens: 13,
      total_thought_tokens: 220,
      total_tokens: 1_233,
    },
  },
  {
    name: 'prompts of tools beside the input',
    usage: {
      ...interaction,
      total_tool_use_tokens: 198,
      tool_use_tokens_by_modality: [tokensOf('text', 98), tokensOf('image', 100)],
      total_tokens: 1_398,
    },
  },
  {
    name: 'every modality',
    usage: {
      ...interaction,
      input_tokens_by_modality: ['text', 'audio', 'image', 'video', 'document'].map((kind) => tokensOf(kind, 200)),
      total_cached_tokens: 300,
      cached_tokens_by_modality: [tokensOf('audio', 150), tokensOf('video', 150)],
      output_tokens_by_modality: [tokensOf('audio', 40), tokensOf('image', 60), tokensOf('text', 100)],
      total_thought_tokens: 80,
      total_tokens: 1_280,
    },
  },
  ...['flex', 'priority', 'standard'].map((tier) => ({
    name: `service_tier ${tier}`,
    usage: { ...interaction, total_cached_tokens: 100, total_thought_tokens: 50 },
    members: { service_tier: tier },
  })),
  ...['gemini-2.5-flash', 'gemini-3-flash'].flatMap((model) => [
    {
      name: `searches that ${model} counts`,
      model,
      usage: {
        ...interaction,
        grounding_tool_count: [
          { type: 'google_search', count: 3 },
          { type: 'google_maps', count: 2 },
        ],
      },
      members: { steps: [search('one')] },
    },
    {
      name: `queries of ${model}, which no usage counts`,
      model,
      usage: interaction,
      members: { steps: [search('', 'one', 'two'), search('one')] },
    },
  ]),
];

const cases: readonly (readonly [wire: GenerationWire, model: string, cases: readonly FieldCase[]])[] = [
  ['chat-completions', 'gpt-4.1', chat],
  ['messages', 'claude-sonnet-5', anthropic],
  ['responses', 'gpt-4.1', responses],
  ['generate-content', 'gemini-3-flash', google],
  ['interactions', 'gemini-3-flash', interactions],
];

describe('the costs of usage objects', function () {
  this.timeout(60_000);

  for (const [wire, usual, found] of cases)
    for (const { name, usage, members, model = usual } of found)
      it(`the gateway charges what the vendor bills, on every client wire: ${wire} with ${name}`, async () => {
        const lines = makeLines(wire, model, usage, members);
        expect(await holdLines(generation, wire, lines)).to.equal(lines.length * generation.wires.length);
      });
});
