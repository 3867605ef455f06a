import { expect } from 'chai';
import { GatewayError, type JsonObject } from '../../../../../../core/api/index.ts';
import { clientSide, decode, inbound, minimal, versioned } from '../../exchange.ts';

const refusal = (run: () => unknown): GatewayError => {
  try {
    run();
  } catch (thrown) {
    if (GatewayError.is(thrown)) return thrown;
    throw thrown;
  }
  throw new Error('nothing was thrown');
};
const refuse = (members: JsonObject): GatewayError => refusal(() => decode(members));

describe('messages client: requests', () => {
  it('reads every field of the wire and loses none', () => {
    const { model, request } = clientSide.decodeRequest(
      inbound({
        model: 'anthropic/claude',
        system: 'be brief',
        messages: [{ role: 'user', content: 'hi' }],
        max_tokens: 50,
        temperature: 0.5,
        top_p: 0.9,
        top_k: 40,
        stream: true,
        stop_sequences: ['END'],
        tools: [{ name: 'f', description: 'd', input_schema: { type: 'object' } }],
        tool_choice: { type: 'tool', name: 'f' },
        thinking: { type: 'enabled', budget_tokens: 2048 },
        output_config: { format: { type: 'json_schema', name: 'n', schema: { type: 'object' } } },
        metadata: { user_id: 'u' },
        service_tier: 'auto',
        inference_geo: 'eu',
      }),
    );
    expect(model).to.equal('anthropic/claude');
    expect(request).to.deep.equal({
      wire: 'messages',
      turns: [
        { role: 'system', parts: [{ type: 'text', text: 'be brief' }] },
        { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
      ],
      tools: [{ name: 'f', kind: 'function', description: 'd', schema: { type: 'object' } }],
      toolChoice: { mode: 'required', only: ['f'] },
      output: { type: 'schema', name: 'n', schema: { type: 'object' } },
      maxTokens: 50,
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      stop: ['END'],
      choices: 1,
      reasoning: { budget: 2048, show: true },
      user: 'u',
      serviceTier: 'auto',
      stream: true,
      includeUsage: true,
      extra: { wire: 'messages', members: { inference_geo: 'eu' } },
    });
  });

  it('treats null members of a messages request as absent (E41)', () => {
    const nothing = {
      tools: null,
      stop_sequences: null,
      temperature: null,
      thinking: null,
      output_config: null,
      metadata: null,
      system: null,
      tool_choice: null,
      stream: null,
    };
    expect(decode(nothing)).to.deep.equal(decode());
  });

  it('keeps unknown members of a messages request at every level', () => {
    const { extra } = decode({
      context_management: { edits: [] },
      cache_control: { type: 'ephemeral' },
      output_config: { effort: 'low', task_budget: { total: 1 } },
      metadata: { user_id: 'u', trace: 't' },
    });
    expect(extra.members).to.deep.equal({
      context_management: { edits: [] },
      cache_control: { type: 'ephemeral' },
      'output_config.task_budget': { total: 1 },
      'metadata.trace': 't',
    });
  });

  it('keeps the beta header together with members that need it', () => {
    const headers = { ...versioned, 'anthropic-beta': 'context-management-2025-06-27' };
    expect(decode({ context_management: {} }, headers).extra.members['anthropic-beta']).to.equal(
      'context-management-2025-06-27',
    );
    expect(decode({}, headers).extra.members).to.deep.equal({});
  });

  it('a messages request requires max_tokens above zero', () => {
    expect(refusal(() => clientSide.decodeRequest(inbound({ ...minimal, max_tokens: undefined })))).to.include({
      status: 400,
      param: 'max_tokens',
    });
    for (const value of [0, -1, 1.5, '5'])
      expect(refuse({ max_tokens: value }), String(value)).to.include({ status: 400, param: 'max_tokens' });
  });

  it('the error names the invalid member of a messages request', () => {
    const cases: readonly (readonly [JsonObject, string])[] = [
      [{ model: 3 }, 'model'],
      [{ temperature: 1.1 }, 'temperature'],
      [{ temperature: -0.1 }, 'temperature'],
      [{ top_p: '2' }, 'top_p'],
      [{ stream: 'yes' }, 'stream'],
      [{ stop_sequences: ['a', 1] }, 'stop_sequences[1]'],
      [{ messages: 'hi' }, 'messages'],
      [{ messages: [] }, 'messages'],
      [{ messages: ['hi'] }, 'messages[0]'],
      [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].role'],
      [{ messages: [{ role: 'user' }] }, 'messages[0].content'],
      [{ messages: [{ role: 'user', content: 5 }] }, 'messages[0].content'],
      [{ messages: [{ role: 'user', content: [{ text: 'x' }] }] }, 'messages[0].content[0].type'],
      [{ messages: [{ role: 'user', content: [{ type: 'text' }] }] }, 'messages[0].content[0].text'],
      [{ system: [{ type: 'text', text: 1 }] }, 'system[0].text'],
      [{ tools: [{ input_schema: {} }] }, 'tools[0].name'],
      [{ tool_choice: { type: 'some' } }, 'tool_choice.type'],
      [{ tool_choice: { type: 'tool' } }, 'tool_choice.name'],
      [{ thinking: { type: 'enabled' } }, 'thinking.budget_tokens'],
      [{ thinking: {} }, 'thinking.type'],
      [{ output_config: { format: { type: 'json_object' } } }, 'output_config.format.type'],
      [{ output_config: { format: { type: 'json_schema' } } }, 'output_config.format.schema'],
      [{ metadata: [] }, 'metadata'],
    ];
    for (const [members, param] of cases) {
      const error = refuse(members);
      expect(error, param).to.include({ code: 'invalid_request', status: 400, param });
      expect(error.message, param).to.include(param);
    }
  });

  it('rejects a messages body that is not an object', () => {
    for (const body of [[], 'text', 5, null])
      expect(refusal(() => clientSide.decodeRequest(inbound(body)))).to.include({ status: 400 });
  });

  it('accepts -1 for a sampling parameter that is not set', () => {
    expect(decode({ top_p: -1, top_k: -1 })).to.deep.equal(decode());
  });

  it('reads each kind of thinking', () => {
    const cases: readonly (readonly [JsonObject, unknown])[] = [
      [{ thinking: { type: 'enabled', budget_tokens: 1024, display: 'omitted' } }, { budget: 1024, show: false }],
      [{ thinking: { type: 'adaptive' } }, { effort: 'high', show: true }],
      [
        { thinking: { type: 'adaptive', display: 'omitted' }, output_config: { effort: 'low' } },
        { effort: 'low', show: false },
      ],
      [{ thinking: { type: 'disabled' } }, { effort: 'none' }],
      [
        { thinking: { type: 'disabled' }, output_config: { effort: 'low' } },
        { budget: 0, effort: 'low' },
      ],
      [{ output_config: { effort: 'medium' } }, { effort: 'medium' }],
    ];
    for (const [members, reasoning] of cases)
      expect(decode(members).reasoning, JSON.stringify(members)).to.deep.equal(reasoning);
    const between = decode({ thinking: { type: 'between_tools' } });
    expect(between.reasoning).to.equal(undefined);
    expect(between.extra.members).to.deep.equal({ thinking: { type: 'between_tools' } });
  });

  it('reads each tool choice and forbids parallel calls only on request', () => {
    expect(decode({ tool_choice: { type: 'auto' } }).toolChoice).to.deep.equal({ mode: 'auto' });
    expect(decode({ tool_choice: { type: 'any', disable_parallel_tool_use: true } })).to.deep.include({
      toolChoice: { mode: 'required' },
      parallelTools: false,
    });
    expect(decode({ tool_choice: { type: 'none', disable_parallel_tool_use: false } }))
      .to.deep.include({ toolChoice: { mode: 'none' } })
      .and.not.to.have.property('parallelTools');
  });

  it('distinguishes functions of the client from vendor tools', () => {
    const schema = { type: 'object', $defs: { n: { anyOf: [{ type: 'null' }, { $ref: '#' }] } } };
    const { tools } = decode({
      tools: [
        {
          type: 'custom',
          name: 'f',
          input_schema: schema,
          strict: true,
          defer_loading: true,
          cache_control: { type: 'ephemeral', ttl: '1h' },
        },
        { type: 'web_search_20250305', name: 'web_search', max_uses: 3, cache_control: { type: 'ephemeral' } },
        { type: 'mcp_toolset', mcp_server_name: 's' },
      ],
    });
    expect(tools).to.deep.equal([
      { name: 'f', kind: 'function', schema, strict: true, deferred: true, cache: { ttl: '1h' } },
      {
        name: 'web_search',
        kind: 'hosted',
        vendor: { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
        webSearch: { maxUses: 3 },
        cache: { ttl: '5m' },
      },
      { name: 'mcp_toolset', kind: 'hosted', vendor: { type: 'mcp_toolset', mcp_server_name: 's' } },
    ]);
  });

  it('keeps the position of system messages (E16)', () => {
    const { turns } = decode({
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
        { role: 'system', content: 'c', clear_at: 'x' },
        { role: 'user', content: 'd' },
      ],
    });
    expect(turns.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'system', 'user']);
    expect(turns[2]?.extra).to.deep.equal({ wire: 'messages', members: { clear_at: 'x' } });
  });

  it('keeps system blocks separate, with their cache marks', () => {
    const { turns } = decode({
      system: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'c' },
      ],
    });
    expect(turns[0]).to.deep.equal({
      role: 'system',
      parts: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b', cache: { ttl: '5m' } },
        { type: 'text', text: 'c' },
      ],
    });
  });

  it('reads output_format like output_config.format, which replaced it', () => {
    expect(decode({ output_format: { type: 'json_schema', schema: { a: 1 } } }).output).to.deep.equal({
      type: 'schema',
      schema: { a: 1 },
    });
  });
});
