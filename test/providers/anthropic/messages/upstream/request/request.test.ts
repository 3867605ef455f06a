import { expect } from 'chai';
import {
  GatewayError,
  type GenerateRequest,
  type JsonObject,
  type Part,
  type Reasoning,
  type Turn,
} from '../../../../../../core/api/index.ts';
import { decodeCountRequest } from '../../../../../../providers/anthropic/messages/client/request/request.ts';
import { decode, encode, foreign, inbound, minimal, origin, versioned } from '../../exchange.ts';

const user = (...parts: readonly Part[]): Turn => ({ role: 'user', parts });
const assistant = (...parts: readonly Part[]): Turn => ({ role: 'assistant', parts });
const system = (...parts: readonly Part[]): Turn => ({ role: 'system', parts });
const text = (words: string): Part => ({ type: 'text', text: words });
const call = (id: string, input = '{}', name = 'f'): Part => ({ type: 'tool-call', id, name, kind: 'function', input });
const result = (id: string, words: string, failed = false): Part => ({
  type: 'tool-result',
  id,
  failed,
  parts: [text(words)],
});

const messagesOf = (...turns: readonly Turn[]) => encode(foreign({ turns })).body['messages'];
const bodyOf = (members: Partial<GenerateRequest>): JsonObject => encode(foreign(members)).body;
const lossesOf = (members: Partial<GenerateRequest>) =>
  encode(foreign(members)).losses.map(({ field, kind }) => [field, kind]);

describe('messages upstream: requests', () => {
  it('the upstream request has only the members that the client sent', () => {
    expect(encode(foreign())).to.deep.equal({
      body: {
        model: 'claude-sonnet-4-5',
        messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
        max_tokens: 100,
      },
      headers: { 'anthropic-version': '2026-10-21' },
      losses: [],
    });
  });

  it('uses the older version for sampling parameters (E19)', () => {
    for (const members of [{ temperature: 1 }, { topP: 0.5 }, { topK: 4 }])
      expect(encode(foreign(members)).headers['anthropic-version'], JSON.stringify(members)).to.equal('2023-06-01');
    expect(bodyOf({ temperature: 0.2, topP: 0.5, topK: 4, stop: ['END'], stream: true, user: 'u' })).to.deep.include({
      temperature: 0.2,
      top_p: 0.5,
      top_k: 4,
      stop_sequences: ['END'],
      stream: true,
      metadata: { user_id: 'u' },
    });
  });

  it('names every field that the wire does not have', () => {
    const losses = lossesOf({
      seed: 1,
      presencePenalty: 1,
      frequencyPenalty: 1,
      verbosity: 'low',
      cacheKey: 'k',
      store: true,
      choices: 2,
      output: { type: 'json' },
      extra: { wire: 'chat-completions', members: { logit_bias: {} } },
    });
    expect(losses.map(([field]) => field)).to.have.members([
      'seed',
      'presence_penalty',
      'frequency_penalty',
      'verbosity',
      'prompt_cache_key',
      'store',
      'n',
      'response_format',
      'logit_bias',
    ]);
    expect(new Set(losses.map(([, kind]) => kind))).to.deep.equal(new Set(['dropped']));
    expect(lossesOf({ store: false })).to.deep.equal([]);
  });

  it('maps tiers to the two of this wire', () => {
    const tiers = ['auto', 'priority', 'default', 'flex', 'unheard'].map(
      (serviceTier) => bodyOf({ serviceTier })['service_tier'],
    );
    expect(tiers).to.deep.equal(['auto', 'auto', 'standard_only', 'standard_only', undefined]);
    expect(lossesOf({ serviceTier: 'flex' })).to.deep.equal([['service_tier', 'approximated']]);
    expect(lossesOf({ serviceTier: 'unheard' })).to.deep.equal([['service_tier', 'dropped']]);
    expect(encode(decode({ service_tier: 'new_word' })).body['service_tier']).to.equal('new_word');
  });

  it('drops stop sequences of white space and names the loss', () => {
    expect(bodyOf({ stop: ['\n', 'END'] })['stop_sequences']).to.deep.equal(['END']);
    expect(bodyOf({ stop: ['\n'] })).not.to.have.property('stop_sequences');
    expect(lossesOf({ stop: ['\n'] })).to.deep.equal([['stop', 'dropped']]);
  });

  it('drops the name of an output format', () => {
    const schema = { type: 'object', additionalProperties: false };
    expect(bodyOf({ output: { type: 'schema', name: 'n', schema, strict: true } })['output_config']).to.deep.equal({
      format: { type: 'json_schema', schema },
    });
  });

  it('names what a schema cannot express on the wire', () => {
    expect(
      lossesOf({ output: { type: 'schema', name: 'n', description: 'd', strict: false, schema: {} } }),
    ).to.deep.equal([
      ['response_format.description', 'dropped'],
      ['response_format.strict', 'approximated'],
    ]);
  });

  it('restores the extra members of this wire, with betas and their header', () => {
    const request = decode(
      {
        context_management: { edits: [] },
        output_config: { effort: 'low', task_budget: { total: 1 } },
        metadata: { user_id: 'u', trace: 't' },
      },
      { ...versioned, 'anthropic-beta': 'b1,b2' },
    );
    const { body, headers, losses } = encode(request);
    expect(body).to.deep.include({
      context_management: { edits: [] },
      output_config: { task_budget: { total: 1 }, effort: 'low' },
      metadata: { user_id: 'u', trace: 't' },
    });
    expect(body).not.to.have.property('anthropic-beta');
    expect(headers['anthropic-beta']).to.equal('b1,b2');
    expect(losses).to.deep.equal([]);
  });
});

