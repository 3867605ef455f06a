import { expect } from 'chai';
import { GatewayError, type Headers, type JsonObject } from '../../../../../core/api/index.ts';
import { sealProof, type NativePlan } from '../../../../../core/api/codec.ts';
import { sealCallProof } from '../../../../../providers/anthropic/messages/call-proof.ts';
import { clientSide, frames, inbound, minimal, profile, upstreamSide, versioned } from '../exchange.ts';

const planOf = (members: JsonObject = {}, headers: Headers = versioned): NativePlan => {
  const request = inbound({ ...minimal, ...members }, headers);
  const plan = upstreamSide.native?.(request, clientSide.decodeRequest(request).request, profile);
  if (plan === undefined) throw new Error('the wire has a native lane');
  return plan;
};
const editsOf = (members: JsonObject): Readonly<Record<string, unknown>> =>
  Object.fromEntries(planOf(members).edits.map(({ member, value }) => [member, value]));

const claude = { ...profile.origin, family: 'claude' };
const otherAccount = { provider: 'other-account', family: 'claude' };
const gemini = { provider: 'google', family: 'gemini' };

describe('messages native lane: edits of the request', () => {
  it('edits only the model, whatever the client sent', () => {
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral', scope: 'x' } }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 't', signature: 'EqVENDOR' },
          { type: 'redacted_thinking', data: 'D' },
          { type: 'text', text: 'b' },
        ],
      },
    ];
    expect(
      editsOf({
        messages,
        context_management: {},
        thinking: { type: 'adaptive' },
        output_config: { effort: 'low', format: { type: 'json_schema', schema: {} } },
      }),
    ).to.deep.equal({ model: 'claude-sonnet-4-5' });
  });

  it('removes the name of an output format on the native lane', () => {
    const schema = { type: 'object' };
    expect(
      editsOf({ output_config: { effort: 'low', format: { type: 'json_schema', name: 'n', schema } } })[
        'output_config'
      ],
    ).to.deep.equal({ effort: 'low', format: { type: 'json_schema', schema } });
  });

  it('unseals thinking for its own provider, and removes it for any other, another account included (E37)', () => {
    const messages = [
      { role: 'user', content: 'a' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'own', signature: sealProof({ origin: claude, value: 'SIG' }) },
          { type: 'redacted_thinking', data: sealProof({ origin: claude, value: 'DATA' }) },
          { type: 'thinking', thinking: 'foreign', signature: sealProof({ origin: gemini, value: 'G' }) },
          { type: 'thinking', thinking: 'foreign', signature: sealProof({ origin: otherAccount, value: 'A' }) },
          { type: 'thinking', thinking: 'vendor', signature: 'EqVENDOR' },
          { type: 'text', text: 'b', invented: 1 },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'thinking', thinking: 'foreign', signature: sealProof({ origin: gemini, value: 'G' }) }],
      },
      { role: 'user', content: [] },
    ];
    expect(editsOf({ messages })['messages']).to.deep.equal([
      { role: 'user', content: 'a' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'own', signature: 'SIG' },
          { type: 'redacted_thinking', data: 'DATA' },
          { type: 'thinking', thinking: 'vendor', signature: 'EqVENDOR' },
          { type: 'text', text: 'b', invented: 1 },
        ],
      },
      { role: 'user', content: [] },
    ]);
  });

  it('removes the proof of a call, which this vendor never made', () => {
    const use = { type: 'tool_use', id: 'c', name: 'f', input: {} };
    const messages = [
      { role: 'user', content: 'a' },
      {
        role: 'assistant',
        content: [
          use,
          { type: 'thinking', thinking: '', signature: sealCallProof('c', { origin: gemini, value: 'G' }) },
          { type: 'thinking', thinking: '', signature: sealCallProof('c', { origin: claude, value: 'G' }) },
        ],
      },
    ];
    expect((editsOf({ messages })['messages'] as readonly JsonObject[])[1]).to.deep.equal({
      role: 'assistant',
      content: [use],
    });
  });

  it("forwards only version and betas, the version under the vendor's name", () => {
    const headers = { 'compat-version': '2023-06-01', 'anthropic-beta': 'b', 'x-api-key': 'secret', 'user-agent': 'x' };
    expect(planOf({}, headers).headers).to.deep.equal({ 'anthropic-version': '2023-06-01', 'anthropic-beta': 'b' });
    expect(planOf({}, { ...headers, 'anthropic-version': '2026-10-21' }).headers['anthropic-version']).to.equal(
      '2026-10-21',
    );
  });
});

