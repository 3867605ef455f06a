import type { Scene } from '../support/scene.ts';
import { goodDay } from '../matrix/sample-bodies.ts';
import type { VendorAnswers } from '../matrix/vendors/vendors.ts';
import { consult, startOracle, type OracleCase } from './oracle.ts';
import { answer } from './scripted.ts';

const refusal: VendorAnswers = {
  ...goodDay,
  chat: { message: { content: null, refusal: 'I cannot.' }, finish: 'stop' },
  messages: { content: [{ type: 'text', text: 'I cannot.' }], finish: 'refusal' },
};
const filtered: VendorAnswers = {
  ...goodDay,
  chat: { message: { content: 'Goo' }, finish: 'content_filter' },
  google: { parts: [], finish: 'SAFETY' },
};
const chatUsage = { prompt_tokens: 50, completion_tokens: 20, total_tokens: 70 };

/** Estimates: the 9 characters of `Good day.` are 3 tokens, and the input is 100. */
const cases: readonly OracleCase[] = [
  // Cache writes.
  {
    name: 'a total of cache writes without a split counts as writes for five minutes',
    client: 'messages',
    model: 'plain/messages',
    answers: [answer({ usage: { input_tokens: 10, cache_creation_input_tokens: 300, output_tokens: 5 } })],
    usage: { inputUncached: 10, cacheWrite5m: 300, output: 5 },
    nano: 20_000n + 750_000n + 50_000n,
    shown: { input_tokens: 10, cache_creation_input_tokens: 300, output_tokens: 5 },
  },
  {
    name: 'the remainder of a total of cache writes beyond its split counts as writes for five minutes',
    client: 'chat',
    model: 'plain/messages',
    answers: [
      answer({
        usage: {
          input_tokens: 10,
          cache_creation_input_tokens: 300,
          cache_creation: { ephemeral_1h_input_tokens: 100 },
          output_tokens: 5,
        },
      }),
    ],
    usage: { inputUncached: 10, cacheWrite5m: 200, cacheWrite1h: 100, output: 5 },
    nano: 20_000n + 500_000n + 400_000n + 50_000n,
    shown: { prompt_tokens: 310, completion_tokens: 5, total_tokens: 315 },
  },
  {
    name: 'a split of cache writes counts without a total',
    client: 'google',
    model: 'plain/messages',
    answers: [
      answer({
        usage: {
          input_tokens: 10,
          cache_creation: { ephemeral_5m_input_tokens: 7, ephemeral_1h_input_tokens: 3 },
          output_tokens: 5,
        },
      }),
    ],
    usage: { inputUncached: 10, cacheWrite5m: 7, cacheWrite1h: 3, output: 5 },
    nano: 20_000n + 17_500n + 12_000n + 50_000n,
    shown: { promptTokenCount: 20, candidatesTokenCount: 5, totalTokenCount: 25 },
  },
  {
    name: 'figures from the start of a stream hold when its end omits them',
    client: 'chat',
    model: 'plain/messages',
    stream: true,
    request: { stream_options: { include_usage: true } },
    answers: [
      answer({
        begun: { input_tokens: 10, cache_read_input_tokens: 40, cache_creation_input_tokens: 20, output_tokens: 1 },
        usage: { output_tokens: 8, cache_read_input_tokens: null },
      }),
    ],
    usage: { inputUncached: 10, cacheRead: 40, cacheWrite5m: 20, output: 8 },
    nano: 20_000n + 20_000n + 50_000n + 80_000n,
    shown: { prompt_tokens: 70, completion_tokens: 8, total_tokens: 78 },
  },
  {
    name: 'the last of several cumulative figures of a stream counts',
    client: 'messages',
    model: 'plain/google',
    stream: true,
    answers: [
      answer({
        begun: { promptTokenCount: 9, candidatesTokenCount: 2, totalTokenCount: 11 },
        usage: { promptTokenCount: 9, candidatesTokenCount: 6, totalTokenCount: 15 },
      }),
    ],
    usage: { inputUncached: 9, output: 6 },
    nano: 18_000n + 60_000n,
    shown: { input_tokens: 9, output_tokens: 6 },
  },
  {
    name: 'cached tokens are read from the fields of other vendors of the wire',
    client: 'messages',
    model: 'plain/chat',
    answers: [answer({ usage: { ...chatUsage, prompt_cache_hit_tokens: 40, prompt_cache_miss_tokens: 10 } })],
    usage: { inputUncached: 10, cacheRead: 40, output: 20 },
    nano: 20_000n + 20_000n + 200_000n,
    shown: { input_tokens: 10, cache_read_input_tokens: 40, output_tokens: 20 },
  },

  // Missing usage.
  ...(['chat', 'messages', 'responses', 'google'] as const).flatMap((vendor): readonly OracleCase[] => [
    {
      name: `a plain answer of ${vendor} without usage is estimated`,
      client: vendor,
      model: `plain/${vendor}`,
      answers: [answer({})],
      usage: { inputUncached: 100, output: 3, source: 'estimated' },
      nano: 200_000n + 30_000n,
    },
    {
      name: `a stream of ${vendor} without usage is estimated`,
      client: 'messages',
      model: `plain/${vendor}`,
      stream: true,
      answers: [answer({})],
      usage: { inputUncached: 100, output: 3, source: 'estimated' },
      nano: 230_000n,
    },
  ]),
  {
    name: 'missing output is estimated beside reported input',
    client: 'chat',
    model: 'plain/chat',
    answers: [answer({ usage: { prompt_tokens: 50, completion_tokens: 0, total_tokens: 50 } })],
    usage: { inputUncached: 50, output: 3, source: 'estimated' },
    nano: 100_000n + 30_000n,
  },
  {
    name: 'missing input is estimated beside reported output',
    client: 'chat',
    model: 'plain/chat',
    answers: [answer({ usage: { completion_tokens: 4 } })],
    usage: { inputUncached: 100, output: 4, source: 'estimated' },
    nano: 200_000n + 40_000n,
    raw: { completion_tokens: 4 },
  },

  // Invalid usage.
  {
    name: 'texts and nulls do not count as usage',
    client: 'messages',
    model: 'plain/chat',
    answers: [answer({ usage: { prompt_tokens: '50', completion_tokens: null, total_tokens: '70' } })],
    usage: { inputUncached: 100, output: 3, source: 'estimated' },
    nano: 230_000n,
    shown: { input_tokens: 100, output_tokens: 3 },
  },
  {
    name: 'texts and nulls do not count as usage on messages',
    client: 'messages',
    model: 'plain/messages',
    answers: [answer({ usage: { input_tokens: '10', cache_read_input_tokens: null, output_tokens: {} } })],
    usage: { inputUncached: 100, output: 3, source: 'estimated' },
    nano: 230_000n,
  },
  {
    name: 'a quintillion tokens count as not reported',
    client: 'chat',
    model: 'plain/chat',
    answers: [answer({ usage: { prompt_tokens: 1e18, completion_tokens: 1e18, total_tokens: 2e18 } })],
    usage: { inputUncached: 100, output: 3, source: 'estimated' },
    nano: 230_000n,
  },
  {
    name: 'a billion cached tokens count as not reported',
    client: 'chat',
    model: 'plain/google',
    answers: [
      answer({
        usage: { promptTokenCount: 40, cachedContentTokenCount: 1e9, candidatesTokenCount: 5, totalTokenCount: 45 },
      }),
    ],
    usage: { inputUncached: 40, output: 5 },
    nano: 80_000n + 50_000n,
    shown: { prompt_tokens: 40, completion_tokens: 5, total_tokens: 45 },
  },
  {
    name: 'negative figures count as not reported',
    client: 'chat',
    model: 'plain/responses',
    answers: [
      answer({
        usage: {
          input_tokens: 40,
          input_tokens_details: { cached_tokens: -20 },
          output_tokens: 5,
          output_tokens_details: { reasoning_tokens: -3 },
          total_tokens: 45,
        },
      }),
    ],
    usage: { inputUncached: 40, output: 5 },
    nano: 130_000n,
    shown: { prompt_tokens: 40, completion_tokens: 5, total_tokens: 45 },
  },
  {
    name: 'fractions of tokens are cut off',
    client: 'google',
    model: 'plain/messages',
    answers: [answer({ usage: { input_tokens: 40.9, output_tokens: 5.5 } })],
    usage: { inputUncached: 40, output: 5 },
    nano: 130_000n,
    shown: { promptTokenCount: 40, candidatesTokenCount: 5, totalTokenCount: 45 },
  },
  {
    name: 'E36: more cached tokens than prompt tokens are capped at the prompt',
    client: 'messages',
    model: 'plain/chat',
    answers: [
      answer({
        usage: {
          prompt_tokens: 100,
          completion_tokens: 5,
          total_tokens: 105,
          prompt_tokens_details: { cached_tokens: 120 },
        },
      }),
    ],
    usage: { cacheRead: 100, output: 5 },
    nano: 50_000n + 50_000n,
    shown: { input_tokens: 0, cache_read_input_tokens: 100, output_tokens: 5 },
  },
  {
    name: 'more reasoning than output tokens are beside the output',
    client: 'responses',
    model: 'rich/chat',
    answers: [answer({ usage: { ...chatUsage, completion_tokens_details: { reasoning_tokens: 90 } } })],
    usage: { inputUncached: 50, output: 110, reasoning: 90 },
    nano: 100_000n + 200_000n + 1_800_000n + 1_000_000n,
    shown: { output_tokens: 110, output_tokens_details: { reasoning_tokens: 90 } },
  },

  // Prices with further rates.
  {
    name: 'reasoning has its own rate and is priced once',
    client: 'chat',
    model: 'rich/responses',
    answers: [
      answer({
        usage: {
          input_tokens: 100,
          output_tokens: 50,
          output_tokens_details: { reasoning_tokens: 30 },
          total_tokens: 150,
        },
      }),
    ],
    usage: { inputUncached: 100, output: 50, reasoning: 30 },
    nano: 200_000n + 20n * 10_000n + 30n * 20_000n + 1_000_000n,
    shown: { completion_tokens: 50, completion_tokens_details: { reasoning_tokens: 30 } },
  },
  {
    name: 'reasoning reported outside of the output is added to it',
    client: 'chat',
    model: 'plain/chat',
    answers: [
      answer({
        usage: {
          prompt_tokens: 100,
          completion_tokens: 20,
          total_tokens: 150,
          completion_tokens_details: { reasoning_tokens: 30 },
        },
      }),
    ],
    usage: { inputUncached: 100, output: 50, reasoning: 30 },
    nano: 200_000n + 500_000n,
  },
  {
    name: 'audio of chat completions has its own rates for input and output',
    client: 'chat',
    model: 'rich/chat',
    answers: [
      answer({
        usage: {
          prompt_tokens: 100,
          completion_tokens: 50,
          total_tokens: 150,
          prompt_tokens_details: { audio_tokens: 60 },
          completion_tokens_details: { audio_tokens: 45 },
        },
      }),
    ],
    usage: { inputUncached: 100, inputAudio: 60, output: 50, outputAudio: 45 },
    nano: 40n * 2_000n + 60n * 8_000n + 5n * 10_000n + 45n * 40_000n + 1_000_000n,
  },
  {
    name: 'audio and images of generate-content have their own rates unless cached, and are shown on another wire',
    client: 'chat',
    model: 'rich/google',
    stream: true,
    request: { stream_options: { include_usage: true } },
    answers: [
      answer({
        usage: {
          promptTokenCount: 500,
          promptTokensDetails: [
            { modality: 'TEXT', tokenCount: 100 },
            { modality: 'AUDIO', tokenCount: 300 },
            { modality: 'IMAGE', tokenCount: 100 },
          ],
          cachedContentTokenCount: 200,
          cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: 200 }],
          candidatesTokenCount: 80,
          candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 70 }],
          totalTokenCount: 580,
        },
      }),
    ],
    usage: {
      inputUncached: 300,
      cacheRead: 200,
      inputAudio: 100,
      inputImage: 100,
      cacheReadAudio: 200,
      output: 80,
      outputImage: 70,
    },
    nano: 100n * 2_000n + 100n * 8_000n + 100n * 3_000n + 200n * 500n + 10n * 10_000n + 70n * 30_000n + 1_000_000n,
    shown: {
      prompt_tokens: 500,
      prompt_tokens_details: {
        cached_tokens: 200,
        cache_write_tokens: 0,
        audio_tokens: 300,
        image_tokens: 100,
        cached_tokens_details: { audio_tokens: 200 },
      },
      completion_tokens_details: { reasoning_tokens: 0, image_tokens: 70 },
    },
  },
  {
    name: 'the tier that served a chat completion is priced, not the requested one',
    client: 'chat',
    model: 'rich/chat',
    request: { service_tier: 'priority' },
    answers: [answer({ usage: chatUsage, top: { service_tier: 'flex' } })],
    usage: { inputUncached: 50, output: 20, tier: 'flex' },
    nano: 50n * 1_000n + 20n * 5_000n + 1_000_000n,
  },
  {
    name: 'the tier of a chat completions stream is read from any chunk',
    client: 'messages',
    model: 'rich/chat',
    stream: true,
    answers: [answer({ usage: chatUsage, top: { service_tier: 'priority' } })],
    usage: { inputUncached: 50, output: 20, tier: 'priority' },
    nano: 50n * 4_000n + 20n * 20_000n + 1_000_000n,
  },
  {
    name: 'a tier without rates of its own costs the standard rates',
    client: 'responses',
    model: 'rich/responses',
    stream: true,
    answers: [
      answer({ usage: { input_tokens: 50, output_tokens: 20, total_tokens: 70 }, top: { service_tier: 'default' } }),
    ],
    usage: { inputUncached: 50, output: 20, tier: 'default' },
    nano: 50n * 2_000n + 20n * 10_000n + 1_000_000n,
  },
  {
    name: 'the tier of messages is read from its usage',
    client: 'chat',
    model: 'rich/messages',
    answers: [answer({ usage: { input_tokens: 50, output_tokens: 20, service_tier: 'priority' } })],
    usage: { inputUncached: 50, output: 20, tier: 'priority' },
    nano: 50n * 4_000n + 20n * 20_000n + 1_000_000n,
  },
  {
    name: 'the fast mode of messages is a tier',
    client: 'messages',
    model: 'rich/messages',
    answers: [answer({ usage: { input_tokens: 50, output_tokens: 20, service_tier: 'standard', speed: 'fast' } })],
    usage: { inputUncached: 50, output: 20, tier: 'fast' },
    nano: 50n * 12_000n + 20n * 60_000n + 1_000_000n,
  },
  {
    name: 'the tier of generate-content is read from its traffic type',
    client: 'google',
    model: 'rich/google',
    answers: [
      answer({
        usage: { promptTokenCount: 50, candidatesTokenCount: 20, totalTokenCount: 70, trafficType: 'ON_DEMAND_FLEX' },
      }),
    ],
    usage: { inputUncached: 50, output: 20, tier: 'flex' },
    nano: 50n * 1_000n + 20n * 5_000n + 1_000_000n,
  },
  {
    name: 'a prompt of exactly the threshold costs the standard rates',
    client: 'chat',
    model: 'rich/chat',
    answers: [
      answer({
        usage: {
          prompt_tokens: 1_000,
          completion_tokens: 10,
          total_tokens: 1_010,
          prompt_tokens_details: { cached_tokens: 900 },
        },
      }),
    ],
    usage: { inputUncached: 100, cacheRead: 900, output: 10 },
    nano: 100n * 2_000n + 900n * 500n + 10n * 10_000n + 1_000_000n,
  },
  {
    name: 'a longer prompt costs the long-context rates as a whole, including cached tokens',
    client: 'chat',
    model: 'rich/chat',
    answers: [
      answer({
        usage: {
          prompt_tokens: 1_001,
          completion_tokens: 10,
          total_tokens: 1_011,
          prompt_tokens_details: { cached_tokens: 900 },
        },
      }),
    ],
    usage: { inputUncached: 101, cacheRead: 900, output: 10 },
    nano: 101n * 4_000n + 900n * 1_000n + 10n * 20_000n + 1_000_000n,
  },
  {
    name: 'a model without a price has an unknown cost, which is not 0',
    client: 'chat',
    model: 'none/chat',
    answers: [answer({ usage: chatUsage })],
    usage: { inputUncached: 50, output: 20 },
    nano: undefined,
    shown: chatUsage,
  },

  // Refusals and content filters: as the provider reports.
  {
    name: 'a refusal costs the usage that its provider reports',
    client: 'chat',
    model: 'plain/messages',
    answers: [answer({ said: refusal, usage: { input_tokens: 50, output_tokens: 4 } })],
    usage: { inputUncached: 50, output: 4 },
    nano: 140_000n,
  },
  {
    name: 'a refusal that its provider does not charge costs nothing',
    client: 'messages',
    model: 'plain/messages',
    answers: [answer({ said: refusal, usage: { input_tokens: 0, output_tokens: 0 } })],
    usage: {},
    nano: 0n,
    shown: { input_tokens: 0, output_tokens: 0 },
  },
  {
    name: 'a filtered response costs the usage that its provider reports',
    client: 'messages',
    model: 'plain/chat',
    answers: [answer({ said: filtered, usage: { prompt_tokens: 50, completion_tokens: 0, total_tokens: 50 } })],
    usage: { inputUncached: 50 },
    nano: 100_000n,
  },
  {
    name: 'a blocked response costs the usage that its provider reports',
    client: 'chat',
    model: 'plain/google',
    stream: true,
    answers: [answer({ said: filtered, usage: { promptTokenCount: 50, totalTokenCount: 50 } })],
    usage: { inputUncached: 50 },
    nano: 100_000n,
  },
];

describe('usage and cost by what a provider reports', () => {
  let scene: Scene;
  before(async () => {
    scene = await startOracle();
  });
  after(() => scene.stop());

  for (const oracle of cases) it(oracle.name, () => consult(scene, oracle));
});