describe('messages upstream: thinking', () => {
  const thinkingOf = (reasoning: Reasoning) => {
    const { thinking, output_config: config } = bodyOf({ reasoning });
    return [thinking, config];
  };

  it('encodes thinking by budget, by effort, or switched off', () => {
    expect(thinkingOf({ budget: 2048 })).to.deep.equal([{ type: 'enabled', budget_tokens: 2048 }, undefined]);
    expect(thinkingOf({ budget: 2048, show: false })).to.deep.equal([
      { type: 'enabled', budget_tokens: 2048, display: 'omitted' },
      undefined,
    ]);
    expect(thinkingOf({ effort: 'high' })).to.deep.equal([{ type: 'adaptive' }, { effort: 'high' }]);
    expect(thinkingOf({ effort: 'high', show: true })).to.deep.equal([
      { type: 'adaptive', display: 'summarized' },
      { effort: 'high' },
    ]);
    expect(thinkingOf({ effort: 'none' })).to.deep.equal([{ type: 'disabled' }, undefined]);
    expect(thinkingOf({ budget: 0 })).to.deep.equal([{ type: 'disabled' }, undefined]);
    expect(thinkingOf({ show: false })).to.deep.equal([undefined, undefined]);
  });

  it('maps reasoning efforts below low to low', () => {
    expect(thinkingOf({ effort: 'minimal' })).to.deep.equal([{ type: 'adaptive' }, { effort: 'low' }]);
    expect(lossesOf({ reasoning: { effort: 'minimal' } })).to.deep.equal([['reasoning_effort', 'approximated']]);
  });

  it('restores thinking as the client of this wire sent it', () => {
    for (const members of [
      { thinking: { type: 'enabled', budget_tokens: 2048 } },
      { thinking: { type: 'enabled', budget_tokens: 2048, display: 'omitted' } },
      { thinking: { type: 'adaptive', display: 'omitted' }, output_config: { effort: 'low' } },
      { thinking: { type: 'disabled' } },
      { thinking: { type: 'disabled' }, output_config: { effort: 'low' } },
      { output_config: { effort: 'medium' } },
      { thinking: { type: 'between_tools' }, output_config: { effort: 'low' } },
      { thinking: { type: 'enabled', budget_tokens: 2048, new_member: 1 } },
      { output_config: { format: { type: 'json_schema', schema: {}, new_member: 1 } } },
    ]) {
      expect(encode(decode(members)).body, JSON.stringify(members)).to.deep.include(members);
    }
  });
});

