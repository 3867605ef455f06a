import { expect } from 'chai';
import { GatewayError, type JsonObject, type Usage } from '../../../../../../core/api/index.ts';
import { readUsage, writeUsage } from '../../../../../../providers/anthropic/messages/usage.ts';
import { origin, readContext, upstreamSide } from '../../exchange.ts';

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 2 },
};
const read = (members: JsonObject) =>
  upstreamSide.decodeResponse({ ...message, content: [], ...members }, readContext());
const partsOf = (...content: readonly unknown[]) => read({ content }).choices[0]?.parts;

describe('messages upstream: responses', () => {
  it('reads every block in order', () => {
    expect(
      partsOf(
        { type: 'thinking', thinking: 't', signature: 'SIG' },
        { type: 'redacted_thinking', data: 'D' },
        { type: 'text', text: 'a', citations: null },
        { type: 'text', text: 'b', citations: [{ type: 'page_location' }] },
        { type: 'tool_use', id: 'x', name: 'f', input: { a: 1 }, caller: { type: 'direct' } },
        { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      ),
    ).to.deep.equal([
      { type: 'reasoning', text: 't', proof: { origin, value: 'SIG' } },
      { type: 'reasoning', text: '', redacted: true, proof: { origin, value: 'D', redacted: true } },
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b', citations: [{ vendor: { wire: 'messages', value: { type: 'page_location' } } }] },
      { type: 'tool-call', id: 'x', name: 'f', kind: 'function', input: '{"a":1}' },
      {
        type: 'opaque',
        wire: 'messages',
        value: { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
        search: { id: 's', queries: [] },
      },
    ]);
  });

  it('derives the same id for a call without one each time', () => {
    expect(partsOf({ type: 'text', text: '' }, { type: 'tool_use', name: 'f' })).to.deep.include({
      type: 'tool-call',
      id: 'toolu_1_1',
      name: 'f',
      kind: 'function',
      input: '{}',
    });
  });

  it('reads thinking without a signature as thinking without a proof', () => {
    expect(partsOf({ type: 'thinking', thinking: 't', signature: '' })).to.deep.equal([
      { type: 'reasoning', text: 't' },
    ]);
  });

  it('reads every stop reason and keeps the original', () => {
    const reasons = {
      end_turn: 'stop',
      max_tokens: 'length',
      tool_use: 'tool_calls',
      pause_turn: 'pause',
      compaction: 'pause',
      refusal: 'refusal',
      model_context_window_exceeded: 'context_overflow',
      invented: 'stop',
    };
    for (const [word, reason] of Object.entries(reasons))
      expect(read({ stop_reason: word }).choices[0]?.finish, word).to.deep.equal({ reason, vendor: word });
    expect(read({ stop_reason: 'stop_sequence', stop_sequence: 'END' }).choices[0]?.finish).to.deep.equal({
      reason: 'stop_sequence',
      sequence: 'END',
      vendor: 'stop_sequence',
    });
    expect(read({ stop_reason: null, content: [{ type: 'text', text: 'a' }] }).choices[0]?.finish).to.deep.equal({
      reason: 'stop',
    });
  });

  it('rejects a message without content and without a stop reason', () => {
    for (const content of [[], [{ type: 'text', text: '' }], [{ type: 'thinking', thinking: '', signature: '' }]])
      expect(() => read({ content, stop_reason: null }), JSON.stringify(content)).to.throw(/empty/);
    expect(read({ content: [], stop_reason: 'end_turn' }).choices[0]?.parts).to.deep.equal([]);
    expect(
      read({ content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }], stop_reason: null }).choices[0]?.parts,
    ).to.have.length(1);
  });

  it('reads a refusal without text (E33)', () => {
    const { choices } = read({
      stop_reason: 'refusal',
      stop_details: { type: 'refusal', category: null, explanation: 'X' },
    });
    expect(choices).to.deep.equal([{ parts: [], finish: { reason: 'refusal', explanation: 'X', vendor: 'refusal' } }]);
  });

  it('keeps unknown members of a response', () => {
    expect(read({ container: { id: 'c' }, diagnostics: null }).extra).to.deep.equal({
      wire: 'messages',
      members: { container: { id: 'c' } },
    });
  });

  it('throws if the body is an error or not a message', () => {
    expect(() => read({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }))
      .to.throw(GatewayError)
      .with.property('failure', 'overloaded');
    for (const body of [undefined, 'text', [], { ...message }, { ...message, content: 'text' }]) {
      expect(() => upstreamSide.decodeResponse(body, readContext()), JSON.stringify(body))
        .to.throw(GatewayError)
        .with.property('code', 'upstream_bad_response');
    }
  });
});

