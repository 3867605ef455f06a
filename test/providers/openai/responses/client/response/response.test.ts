import { expect } from 'chai';
import type { Citation, GenerateResponse, Part } from '../../../../../../core/api/index.ts';
import { sealProof } from '../../../../../../core/api/codec.ts';
import { answerOf, decode, itemsOf, respond, usage } from '../harness.ts';

const proof = { origin: { provider: 'a', family: 'anthropic' }, value: 'SIG' };
const proving = decode({ include: ['reasoning.encrypted_content'] });
const contentOf = (parts: readonly Part[]) => itemsOf(respond(answerOf(parts)).body)[0]?.['content'];

describe('responses: client response', () => {
  it('writes the members of the wire, with the given ids and times', () => {
    const { body } = respond({
      ...answerOf([{ type: 'text', text: 'Hi' }]),
      usage: { ...usage, cacheWrite5m: 300, cacheWrite1h: 200, tier: 'default' },
    });
    expect(body).to.deep.equal({
      id: 'resp_1',
      object: 'response',
      created_at: 1_763,
      completed_at: 1_764,
      status: 'completed',
      background: false,
      error: null,
      frequency_penalty: 0,
      incomplete_details: null,
      instructions: null,
      max_output_tokens: null,
      max_tool_calls: null,
      metadata: {},
      model: 'p/m',
      output: [
        {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Hi', annotations: [], logprobs: [] }],
        },
      ],
      output_text: 'Hi',
      parallel_tool_calls: true,
      presence_penalty: 0,
      previous_response_id: null,
      prompt_cache_key: null,
      reasoning: { effort: null, summary: null },
      safety_identifier: null,
      service_tier: 'default',
      store: false,
      temperature: 1,
      text: { format: { type: 'text' } },
      tool_choice: 'auto',
      tools: [],
      top_logprobs: 0,
      top_p: 1,
      truncation: 'disabled',
      usage: {
        input_tokens: 4_512,
        input_tokens_details: { cached_tokens: 4_000, cache_write_tokens: 500 },
        output_tokens: 90,
        output_tokens_details: { reasoning_tokens: 60 },
        total_tokens: 4_602,
      },
    });
  });

  it('generates an id of this wire and a model name when the provider sent none', () => {
    expect(respond({ id: 'msg_vendor', choices: [] }).body).to.deep.include({
      id: 'resp_1',
      model: 'unknown',
      status: 'completed',
      output: [],
      output_text: '',
    });
  });

  it('the response repeats the settings of the request', () => {
    const settings = {
      instructions: 'Be brief.',
      max_output_tokens: 64,
      max_tool_calls: 3,
      metadata: { ticket: '7' },
      parallel_tool_calls: false,
      prompt_cache_key: 'k',
      reasoning: { effort: 'high', summary: 'detailed' },
      safety_identifier: 's',
      service_tier: 'flex',
      store: true,
      temperature: 0.5,
      text: {
        format: { type: 'json_schema', name: 'n', description: 'd', schema: { type: 'object' }, strict: true },
        verbosity: 'low',
      },
      tool_choice: 'required',
      tools: [{ type: 'function', name: 'f', description: 'd', parameters: { type: 'object' }, strict: false }],
      top_logprobs: 2,
      top_p: 0.9,
      truncation: 'auto',
      user: 'u',
    };
    expect(respond(answerOf([]), decode(settings)).body).to.deep.include(settings);
    const { body } = respond(answerOf([]), decode({ user: 'u', reasoning: { effort: 'low', summary: 'auto' } }));
    expect(body).to.deep.include({ user: 'u', reasoning: { effort: 'low', summary: 'auto' } });
    expect(body['safety_identifier']).to.equal(null);
  });

  it('does not repeat a leading system item as instructions', () => {
    const input = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'hi' },
    ];
    expect(respond(answerOf([]), decode({ input })).body['instructions']).to.equal(null);
    expect(respond(answerOf([]), decode({ input, instructions: '' })).body['instructions']).to.equal(null);
    expect(respond(answerOf([]), decode({ input, instructions: 'Really.' })).body['instructions']).to.equal('Really.');
  });

  it('writes neighbouring texts and refusals in one message, and others in messages of their own', () => {
    const { body } = respond(
      answerOf([
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
        { type: 'refusal', text: 'No.' },
        { type: 'tool-call', id: 'c', name: 'f', kind: 'function', input: '' },
        { type: 'text', text: 'd' },
      ]),
    );
    expect(itemsOf(body).map(({ id, type, status }) => [id, type, status])).to.deep.equal([
      ['msg_1', 'message', 'completed'],
      ['fc_1', 'function_call', 'completed'],
      ['msg_2', 'message', 'completed'],
    ]);
    expect(itemsOf(body)[0]?.['content']).to.deep.equal([
      { type: 'output_text', text: 'a', annotations: [], logprobs: [] },
      { type: 'output_text', text: 'b', annotations: [], logprobs: [] },
      { type: 'refusal', refusal: 'No.' },
    ]);
    expect(itemsOf(body)[1]).to.deep.include({ call_id: 'c', name: 'f', arguments: '{}' });
    expect(body['output_text']).to.equal('abd');
  });

  it('leaves an empty text out of the response', () => {
    expect(
      respond(
        answerOf([
          { type: 'text', text: '' },
          { type: 'refusal', text: '' },
        ]),
      ).body['output'],
    ).to.deep.equal([]);
  });

  it('writes reasoning as one summary, with its proof only for clients that requested it', () => {
    const parts: readonly Part[] = [
      { type: 'reasoning', text: 'hm', proof },
      { type: 'reasoning', text: '', proof },
      { type: 'text', text: 't' },
    ];
    expect(itemsOf(respond(answerOf(parts)).body).slice(0, 2)).to.deep.equal([
      { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
      { id: 'rs_2', type: 'reasoning', summary: [{ type: 'summary_text', text: '' }] },
    ]);
    expect(itemsOf(respond(answerOf(parts), proving).body)[0]).to.include({ encrypted_content: sealProof(proof) });
    expect(
      itemsOf(respond(answerOf(parts), decode({ include: ['reasoning.encrypted_content'], store: true })).body)[0],
    ).to.include({ encrypted_content: sealProof(proof) });
  });

  it('writes proofs also when only the extra member include requests them', () => {
    const request = {
      ...decode(),
      extra: { wire: 'responses', members: { include: ['reasoning.encrypted_content'] } },
    };
    expect(itemsOf(respond(answerOf([{ type: 'reasoning', text: 'hm', proof }]), request).body)[0]).to.include({
      encrypted_content: sealProof(proof),
    });
  });

  it('hides excluded reasoning and keeps its proof', () => {
    const hiding = { ...proving, reasoning: { effort: 'high', show: false } };
    expect(itemsOf(respond(answerOf([{ type: 'reasoning', text: 'secret', proof }]), hiding).body)).to.deep.equal([
      { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: sealProof(proof) },
    ]);
  });

  it('E38: writes redacted reasoning as an item without a summary', () => {
    const redacted = { ...proof, redacted: true as const };
    for (const given of [proof, redacted]) {
      const [item] = itemsOf(
        respond(answerOf([{ type: 'reasoning', text: '', redacted: true, proof: given }]), proving).body,
      );
      expect(item).to.deep.equal({
        id: 'rs_1',
        type: 'reasoning',
        summary: [],
        encrypted_content: sealProof(redacted),
      });
    }
  });

  it('E50: a response is incomplete and holds only reasoning when the model ran out of tokens while it reasoned', () => {
    const { body } = respond(answerOf([{ type: 'reasoning', text: 'hm' }], { finish: { reason: 'length' } }));
    expect(body).to.deep.include({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output_text: '',
    });
    expect(itemsOf(body).map(({ type }) => type)).to.deep.equal(['reasoning']);
  });

  it('marks only the item in which the response was cut as incomplete', () => {
    for (const [reason, word] of [
      ['length', 'max_output_tokens'],
      ['context_overflow', 'max_output_tokens'],
      ['content_filter', 'content_filter'],
    ] as const) {
      const parts: readonly Part[] = [
        { type: 'text', text: 'a' },
        { type: 'tool-call', id: 'c', name: 'f', kind: 'function', input: '{"a":' },
      ];
      const { body } = respond(answerOf(parts, { finish: { reason } }));
      expect(body).to.deep.include({ status: 'incomplete', incomplete_details: { reason: word } });
      expect(itemsOf(body).map(({ status }) => status)).to.deep.equal(['completed', 'incomplete']);
    }
  });

  it('E33: writes a refusal without text as an incomplete response without output', () => {
    const { body, losses } = respond(answerOf([], { finish: { reason: 'refusal', explanation: 'X' } }));
    expect(body).to.deep.include({
      status: 'incomplete',
      incomplete_details: { reason: 'content_filter' },
      output: [],
    });
    expect(losses).to.deep.include.members([
      {
        field: 'incomplete_details',
        kind: 'dropped',
        detail: 'responses has no member for the explanation of a refusal',
      },
    ]);
  });

  it('E33: writes a refusal with text as a completed response', () => {
    const { body, losses } = respond(
      answerOf([{ type: 'refusal', text: 'No.' }], { finish: { reason: 'refusal', explanation: 'X' } }),
    );
    expect(body).to.deep.include({ status: 'completed', incomplete_details: null, output_text: '' });
    expect(itemsOf(body)[0]).to.include({ status: 'completed' });
    expect(losses).to.deep.equal([]);
  });

  it('a response is completed for every other finish reason', () => {
    for (const reason of ['stop', 'stop_sequence', 'tool_calls', 'pause'] as const)
      expect(respond(answerOf([{ type: 'text', text: 'a' }], { finish: { reason } })).body['status']).to.equal(
        'completed',
      );
  });

  it('keeps the status of a background response', () => {
    expect(respond(answerOf([], { finish: { reason: 'pause', vendor: 'queued' } })).body).to.deep.include({
      status: 'queued',
      output: [],
    });
  });

  it('writes the offsets of citations in code points', () => {
    const own = { type: 'file_citation', file_id: 'f', filename: 'n', index: 3 };
    const citations: readonly Citation[] = [
      { vendor: { wire: 'responses', value: own } },
      { url: 'https://a.b', start: 1, end: 2, vendor: { wire: 'generate-content', value: {} } },
      { url: 'https://c.d', title: 'T', vendor: { wire: 'messages', value: {} } },
    ];
    expect(contentOf([{ type: 'text', text: '😀bc', citations }])).to.deep.equal([
      {
        type: 'output_text',
        text: '😀bc',
        annotations: [
          own,
          { type: 'url_citation', url: 'https://a.b', title: 'https://a.b', start_index: 1, end_index: 2 },
          { type: 'url_citation', url: 'https://c.d', title: 'T', start_index: 0, end_index: 3 },
        ],
        logprobs: [],
      },
    ]);
    expect(
      respond(answerOf([{ type: 'text', text: 'a', citations: [{ vendor: { wire: 'messages', value: {} } }] }])).losses,
    ).to.have.length(1);
  });

  it('writes images of the model, and reports what has no place as lost', () => {
    const parts: readonly Part[] = [
      { type: 'media', media: { mediaType: 'image/png', base64: 'QUJD' } },
      { type: 'media', media: { mediaType: 'image/png', url: 'https://a.b' } },
      { type: 'media', media: { mediaType: 'audio/mpeg', base64: 'QUJD' } },
      { type: 'opaque', wire: 'messages', value: { type: 'server_tool_use' } },
      { type: 'opaque', wire: 'responses', value: { type: 'web_search_call', id: 'ws_1', status: 'completed' } },
    ];
    const { body, losses } = respond(answerOf(parts));
    expect(itemsOf(body)).to.deep.equal([
      { id: 'ig_1', type: 'image_generation_call', status: 'completed', result: 'QUJD' },
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
    ]);
    expect(losses.map(({ field, kind }) => [field, kind])).to.deep.equal([
      ['output', 'dropped'],
      ['output', 'dropped'],
      ['output', 'dropped'],
    ]);
  });

  it('returns extra members of this wire, and reports those of other wires as lost', () => {
    const response: GenerateResponse = {
      ...answerOf([], { extra: { wire: 'chat-completions', members: { logprobs: { content: [] } } } }),
      extra: { wire: 'responses', members: { content_filters: [1], status: 'odd' } },
    };
    const { body, losses } = respond(response);
    expect(body).to.deep.include({ content_filters: [1], status: 'completed' });
    expect(losses.map(({ field }) => field)).to.deep.equal(['logprobs']);
  });
});