describe('messages upstream: turns', () => {
  it('puts the leading system turns into blocks with their cache marks', () => {
    const { body } = encode(
      foreign({
        turns: [
          system(text('a'), { ...text('b'), cache: { ttl: '1h' } }),
          system(text('c')),
          user(text('hi')),
          system(text('later')),
          user(text('go')),
        ],
      }),
    );
    expect(body['system']).to.deep.equal([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b', cache_control: { type: 'ephemeral', ttl: '1h' } },
      { type: 'text', text: 'c' },
    ]);
    expect((body['messages'] as readonly JsonObject[]).map(({ role }) => role)).to.deep.equal([
      'user',
      'system',
      'user',
    ]);
  });

  it('rounds other lifetimes of cache marks to the nearer of the two', () => {
    const marks = (['5m', '30m', '1h', '12h'] as const).map(
      (ttl) =>
        (
          encode(foreign({ turns: [user({ ...text('a'), cache: { ttl } })] })).body['messages'] as readonly {
            content: readonly JsonObject[];
          }[]
        )[0]?.content[0]?.['cache_control'],
    );
    expect(marks).to.deep.equal([
      { type: 'ephemeral' },
      { type: 'ephemeral' },
      { type: 'ephemeral', ttl: '1h' },
      { type: 'ephemeral', ttl: '1h' },
    ]);
  });

  it('merges split results into one user turn, before its text (E8, E9)', () => {
    expect(
      messagesOf(
        user(text('q')),
        assistant(call('a'), call('b')),
        user(result('a', '1')),
        user(text('go'), result('b', '2', true)),
      ),
    ).to.deep.equal([
      { role: 'user', content: [{ type: 'text', text: 'q' }] },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'a', name: 'f', input: {} },
          { type: 'tool_use', id: 'b', name: 'f', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: '1' }] },
          { type: 'tool_result', tool_use_id: 'b', content: [{ type: 'text', text: '2' }], is_error: true },
          { type: 'text', text: 'go' },
        ],
      },
    ]);
  });

  it('leaves the merging of turns to the vendor if the client used this wire', () => {
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'a' }] },
      { role: 'user', content: [{ type: 'text', text: 'b' }] },
    ];
    expect(encode(decode({ messages })).body['messages']).to.deep.equal(messages);
  });

  it('drops empty text and empty turns, and merges the neighbours (E17)', () => {
    expect(messagesOf(user(text('a')), assistant(text('')), user(text('b'), text('')))).to.deep.equal([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    ]);
  });

  it('trims a prefill at its end, and no other text (E18)', () => {
    expect(messagesOf(user(text('a ')), assistant(text('{ \n')))).to.deep.equal([
      { role: 'user', content: [{ type: 'text', text: 'a ' }] },
      { role: 'assistant', content: [{ type: 'text', text: '{' }] },
    ]);
    expect(messagesOf(user(text('a')), assistant(text(' \n')))).to.deep.equal([
      { role: 'user', content: [{ type: 'text', text: 'a' }] },
    ]);
  });

  it('a conversation starts with a user turn', () => {
    const turns = [assistant(text('hello')), user(text('hi'))];
    expect((messagesOf(...turns) as readonly JsonObject[]).map(({ role }) => role)).to.deep.equal([
      'user',
      'assistant',
      'user',
    ]);
    expect(lossesOf({ turns })).to.deep.equal([['messages', 'injected']]);
  });

  it('replaces invalid call ids in calls and their results consistently, and keeps them distinct', () => {
    const long = 'x'.repeat(80);
    const turns = [
      user(text('q')),
      assistant(call('f.a:1'), call('f_a_1'), call(long)),
      user(result('f.a:1', '1'), result('f_a_1', '2'), result(long, '3')),
    ];
    const [, calls, results] = messagesOf(...turns) as readonly { content: readonly JsonObject[] }[];
    const ids = calls?.content.map(({ id }) => String(id)) ?? [];
    expect(ids).to.deep.equal(['f_a_1', 'f_a_1_2', 'x'.repeat(64)]);
    expect(results?.content.map(({ tool_use_id: id }) => id)).to.deep.equal(ids);
  });

  it('wraps arguments that are not an object (E4, E5)', () => {
    const inputOf = (input: string) =>
      (
        messagesOf(user(text('q')), assistant(call('a', input)), user(result('a', ''))) as readonly {
          content: readonly JsonObject[];
        }[]
      )[1]?.content[0]?.['input'];
    expect(inputOf('')).to.deep.equal({});
    expect(inputOf('{"city": "Par')).to.deep.equal({ _raw: '{"city": "Par' });
    expect(inputOf('[1]')).to.deep.equal({ value: [1] });
    expect(lossesOf({ turns: [user(text('q')), assistant(call('a', '[1]'))] })).to.deep.equal([
      ['messages[1].content[0].input', 'approximated'],
    ]);
  });

  it('writes thinking with its proof, redacted thinking as data, and drops thinking without proof', () => {
    const proof = { origin, value: 'SIG' };
    const turns = [
      user(text('q')),
      assistant(
        { type: 'reasoning', text: 'a', proof },
        { type: 'reasoning', text: '', redacted: true, proof },
        { type: 'reasoning', text: 'unsigned' },
        text('b'),
      ),
      user(text('c')),
    ];
    expect((messagesOf(...turns) as readonly JsonObject[])[1]?.['content']).to.deep.equal([
      { type: 'thinking', thinking: 'a', signature: 'SIG' },
      { type: 'redacted_thinking', data: 'SIG' },
      { type: 'text', text: 'b' },
    ]);
    expect(lossesOf({ turns })).to.deep.equal([['messages[1].content[2]', 'dropped']]);
  });

  it('writes media of every kind, and names what the wire cannot carry', () => {
    const media = (part: Omit<Extract<Part, { type: 'media' }>, 'type'>): Part => ({ type: 'media', ...part });
    const turns = [
      user(
        media({ media: { mediaType: 'image/jpg', base64: 'AA==' } }),
        media({ media: { mediaType: 'image/*', url: 'https://x' }, detail: 'high' }),
        media({ media: { mediaType: 'application/pdf', base64: 'AA==' }, name: 't' }),
        media({ media: { mediaType: 'text/markdown', base64: Buffer.from('grüße').toString('base64') } }),
        media({ media: { mediaType: 'application/pdf', fileId: 'f' } }),
        media({ media: { mediaType: 'audio/wav', base64: 'AA==' } }),
      ),
    ];
    expect((messagesOf(...turns) as readonly JsonObject[])[0]?.['content']).to.deep.equal([
      { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'AA==' } },
      { type: 'image', source: { type: 'url', url: 'https://x' } },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' }, title: 't' },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'grüße' } },
      { type: 'document', source: { type: 'file', file_id: 'f' } },
    ]);
    expect(lossesOf({ turns })).to.deep.equal([
      ['messages[0].content[1].detail', 'dropped'],
      ['messages[0].content[5]', 'dropped'],
    ]);
  });

  it('names parts and members of other wires as lost', () => {
    const turns = [
      {
        ...user(text('a'), { type: 'opaque', wire: 'responses', value: {} }),
        extra: { wire: 'chat-completions', members: { name: 'bob' } },
      },
    ];
    expect(lossesOf({ turns })).to.deep.equal([
      ['messages[0].name', 'dropped'],
      ['messages[0].content[1]', 'dropped'],
    ]);
  });

  it('names no loss for a role that became system', () => {
    expect(
      lossesOf({
        turns: [
          { ...system(text('a')), extra: { wire: 'chat-completions', members: { role: 'developer' } } },
          user(text('b')),
        ],
      }),
    ).to.deep.equal([]);
  });
});