describe('messages native lane: the tap', () => {
  const verdicts = (...events: readonly JsonObject[]) => {
    const tap = planOf().tap();
    return { tap, verdicts: frames(...events).map((frame) => tap.inspectFrame(frame)) };
  };
  const start = {
    type: 'message_start',
    message: { model: 'claude', content: [], usage: { input_tokens: 5, output_tokens: 1 } },
  };

  it('holds events until content is visible', () => {
    const { verdicts: seen, tap } = verdicts(
      start,
      { type: 'ping' },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hello' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 9 } },
      { type: 'message_stop' },
    );
    expect(seen).to.deep.equal(['hold', 'hold', 'hold', 'pass', 'content', 'pass', 'pass', 'end']);
    expect(tap.end()).to.equal(undefined);
    expect(tap.observed).to.deep.include({
      model: 'claude',
      finish: { reason: 'stop', vendor: 'end_turn' },
      outputChars: 5,
    });
    expect(tap.observed.usage).to.deep.include({ inputUncached: 5, output: 9 });
  });

  it('counts a call, thinking, a signature and every vendor block as content', () => {
    const contents: readonly JsonObject[] = [
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't', name: 'f', input: {} } },
      { type: 'content_block_start', index: 0, content_block: { type: 'redacted_thinking', data: 'D' } },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'server_tool_use', id: 's', name: 'w', input: {} },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 't' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 's' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'citations_delta', citation: {} } },
    ];
    for (const event of contents) expect(verdicts(start, event).verdicts[1], JSON.stringify(event)).to.equal('content');
    expect(
      verdicts(start, {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'thinking', thinking: '', signature: '' },
      }).verdicts[1],
    ).to.equal('hold');
  });

  it('counts the characters of text, thinking and arguments', () => {
    const delta = (members: JsonObject) => ({ type: 'content_block_delta', index: 0, delta: members });
    const { tap } = verdicts(
      start,
      delta({ type: 'text_delta', text: 'abc' }),
      delta({ type: 'thinking_delta', thinking: 'de' }),
      delta({ type: 'input_json_delta', partial_json: '{}' }),
      delta({ type: 'signature_delta', signature: 'long signature' }),
    );
    expect(tap.observed.outputChars).to.equal(7);
  });

  it('the tap reads the error event of the vendor', () => {
    const { tap, verdicts: seen } = verdicts(start, {
      type: 'error',
      error: { type: 'overloaded_error', message: 'Overloaded' },
    });
    expect(seen).to.deep.equal(['hold', 'error']);
    expect(tap.observed.error).to.include({ failure: 'overloaded' });
  });

  it('reports a stream without message_stop as truncated', () => {
    expect(verdicts(start).tap.end()).to.include({ code: 'upstream_truncated' });
    expect(verdicts().tap.end()).to.include({ code: 'upstream_truncated' });
  });

  it('passes unknown events on unchanged', () => {
    const tap = planOf().tap();
    expect(tap.inspectFrame({ event: 'invented', data: '{"type":"invented"}' })).to.equal('pass');
    expect(tap.inspectFrame({ event: undefined, data: '[DONE]' })).to.equal('withhold');
  });

  it('fails on a frame that is not JSON, named or not', () => {
    for (const event of [undefined, 'content_block_delta']) {
      const tap = planOf().tap();
      expect(tap.inspectFrame({ event, data: 'not json' })).to.equal('error');
      expect(tap.observed.error).to.include({ code: 'upstream_bad_response' });
    }
  });

  it('withholds the second start of a message', () => {
    const { tap } = verdicts(start);
    expect(tap.inspectFrame({ event: 'message_start', data: JSON.stringify(start) })).to.equal('withhold');
  });

  it('reads a plain response, and an error in its place', () => {
    const plain = planOf().tap();
    plain.inspectBody({
      type: 'message',
      model: 'claude',
      content: [
        { type: 'text', text: 'abc' },
        { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 3, output_tokens: 4 },
    });
    expect(plain.observed).to.deep.include({
      model: 'claude',
      finish: { reason: 'tool_calls', vendor: 'tool_use' },
      outputChars: 10,
    });
    expect(plain.observed.usage).to.deep.include({ inputUncached: 3, output: 4 });
    const failed = planOf().tap();
    failed.inspectBody({ type: 'error', error: { type: 'api_error', message: 'x' } });
    expect(failed.observed.error).to.include({ failure: 'transient' });
    const bare = planOf().tap();
    bare.inspectBody({ type: 'message' });
    expect(bare.observed.error?.message).to.equal('The response of the provider has no content.');
  });

  it('ends a stream with the error event of this wire', () => {
    const written: unknown[] = [];
    planOf()
      .tap()
      .fail(new GatewayError('upstream_truncated'), (event, data) => written.push([event, JSON.parse(data)]));
    expect(written).to.deep.equal([
      [
        'error',
        {
          type: 'error',
          error: { type: 'api_error', message: 'The response of the provider ended before it was complete.' },
        },
      ],
    ]);
  });
});
