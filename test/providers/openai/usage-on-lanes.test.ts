import { expect } from 'chai';
import type { JsonObject, Usage } from '../../../core/api/index.ts';
import type { Codec, Tap } from '../../../core/api/codec.ts';
import { createProfile, createReadContext, decodeEvents, decodeFrames } from '../../../core/testing/index.ts';
import { chatCompletionsCodec } from '../../../providers/openai/chat-completions/index.ts';
import { responsesCodec } from '../../../providers/openai/responses/index.ts';

const tapOf = ({ wire, client, upstream }: Codec<'generate'>, stream: boolean): Tap => {
  const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], input: 'Hi', stream };
  const inbound = { raw: Buffer.from(JSON.stringify(body)), body, headers: {}, query: {} };
  const request = client?.decodeRequest(inbound).request;
  const plan = request && upstream?.native?.(inbound, request, createProfile(wire));
  if (plan === undefined) throw new Error('there is no plan');
  return plan.tap();
};

/** What each lane reads of a plain response and of a stream. */
const readings = (codec: Codec<'generate'>, body: JsonObject, sse: string): readonly (Usage | undefined)[] => {
  const [plain, streamed] = [tapOf(codec, false), tapOf(codec, true)];
  plain.inspectBody(body);
  const frames = decodeFrames([Buffer.from(sse)]);
  for (const frame of frames) streamed.inspectFrame(frame);
  const events = decodeEvents(codec, frames);
  return [
    codec.upstream?.decodeResponse(body, createReadContext()).usage,
    events.flatMap((event) => (event.type === 'usage' ? [event.usage] : [])).at(-1),
    plain.observed.usage,
    streamed.observed.usage,
  ];
};

const frame = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

const details = {
  cached_tokens: 40,
  cached_tokens_details: { audio_tokens: 15 },
  cache_write_tokens: 30,
  cache_write_tokens_details: { ttl_30m_tokens: 10, ttl_12h_tokens: 20 },
  audio_tokens: 20,
  image_tokens: 4,
  video_tokens: 6,
};
const outputDetails = { reasoning_tokens: 5, audio_tokens: 3, image_tokens: 2 };
const expected = {
  inputUncached: 30,
  cacheRead: 40,
  cacheWrite5m: 10,
  cacheWrite1h: 0,
  cacheWrite12h: 20,
  output: 20,
  reasoning: 5,
  cacheReadAudio: 15,
  inputAudio: 5,
  inputImage: 4,
  inputVideo: 6,
  outputAudio: 3,
  outputImage: 2,
  source: 'provider',
};

describe('usage on both lanes, plain and streamed', () => {
  for (const tier of ['default', 'flex', 'priority', 'fast', 'ultrafast'])
    it(`each member of a chat completion of the tier ${tier} is read`, () => {
      const usage = {
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        prompt_tokens_details: details,
        completion_tokens_details: outputDetails,
        server_tool_use_details: { web_search_requests: 2 },
      };
      const choice = { index: 0, finish_reason: 'stop' };
      const body = { choices: [{ ...choice, message: { content: 'Hi' } }], usage, service_tier: tier };
      const sse = [
        frame({ id: 'c', choices: [{ ...choice, delta: { content: 'Hi' } }], service_tier: tier }),
        frame({ id: 'c', choices: [], usage }),
        'data: [DONE]\n\n',
      ].join('');
      for (const read of readings(chatCompletionsCodec, body, sse))
        expect(read).to.deep.equal({ ...expected, units: { webSearches: 2 }, tier, raw: usage });
    });

  it('each member of a response is read, with the tools of the vendor', () => {
    const usage = {
      input_tokens: 100,
      input_tokens_details: details,
      output_tokens: 20,
      output_tokens_details: outputDetails,
      total_tokens: 120,
    };
    const images = { input_tokens: 7, output_tokens: 9, output_tokens_details: { image_tokens: 8 }, total_tokens: 16 };
    const response = {
      id: 'resp_1',
      status: 'completed',
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hi' }] }],
      usage,
      service_tier: 'flex',
      tools: [{ type: 'image_generation', model: 'gpt-image-1.5' }],
      tool_usage: { web_search: { num_requests: 3 }, image_gen: images },
    };
    const further = {
      inputUncached: 7,
      cacheRead: 0,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      output: 9,
      reasoning: 0,
      outputImage: 8,
      model: 'gpt-image-1.5',
      source: 'provider',
      raw: images,
    };
    const units = { webSearches: 3 };
    for (const read of readings(responsesCodec, response, frame({ type: 'response.completed', response })))
      expect(read).to.deep.equal({ ...expected, units, tier: 'flex', raw: usage, further: [further] });
  });
});