describe('messages upstream: blocks with extra members', () => {
  const content = [
    {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: 'd' },
      title: 't',
      context: 'c',
      citations: { enabled: true },
    },
    {
      type: 'search_result',
      source: 's',
      title: 'r',
      content: [{ type: 'text', text: 'x' }],
      citations: { enabled: true },
    },
    { type: 'text', text: 'y', cache_control: { type: 'ephemeral', scope: 'global' } },
  ];

  it('restores the blocks of the wire whole', () => {
    expect(encode(decode({ messages: [{ role: 'user', content }] }))).to.deep.include({ losses: [] });
    expect(
      (encode(decode({ messages: [{ role: 'user', content }] })).body['messages'] as readonly JsonObject[])[0]?.[
        'content'
      ],
    ).to.deep.equal(content);
  });

  it('names the loss if a rule changed the part', () => {
    const request = decode({ messages: [{ role: 'user', content }] });
    const changed = {
      ...request,
      turns: request.turns.map((turn) => ({
        ...turn,
        parts: turn.parts.map((part) => (part.type === 'text' && part.text === 'y' ? { ...part, text: 'z' } : part)),
      })),
    };
    const { body, losses } = encode(changed);
    expect((body['messages'] as readonly { content: readonly unknown[] }[])[0]?.content[2]).to.deep.equal({
      type: 'text',
      text: 'z',
      cache_control: { type: 'ephemeral' },
    });
    expect(losses.map(({ field, kind }) => [field, kind])).to.deep.equal([['messages[0].content[2]', 'approximated']]);
  });

  it('uses the replaced id of the call in a restored block', () => {
    const use = {
      type: 'tool_use',
      id: 'a.b',
      name: 'f',
      input: {},
      caller: { type: 'code_execution_20260120', tool_id: 's' },
    };
    const messages = [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: [use] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a.b' }] },
    ];
    expect(
      (encode(decode({ messages })).body['messages'] as readonly { content: readonly unknown[] }[])[1]?.content[0],
    ).to.deep.equal({ ...use, id: 'a_b' });
  });
});

