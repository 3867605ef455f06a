import { expect } from 'chai';
import { inputTotal, type JsonObject, type Usage } from '../../../../core/api/index.ts';
import { foldEvents } from '../../../../core/api/codec.ts';
import { mergeUsage, readUsage, writeUsage } from '../../../../providers/anthropic/messages/usage.ts';
import { createTap } from '../../../../providers/anthropic/messages/upstream/response/tap.ts';
import { frames, readContext, readStream, upstreamSide } from './exchange.ts';

const counts = {
  inputUncached: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
};
const noWrites = { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 };
const iteration = (type: string, input: number, output: number, more: JsonObject = {}): JsonObject => ({
  type,
  input_tokens: input,
  output_tokens: output,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_creation: noWrites,
  ...more,
});

const plain = (usage: JsonObject): JsonObject => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-5',
  content: [{ type: 'text', text: 'Hello' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
});
/** The same message as a stream, with one part of the usage at its start and the other at its end. */
const streamed = (start: JsonObject, end: JsonObject): readonly JsonObject[] => [
  { type: 'message_start', message: { ...plain(start), content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: end },
  { type: 'message_stop' },
];

/** The usage as both lanes read it, plain and streamed. */
const everyReading = (whole: JsonObject, start: JsonObject, end: JsonObject): readonly (Usage | undefined)[] => {
  const body = plain(whole);
  const events = frames(...streamed(start, end));
  const [plainTap, streamTap] = [createTap(), createTap()];
  plainTap.inspectBody(body);
  for (const frame of events) streamTap.inspectFrame(frame);
  return [
    upstreamSide.decodeResponse(body, readContext()).usage,
    foldEvents(readStream(events)).usage,
    plainTap.observed.usage,
    streamTap.observed.usage,
  ];
};

const withoutRaw = (usage: Usage | undefined): unknown => ({ ...usage, raw: undefined });
const expectReading = (
  whole: JsonObject,
  start: JsonObject,
  end: JsonObject,
  expected: Omit<Usage, 'source'>,
): void => {
  for (const usage of everyReading(whole, start, end)) {
    expect(withoutRaw(usage)).to.deep.equal({ ...expected, source: 'provider', raw: undefined });
    expect(usage?.raw).to.deep.equal(whole);
  }
};

describe('messages: what a usage object reports', () => {
  it('reads a compaction as a further call of the same model', () => {
    const start = {
      input_tokens: 100,
      cache_creation_input_tokens: 55_096,
      cache_read_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 55_096, ephemeral_1h_input_tokens: 0 },
      output_tokens: 7,
      service_tier: 'priority',
      inference_geo: 'us',
    };
    const end = {
      input_tokens: 229,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 5,
      iterations: [
        iteration('compaction', 100, 131, {
          cache_creation_input_tokens: 55_096,
          cache_creation: { ephemeral_5m_input_tokens: 55_000, ephemeral_1h_input_tokens: 96 },
        }),
        iteration('message', 229, 5),
      ],
    };
    const { cache_creation: _split, ...whole } = { ...start, ...end };
    const shared = { tier: 'priority', region: 'us' };
    expectReading(whole, start, end, {
      ...counts,
      inputUncached: 229,
      output: 5,
      ...shared,
      further: [
        {
          ...counts,
          inputUncached: 100,
          cacheWrite5m: 55_000,
          cacheWrite1h: 96,
          output: 131,
          ...shared,
          source: 'provider',
        },
      ],
    });
  });

  it('reads advisors as further calls of their own models, which are not in fast mode', () => {
    const start = { input_tokens: 1_051, output_tokens: 35, speed: 'fast', service_tier: 'standard' };
    const end = {
      input_tokens: 4_727,
      output_tokens: 3_391,
      server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
      iterations: [
        iteration('message', 1_051, 35),
        iteration('advisor_message', 2_728, 3_880, { model: 'claude-opus-4-7', cache_read_input_tokens: 9 }),
        iteration('message', 3_676, 3_356),
        iteration('compaction', 10, 1),
      ],
    };
    expectReading({ ...start, ...end }, start, end, {
      ...counts,
      inputUncached: 4_727,
      output: 3_391,
      tier: 'fast',
      further: [
        {
          ...counts,
          inputUncached: 2_728,
          cacheRead: 9,
          output: 3_880,
          tier: 'standard',
          model: 'claude-opus-4-7',
          source: 'provider',
        },
        { ...counts, inputUncached: 10, output: 1, tier: 'fast', source: 'provider' },
      ],
    });
  });

  it('reads the model that served a fallback, and charges no attempt that declined before it responded', () => {
    const start = { input_tokens: 408, output_tokens: 1 };
    const end = {
      input_tokens: 412,
      output_tokens: 264,
      fallback_credit: { status: { type: 'redeemed' } },
      iterations: [
        iteration('message', 408, 0, { model: 'claude-fable-5' }),
        iteration('fallback_message', 412, 264, { model: 'claude-opus-4-8' }),
      ],
    };
    expectReading({ ...start, ...end }, start, end, {
      ...counts,
      inputUncached: 412,
      output: 264,
      model: 'claude-opus-4-8',
    });
  });

  it('reads an attempt that declined after it had begun to respond as a further call', () => {
    const start = { input_tokens: 20, output_tokens: 1 };
    const end = {
      input_tokens: 900,
      output_tokens: 80,
      iterations: [
        iteration('message', 400, 30, { model: 'claude-fable-5' }),
        iteration('message', 410, 0, { model: 'claude-opus-5' }),
        iteration('message', 420, 40, { model: 'claude-opus-4-8' }),
        iteration('fallback_message', 480, 40, { model: 'claude-opus-4-8' }),
      ],
    };
    expectReading({ ...start, ...end }, start, end, {
      ...counts,
      inputUncached: 900,
      output: 80,
      model: 'claude-opus-4-8',
      further: [{ ...counts, inputUncached: 400, output: 30, model: 'claude-fable-5', source: 'provider' }],
    });
  });

  it('reads searches, fetches, cache writes by lifetime, thinking and the region', () => {
    const start = {
      input_tokens: 12,
      output_tokens: 1,
      cache_read_input_tokens: 4_000,
      cache_creation_input_tokens: 500,
      cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 300 },
      server_tool_use: { web_search_requests: 2 },
      service_tier: 'batch',
      inference_geo: 'global',
    };
    const end = {
      output_tokens: 90,
      output_tokens_details: { thinking_tokens: 60 },
      server_tool_use: { web_fetch_requests: 3, web_search_requests: null },
    };
    expectReading(
      { ...start, ...end, server_tool_use: { web_search_requests: 2, web_fetch_requests: 3 } },
      start,
      end,
      {
        inputUncached: 12,
        cacheRead: 4_000,
        cacheWrite5m: 200,
        cacheWrite1h: 300,
        output: 90,
        reasoning: 60,
        units: { webSearches: 2, webFetches: 3 },
        tier: 'batch',
        region: 'global',
      },
    );
  });

  it('has no units, region, model or further calls that the vendor does not report', () => {
    const raw = {
      input_tokens: 1,
      output_tokens: 1,
      inference_geo: 'not_available',
      server_tool_use: { web_search_requests: 0, web_fetch_requests: -1 },
      iterations: [iteration('message', 1, 1, { model: 'claude-sonnet-5' }), null, 'text', { type: 'invented' }],
    };
    expect(withoutRaw(readUsage(raw))).to.deep.equal({
      ...counts,
      inputUncached: 1,
      output: 1,
      source: 'provider',
      raw: undefined,
    });
    for (const iterations of [null, {}, 'compaction', [[]]])
      expect(readUsage({ ...raw, iterations })).to.not.have.property('further');
  });

  it('cuts names that no vendor has', () => {
    const name = 'n'.repeat(200);
    const { region, tier, model, further } = readUsage({
      service_tier: name,
      inference_geo: name,
      iterations: [
        iteration('fallback_message', 1, 1, { model: name }),
        iteration('advisor_message', 1, 1, { model: name }),
      ],
    });
    for (const text of [region, tier, model, further?.[0]?.model]) expect(text).to.have.length(128);
  });

  it('reads at most a thousand further calls', () => {
    const iterations = Array.from({ length: 1_200 }, () => iteration('compaction', 1, 1));
    expect(readUsage({ iterations }).further).to.have.length(1_000);
  });

  it('keeps the split of cache writes in a stream while it fits their total', () => {
    const start = {
      cache_creation_input_tokens: 500,
      cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 300 },
    };
    const writes = (end: JsonObject) => {
      const { cacheWrite5m, cacheWrite1h } = readUsage(mergeUsage(start, end));
      return [cacheWrite5m, cacheWrite1h];
    };
    expect(writes({ cache_creation_input_tokens: 500 })).to.deep.equal([200, 300]);
    expect(writes({ cache_creation_input_tokens: 900 })).to.deep.equal([600, 300]);
    expect(writes({ cache_creation_input_tokens: 499 })).to.deep.equal([499, 0]);
    expect(writes({ cache_creation_input_tokens: null })).to.deep.equal([200, 300]);
    expect(writes({ cache_creation: { ephemeral_1h_input_tokens: 400 } })).to.deep.equal([200, 400]);
  });

  it('a member named __proto__ changes no other usage', () => {
    const merged = mergeUsage(
      { a: { b: 1 } },
      JSON.parse('{"__proto__":{"input_tokens":9},"a":{"__proto__":{"c":1}}}'),
    );
    expect(Object.getPrototypeOf(merged)).to.equal(Object.prototype);
    expect(readUsage(merged).inputUncached).to.equal(0);
  });
});

