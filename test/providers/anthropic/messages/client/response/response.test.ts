import { expect } from 'chai';
import type { Citation, Finish, GenerateResponse, JsonObject, Part, Usage } from '../../../../../../core/api/index.ts';
import { unsealProof } from '../../../../../../core/api/codec.ts';
import { clientSide, collectLosses, decode, writeContext } from '../../exchange.ts';

const usage: Usage = {
  inputUncached: 12,
  cacheRead: 4000,
  cacheWrite5m: 400,
  cacheWrite1h: 100,
  output: 90,
  reasoning: 60,
  source: 'provider',
};
const answer = (
  parts: readonly Part[],
  members: Partial<GenerateResponse> = {},
  finish: Finish = { reason: 'stop' },
): GenerateResponse => ({ choices: [{ parts, finish }], usage, ...members });
const write = (response: GenerateResponse, context = writeContext()): JsonObject =>
  clientSide.encodeResponse(response, context) as JsonObject;
const contentOf = (...parts: readonly Part[]): unknown => write(answer(parts))['content'];

const google = { provider: 'google', family: 'gemini' };

describe('messages client: responses', () => {
  it('writes every member that the wire requires', () => {
    expect(write(answer([{ type: 'text', text: 'hi' }], { id: 'msg_1', model: 'p/m' }))).to.deep.equal({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'p/m',
      content: [{ type: 'text', text: 'hi', citations: [] }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      stop_details: null,
      container: null,
      usage: {
        input_tokens: 12,
        cache_creation_input_tokens: 500,
        cache_read_input_tokens: 4000,
        cache_creation: { ephemeral_5m_input_tokens: 400, ephemeral_1h_input_tokens: 100 },
        output_tokens: 90,
        output_tokens_details: { thinking_tokens: 60 },
        server_tool_use: null,
        service_tier: null,
        inference_geo: null,
      },
    });
  });

  it('writes a new id of this wire for responses of other vendors', () => {
    expect(write(answer([], { id: 'chatcmpl-secret' }))['id']).to.equal('msg_fresh');
    expect(write(answer([]))['id']).to.equal('msg_fresh');
  });

  it('writes zeros instead of omitting usage, and the estimate where the provider reports none', () => {
    const { usage: written } = write({ choices: [{ parts: [], finish: { reason: 'stop' } }] }) as { usage: JsonObject };
    expect(written).to.deep.include({
      input_tokens: 7,
      output_tokens: 0,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    });
  });

  it('writes arguments as objects, also missing, broken and bare ones (E4, E5)', () => {
    const call = (input: string): Part => ({ type: 'tool-call', id: 'a', name: 'f', kind: 'function', input });
    const inputs = ['', '{}', '{"a":1}', '{"city": "Par', '42'].map(
      (input) => (contentOf(call(input)) as readonly JsonObject[])[0]?.['input'],
    );
    expect(inputs).to.deep.equal([{}, {}, { a: 1 }, { _raw: '{"city": "Par' }, { value: 42 }]);
  });

  it('seals proofs of other vendors and leaves its own unchanged', () => {
    const [sealed, plain, redacted] = contentOf(
      { type: 'reasoning', text: 'a', proof: { origin: google, value: 'G' } },
      { type: 'reasoning', text: 'b', proof: { origin: undefined, value: 'SIG' } },
      { type: 'reasoning', text: '', redacted: true, proof: { origin: google, value: 'D' } },
    ) as readonly { thinking?: string; signature?: string; data?: string; type: string }[];
    expect(unsealProof(sealed?.signature ?? '')).to.deep.equal({ origin: google, value: 'G' });
    expect(plain).to.deep.equal({ type: 'thinking', thinking: 'b', signature: 'SIG' });
    expect(redacted?.type).to.equal('redacted_thinking');
    expect(unsealProof(redacted?.data ?? '')).to.deep.equal({ origin: google, value: 'D' });
  });

  it('sends the proof of a call in a block after it, and reads it back onto the call', () => {
    const call = {
      type: 'tool-call',
      id: 'call.1',
      name: 'f',
      kind: 'function',
      input: '{}',
      proof: { origin: google, value: 'SIG' },
    } as const;
    const content = contentOf(call) as readonly JsonObject[];
    expect(content.map(({ type }) => type)).to.deep.equal(['tool_use', 'thinking']);
    expect(content[1]?.['thinking']).to.equal('');
    const { turns } = decode({
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: [content[1], content[0]] },
      ],
    });
    expect(turns[1]?.parts).to.deep.equal([call]);
  });

  it('hides thinking that the client did not request, and keeps its proof', () => {
    const context = writeContext({ request: decode({ thinking: { type: 'adaptive', display: 'omitted' } }) });
    const parts: readonly Part[] = [
      { type: 'reasoning', text: 'secret', proof: { origin: undefined, value: 'SIG' } },
      { type: 'reasoning', text: 'secret' },
    ];
    expect(write(answer(parts), context)['content']).to.deep.equal([
      { type: 'thinking', thinking: '', signature: 'SIG' },
    ]);
  });

  it('writes refusals as text and omits empty text', () => {
    expect(contentOf({ type: 'text', text: '' }, { type: 'refusal', text: 'no' })).to.deep.equal([
      { type: 'text', text: 'no', citations: [] },
    ]);
  });

  it('names the signature of a text as lost', () => {
    const { losses, lose } = collectLosses();
    write(answer([{ type: 'text', text: 'x', proof: { origin: undefined, value: 'S' } }]), writeContext({ lose }));
    expect(losses.map(({ field, kind }) => [field, kind])).to.deep.equal([['content', 'dropped']]);
  });

  it('keeps citations and blocks of this wire, and names those of other wires as lost', () => {
    const own = { type: 'char_location', document_index: 0 };
    const foreign = (citation: Omit<Citation, 'vendor'>): Citation => ({
      ...citation,
      vendor: { wire: 'responses', value: {} },
    });
    const { losses, lose } = collectLosses();
    const content = write(
      answer([
        {
          type: 'text',
          text: 'x',
          citations: [
            { vendor: { wire: 'messages', value: own } },
            foreign({ url: 'u', title: 't', quote: 'q', start: 0, end: 1 }),
            foreign({}),
          ],
        },
        { type: 'opaque', wire: 'messages', value: { type: 'compaction', content: 'c' } },
        { type: 'opaque', wire: 'responses', value: { type: 'web_search_call' } },
        { type: 'media', media: { mediaType: 'image/png', base64: '' } },
      ]),
      writeContext({ lose }),
    )['content'];
    expect(content).to.deep.equal([
      {
        type: 'text',
        text: 'x',
        citations: [
          own,
          { type: 'web_search_result_location', url: 'u', title: 't', cited_text: 'q', encrypted_index: '' },
        ],
      },
      { type: 'compaction', content: 'c' },
    ]);
    expect(losses.map(({ field, kind }) => [field, kind])).to.deep.equal([
      ['citations', 'dropped'],
      ['content', 'dropped'],
      ['media', 'dropped'],
    ]);
  });

  it('writes a stop reason for every finish', () => {
    const words: readonly (readonly [Finish, string, string | null])[] = [
      [{ reason: 'stop' }, 'end_turn', null],
      [{ reason: 'stop', vendor: 'eos' }, 'end_turn', null],
      [{ reason: 'stop_sequence', sequence: 'END' }, 'stop_sequence', 'END'],
      [{ reason: 'stop_sequence' }, 'end_turn', null],
      [{ reason: 'length' }, 'max_tokens', null],
      [{ reason: 'tool_calls' }, 'tool_use', null],
      [{ reason: 'content_filter' }, 'refusal', null],
      [{ reason: 'refusal' }, 'refusal', null],
      [{ reason: 'pause' }, 'pause_turn', null],
      [{ reason: 'pause', vendor: 'compaction' }, 'compaction', null],
      [{ reason: 'context_overflow' }, 'model_context_window_exceeded', null],
    ];
    for (const [finish, reason, sequence] of words) {
      expect(write(answer([], {}, finish)), JSON.stringify(finish)).to.deep.include({
        stop_reason: reason,
        stop_sequence: sequence,
      });
    }
  });

  it('writes the explanation of a refusal without content (E33)', () => {
    const written = write(answer([], {}, { reason: 'refusal', explanation: 'X' }));
    expect(written['content']).to.deep.equal([]);
    expect(written['stop_details']).to.deep.equal({ type: 'refusal', category: null, explanation: 'X' });
  });

  it('restores a container on this wire only', () => {
    const container = { id: 'c' };
    expect(write(answer([], { extra: { wire: 'messages', members: { container } } }))['container']).to.deep.equal(
      container,
    );
    const { losses, lose } = collectLosses();
    expect(
      write(
        answer([], { extra: { wire: 'chat-completions', members: { system_fingerprint: 'f' } } }),
        writeContext({ lose }),
      ),
    ).not.to.have.property('system_fingerprint');
    expect(losses).to.have.length(1);
  });

  it("writes the vendor's tier in the terms of this wire", () => {
    const tierOf = (tier: string) =>
      (write(answer([], { usage: { ...usage, tier } }))['usage'] as JsonObject)['service_tier'];
    expect(['standard', 'default', 'priority', 'batch', 'flex'].map(tierOf)).to.deep.equal([
      'standard',
      'standard',
      'priority',
      'batch',
      null,
    ]);
  });
});