describe('messages: usage', () => {
  const figures = (raw: JsonObject) => {
    const { raw: _raw, source: _source, ...rest } = readUsage(raw);
    return rest;
  };

  it('counts cached tokens apart from input, and thinking as part of output', () => {
    expect(
      figures({
        input_tokens: 12,
        cache_creation_input_tokens: 500,
        cache_read_input_tokens: 4000,
        output_tokens: 90,
        output_tokens_details: { thinking_tokens: 60 },
        service_tier: 'standard',
      }),
    ).to.deep.equal({
      inputUncached: 12,
      cacheRead: 4000,
      cacheWrite5m: 500,
      cacheWrite1h: 0,
      output: 90,
      reasoning: 60,
      tier: 'standard',
    });
  });

  it('splits cache writes by lifetime and reads a total without a split as five minutes', () => {
    const writes = (raw: JsonObject) => [figures(raw).cacheWrite5m, figures(raw).cacheWrite1h];
    expect(writes({ cache_creation_input_tokens: 500 })).to.deep.equal([500, 0]);
    expect(
      writes({ cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 300 } }),
    ).to.deep.equal([200, 300]);
    expect(
      writes({
        cache_creation_input_tokens: 500,
        cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 300 },
      }),
    ).to.deep.equal([200, 300]);
    expect(
      writes({ cache_creation_input_tokens: 500, cache_creation: { ephemeral_1h_input_tokens: 300 } }),
    ).to.deep.equal([200, 300]);
  });

  it('never reads negative counts, nor more thinking than output', () => {
    expect(
      figures({
        input_tokens: -5,
        cache_read_input_tokens: null,
        output_tokens: 3,
        output_tokens_details: { thinking_tokens: 9 },
        cache_creation_input_tokens: 1,
        cache_creation: { ephemeral_1h_input_tokens: 4 },
      }),
    ).to.deep.equal({
      inputUncached: 0,
      cacheRead: 0,
      cacheWrite5m: 0,
      cacheWrite1h: 4,
      output: 3,
      reasoning: 3,
    });
  });

  it('keeps the usage object of the vendor, and writes what it read', () => {
    const raw = { input_tokens: 1, output_tokens: 2, server_tool_use: { web_search_requests: 3 } };
    expect(readUsage(raw).raw).to.deep.equal(raw);
    const usage: Usage = {
      inputUncached: 12,
      cacheRead: 4000,
      cacheWrite5m: 400,
      cacheWrite1h: 100,
      output: 90,
      reasoning: 60,
      source: 'provider',
    };
    expect(figures(writeUsage(usage, 0))).to.deep.equal({
      inputUncached: 12,
      cacheRead: 4000,
      cacheWrite5m: 400,
      cacheWrite1h: 100,
      output: 90,
      reasoning: 60,
    });
  });

  it('writes more cached tokens than input tokens unchanged (E36)', () => {
    const usage: Usage = {
      inputUncached: 0,
      cacheRead: 120,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      output: 0,
      reasoning: 0,
      source: 'provider',
    };
    expect(writeUsage(usage, 0)).to.deep.include({ input_tokens: 0, cache_read_input_tokens: 120 });
  });
});