describe('messages: the usage that a client gets', () => {
  it('has the searches, fetches, region, tier and speed that the vendor reported', () => {
    const usage = {
      ...counts,
      cacheWrite5m: 1,
      cacheWrite1h: 2,
      cacheWrite12h: 4,
      units: { webSearches: 2, images: 7 },
      region: 'us',
      source: 'provider',
    } as const;
    expect(writeUsage({ ...usage, tier: 'priority' }, 0)).to.deep.equal({
      input_tokens: 0,
      cache_creation_input_tokens: 7,
      cache_read_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 1, ephemeral_1h_input_tokens: 6 },
      output_tokens: 0,
      output_tokens_details: { thinking_tokens: 0 },
      server_tool_use: { web_search_requests: 2, web_fetch_requests: 0 },
      service_tier: 'priority',
      inference_geo: 'us',
    });
    expect(inputTotal(readUsage(writeUsage(usage, 0)))).to.equal(7);
    expect(writeUsage({ ...usage, tier: 'fast', units: { webFetches: 3 } }, 0)).to.deep.include({
      server_tool_use: { web_search_requests: 0, web_fetch_requests: 3 },
      speed: 'fast',
    });
    const ofImages = writeUsage({ ...usage, units: { images: 1 } }, 0);
    expect(ofImages['server_tool_use']).to.equal(null);
    expect(ofImages).to.not.have.property('speed');
  });

  it('is the same in a response that is decoded and encoded again', () => {
    const raw = {
      input_tokens: 5,
      output_tokens: 6,
      cache_creation_input_tokens: 3,
      cache_read_input_tokens: 4,
      cache_creation: { ephemeral_5m_input_tokens: 1, ephemeral_1h_input_tokens: 2 },
      output_tokens_details: { thinking_tokens: 2 },
      server_tool_use: { web_search_requests: 1, web_fetch_requests: 2 },
      service_tier: 'standard',
      speed: 'fast',
      inference_geo: 'eu',
    };
    expect(writeUsage(readUsage(raw), 0)).to.deep.equal({ ...raw, service_tier: null });
  });
});