describe('messages upstream: tools', () => {
  const tool = (name: string) => ({ name, kind: 'function', schema: { type: 'object' } }) as const;
  const tools = [tool('a'), tool('b'), tool('c')];
  const toolsOf = (members: Partial<GenerateRequest>) => {
    const { tools: declared, tool_choice: choice } = bodyOf({ tools, ...members });
    return [(declared as readonly JsonObject[] | undefined)?.map(({ name }) => name), choice];
  };

  it('passes schemas unchanged, and writes one where there is none (E24)', () => {
    const schema = {
      $defs: { n: { enum: [1] } },
      type: 'object',
      properties: { a: { anyOf: [{ $ref: '#/$defs/n' }, { type: 'null' }] } },
    };
    const declared = bodyOf({
      tools: [
        { name: 'a', kind: 'function', description: 'd', schema, strict: true, cache: { ttl: '5m' } },
        { name: 'b', kind: 'function' },
        { name: 'c', kind: 'function', schema: {}, strict: false },
      ],
    })['tools'];
    expect(declared).to.deep.equal([
      { name: 'a', description: 'd', input_schema: schema, strict: true, cache_control: { type: 'ephemeral' } },
      { name: 'b', input_schema: { type: 'object', properties: {} } },
      { name: 'c', input_schema: { type: 'object', properties: {} } },
    ]);
  });

  it('writes each tool choice of a messages request', () => {
    const all = ['a', 'b', 'c'];
    expect(toolsOf({})).to.deep.equal([all, undefined]);
    expect(toolsOf({ toolChoice: { mode: 'auto' } })).to.deep.equal([all, { type: 'auto' }]);
    expect(toolsOf({ toolChoice: { mode: 'required' } })).to.deep.equal([all, { type: 'any' }]);
    expect(toolsOf({ toolChoice: { mode: 'none' }, parallelTools: false })).to.deep.equal([all, { type: 'none' }]);
    expect(toolsOf({ toolChoice: { mode: 'required', only: ['b'] }, parallelTools: false })).to.deep.equal([
      all,
      { type: 'tool', name: 'b', disable_parallel_tool_use: true },
    ]);
    expect(toolsOf({ parallelTools: false })).to.deep.equal([all, { type: 'auto', disable_parallel_tool_use: true }]);
    expect(toolsOf({ parallelTools: true })).to.deep.equal([all, undefined]);
    expect(toolsOf({ tools: [], toolChoice: { mode: 'required' } })).to.deep.equal([undefined, undefined]);
  });

  it('declares only the tools that the choice allows (E22)', () => {
    expect(toolsOf({ toolChoice: { mode: 'required', only: ['a', 'c'] } })).to.deep.equal([
      ['a', 'c'],
      { type: 'any' },
    ]);
    expect(toolsOf({ toolChoice: { mode: 'auto', only: ['b'] } })).to.deep.equal([['b'], { type: 'auto' }]);
    expect(lossesOf({ tools, toolChoice: { mode: 'auto', only: ['b'] } })).to.deep.equal([
      ['tool_choice', 'approximated'],
    ]);
  });

  it('restores vendor tools and vendor members on this wire only', () => {
    const own = [
      { name: 'f', input_schema: { type: 'object' }, defer_loading: true },
      { type: 'web_search_20250305', name: 'web_search', max_uses: 3, cache_control: { type: 'ephemeral' } },
    ];
    expect(encode(decode({ tools: own })).body['tools']).to.deep.equal(own);
    const others = {
      tools: [
        { name: 'a', kind: 'function', vendor: { output_schema: {} } },
        { name: 'w', kind: 'hosted', vendor: { type: 'web_search' } },
      ],
    } as const;
    expect(bodyOf(others)['tools']).to.deep.equal([{ name: 'a', input_schema: { type: 'object', properties: {} } }]);
    expect(lossesOf(others)).to.deep.equal([
      ['tools[0].output_schema', 'dropped'],
      ['tools[1]', 'dropped'],
    ]);
  });

  it('restores fast mode, the display of thinking and what binds its blocks on this wire', () => {
    const own = {
      speed: 'fast',
      thinking: { type: 'adaptive', display: 'updates', block_binding: { prefix_mismatch_behavior: 'drop_block' } },
      output_config: { effort: 'low', task_budget: { type: 'tokens', total: 20_000 } },
      metadata: { user_id: 'u', trace: 't' },
    };
    expect(encode(decode(own)).body)
      .to.deep.include(own)
      .and.not.have.property('service_tier');
    expect(decode(own)).to.include({ serviceTier: 'priority' });
  });

  it('refuses a thread: its last messages are not the conversation that fits repair', () => {
    expect(() => encode(decode({ thread: { type: 'continue', previous_message_id: 'msg_1' } })))
      .to.throw(GatewayError)
      .that.includes({ code: 'unsupported_parameter', param: 'thread', status: 400 });
  });

  it('a compaction is for vendors of this wire only, and counting ignores it', () => {
    const compaction = { type: 'summarize' };
    expect(decode({ compaction }).vendorOnly?.map(({ field }) => field)).to.deep.equal(['compaction']);
    expect(encode(decode({ compaction })).body).to.deep.include({ compaction });
    expect(decodeCountRequest(inbound({ ...minimal, compaction })).request.vendorOnly).to.equal(undefined);
  });
});
