import { expect } from 'chai';
import { writeExtraMembers } from '../../../../../../core/api/codec.ts';
import { answerOf, collectLosses, decode, decodeBody, decodeItems, catchError, respond } from '../harness.ts';

describe('responses: client request', () => {
  it('decodes every field that has a canonical member', () => {
    const request = decode({
      instructions: 'Be brief.',
      max_output_tokens: 50,
      temperature: 0.5,
      top_p: 0.9,
      text: { verbosity: 'low' },
      safety_identifier: 'u',
      service_tier: 'flex',
      prompt_cache_key: 'k',
      store: false,
      stream: true,
      parallel_tool_calls: false,
      reasoning: { effort: 'xhigh', summary: 'auto' },
    });
    expect(request).to.deep.include({
      maxTokens: 50,
      temperature: 0.5,
      topP: 0.9,
      verbosity: 'low',
      user: 'u',
      serviceTier: 'flex',
      cacheKey: 'k',
      store: false,
      stream: true,
      includeUsage: true,
      parallelTools: false,
      reasoning: { effort: 'xhigh', show: true },
      turns: [
        { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
        { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
      ],
    });
    expect(request.extra.members).to.deep.equal({});
  });

  it('decodes a minimal request without values that the client did not send', () => {
    expect(decodeBody({ model: 'openai/gpt-4.1', input: 'hi' })).to.deep.equal({
      model: 'openai/gpt-4.1',
      request: {
        wire: 'responses',
        turns: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
        tools: [],
        choices: 1,
        stream: false,
        includeUsage: true,
        extra: { wire: 'responses', members: {} },
      },
    });
  });

  it('E41: treats null as absent in every member', () => {
    const settings = [
      'instructions',
      'max_output_tokens',
      'max_tool_calls',
      'temperature',
      'top_p',
      'top_logprobs',
      'tools',
      'tool_choice',
      'parallel_tool_calls',
      'text',
      'reasoning',
      'include',
      'store',
      'service_tier',
    ];
    const others = [
      'previous_response_id',
      'conversation',
      'prompt',
      'background',
      'truncation',
      'metadata',
      'user',
      'safety_identifier',
      'prompt_cache_key',
      'stream',
      'stream_options',
      'context_management',
    ];
    const nulls = [...settings, ...others];
    expect(decode(Object.fromEntries(nulls.map((name) => [name, null])))).to.deep.equal(decode());
    expect(
      decode({ text: { format: null, verbosity: null }, reasoning: { effort: null, summary: null } }),
    ).to.deep.equal(decode());
    expect(decodeItems({ type: null, role: 'user', content: 'hi', id: null, status: null, phase: null })).to.deep.equal(
      decode(),
    );
  });

  it('keeps members without a canonical member', () => {
    const members = {
      metadata: { a: 'b' },
      truncation: 'auto',
      top_logprobs: 3,
      max_tool_calls: 4,
      context_management: [{ type: 'compaction', compact_threshold: 1_000 }],
      prompt_cache_options: { mode: 'implicit', ttl: '30m' },
      include: ['message.output_text.logprobs'],
      brand_new: 1,
    };
    expect(decode(members).extra).to.deep.equal({
      wire: 'responses',
      members,
      honoured: ['metadata', 'top_logprobs', 'include'],
      groups: ['prompt_cache_options'],
    });
    expect(
      decode({ reasoning: { summary: 'detailed', context: 'all_turns', mode: 'pro' } }).extra.members,
    ).to.deep.equal({ reasoning: { context: 'all_turns', mode: 'pro', summary: 'detailed' } });
    expect(decode({ text: { brand_new: 1, format: { type: 'text', brand_new: 2 } } }).extra.members).to.deep.equal({
      text: { brand_new: 1, format: { brand_new: 2 } },
    });
    expect(decode({ text: { format: { type: 'yaml', indent: 2 } } }).extra.members).to.deep.equal({
      text: { format: { type: 'yaml', indent: 2 } },
    });
  });

  it('drops members that equal their default or that the gateway handles itself', () => {
    expect(decode({ background: false, include: [], stream_options: { include_obfuscation: false } })).to.deep.equal(
      decode(),
    );
    expect(decode({ include: ['reasoning.encrypted_content'] }).extra.members).to.deep.equal({});
    expect(
      decode({ include: ['reasoning.encrypted_content', 'file_search_call.results'] }).extra.members,
    ).to.deep.equal({ include: ['file_search_call.results'] });
    expect(decode({ include: ['reasoning.encrypted_content'], store: true }).extra.members).to.deep.equal({
      include: ['reasoning.encrypted_content'],
    });
    expect(decode({ stream_options: { include_obfuscation: true } }).extra.members).to.deep.equal({
      stream_options: { include_obfuscation: true },
    });
  });

  it('reports no loss on another wire for what the gateway handles or every vendor does', () => {
    const lostOf = (members: Record<string, unknown>): readonly string[] => {
      const { losses, lose } = collectLosses();
      writeExtraMembers(decode(members).extra, 'messages', lose);
      return losses.map(({ field }) => field);
    };
    expect(
      lostOf({
        metadata: { a: 'b' },
        truncation: 'disabled',
        top_logprobs: 0,
        include: ['reasoning.encrypted_content'],
        store: true,
      }),
    ).to.deep.equal([]);
    expect(
      lostOf({
        metadata: {},
        truncation: 'auto',
        top_logprobs: 1,
        include: ['reasoning.encrypted_content', 'web_search_call.results'],
      }),
    ).to.have.members(['truncation', 'include']);
    expect(lostOf({ include: ['message.output_text.logprobs'], top_logprobs: 1 })).to.deep.equal([]);
    expect(
      respond(answerOf([]), decode({ metadata: { a: 'b' }, truncation: 'disabled', top_logprobs: 0 })).body,
    ).to.deep.include({ metadata: { a: 'b' }, truncation: 'disabled', top_logprobs: 0 });
  });

  it('reads the number of log probabilities, with or without its value of include', () => {
    const include = ['message.output_text.logprobs'];
    expect(decode({ include }).logprobs).to.equal(0);
    expect(decode({ include, top_logprobs: 2 }).logprobs).to.equal(2);
    expect(decode({ top_logprobs: 2 }).logprobs).to.equal(2);
    expect(decode({ top_logprobs: 0 })).to.not.have.property('logprobs');
  });

  it('reads any summary, under either name, as a request to show reasoning', () => {
    for (const summary of ['auto', 'concise', 'detailed'])
      expect(decode({ reasoning: { summary } }).reasoning).to.deep.equal({ show: true });
    const older = decode({ reasoning: { effort: 'none', generate_summary: 'concise' } });
    expect(older.reasoning).to.deep.equal({ effort: 'none', show: true });
    expect(older.extra.members).to.deep.equal({ reasoning: { summary: 'concise' } });
    expect(decode({ reasoning: { effort: 'low' } }).reasoning).to.deep.equal({ effort: 'low' });
  });

  it('decodes the output format, which is flat on this wire', () => {
    const schema = { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { enum: [1, null] } } };
    expect(
      decode({ text: { format: { type: 'json_schema', name: 'n', description: 'd', schema, strict: true } } }).output,
    ).to.deep.equal({ type: 'schema', name: 'n', description: 'd', schema, strict: true });
    expect(decode({ text: { format: { type: 'json_object' } } }).output).to.deep.equal({ type: 'json' });
    expect(decode({ text: { format: { type: 'text' } } }).output).to.equal(undefined);
  });

  it('lists references to data stored at the vendor', () => {
    const kept = {
      previous_response_id: 'resp_1',
      conversation: { id: 'conv_1' },
      prompt: { id: 'pmpt_1', version: '2' },
      background: true,
    };
    const request = decode(kept);
    expect(request.vendorState).to.deep.equal(['previous_response_id', 'conversation', 'prompt', 'background']);
    expect(request.extra.members).to.deep.equal(kept);
    const items = decodeItems({ role: 'user', content: 'hi' }, { type: 'item_reference', id: 'msg_1' }, { id: 'rs_1' });
    expect(items.vendorState).to.deep.equal(['input[1]', 'input[2]']);
    expect(items.turns[1]).to.deep.equal({
      role: 'user',
      parts: [
        { type: 'opaque', wire: 'responses', value: { type: 'item_reference', id: 'msg_1' } },
        { type: 'opaque', wire: 'responses', value: { type: 'item_reference', id: 'rs_1' } },
      ],
    });
    expect(decode().vendorState).to.equal(undefined);
  });

  it('accepts a missing input when the vendor stores the conversation', () => {
    expect(decodeBody({ model: 'm', prompt: { id: 'pmpt_1' } }).request.turns).to.deep.equal([]);
    expect(decodeBody({ model: 'm', previous_response_id: 'resp_1', input: [] }).request.turns).to.deep.equal([]);
    for (const input of [undefined, null, []])
      expect(catchError(() => decodeBody({ model: 'm', input })).param).to.equal('input');
  });

  it('keeps both members of the end user', () => {
    expect(decode({ user: 'u' }).user).to.equal('u');
    const both = decode({ user: 'old', safety_identifier: 'new' });
    expect(both.user).to.equal('new');
    expect(both.extra.members).to.deep.equal({ user: 'old' });
  });

  it('rejects invalid members and names each', () => {
    const wrong: readonly (readonly [members: Record<string, unknown>, param: string])[] = [
      [{ model: undefined }, 'model'],
      [{ model: 7 }, 'model'],
      [{ input: 5 }, 'input'],
      [{ input: {} }, 'input'],
      [{ instructions: ['a'] }, 'instructions'],
      [{ temperature: 2.1 }, 'temperature'],
      [{ temperature: -0.1 }, 'temperature'],
      [{ temperature: '1' }, 'temperature'],
      [{ max_output_tokens: 0 }, 'max_output_tokens'],
      [{ max_output_tokens: 1.5 }, 'max_output_tokens'],
      [{ top_logprobs: 21 }, 'top_logprobs'],
      [{ metadata: [] }, 'metadata'],
      [{ include: 'reasoning.encrypted_content' }, 'include'],
      [{ include: [1] }, 'include[0]'],
      [{ reasoning: 'high' }, 'reasoning'],
      [{ reasoning: { effort: 'huge' } }, 'reasoning.effort'],
      [{ reasoning: { summary: 'all' } }, 'reasoning.summary'],
      [{ text: 'json' }, 'text'],
      [{ text: { format: 'json' } }, 'text.format'],
      [{ text: { format: {} } }, 'text.format.type'],
      [{ text: { format: { type: 'json_schema', name: 'n' } } }, 'text.format.schema'],
      [{ stream: 'yes' }, 'stream'],
      [{ store: 1 }, 'store'],
      [{ background: 'later' }, 'background'],
      [{ previous_response_id: 1 }, 'previous_response_id'],
      [{ conversation: 1 }, 'conversation'],
      [{ parallel_tool_calls: 'no' }, 'parallel_tool_calls'],
      [{ stream_options: { include_obfuscation: 1 } }, 'stream_options.include_obfuscation'],
    ];
    for (const [members, param] of wrong) {
      const error = catchError(() => decode(members));
      expect([error.status, error.param], JSON.stringify(members)).to.deep.equal([400, param]);
      expect(error.message).to.include(`'${param}'`);
    }
    expect(catchError(() => decodeBody([])).status).to.equal(400);
    expect(decode({ temperature: 2 }).temperature).to.equal(2);
  });
});
