import { expect } from 'chai';
import type { ToolChoice } from '../../../../../../core/api/index.ts';
import { decode, encode, foreign, profile, upstream } from '../../harness.ts';

const lostIn = (request: Parameters<typeof encode>[0]) =>
  encode(request).losses.map(({ field, kind }) => `${kind} ${field}`);

describe('chat-completions: upstream request', () => {
  it('the upstream request contains nothing that the client did not send', () => {
    expect(encode(foreign()).body).to.deep.equal({ model: 'm-1', messages: [{ role: 'user', content: 'hi' }] });
  });

  it('returns every member of a request of this wire', () => {
    const members = {
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      seed: 7,
      presence_penalty: 1,
      frequency_penalty: -1,
      stop: ['a', 'b'],
      n: 2,
      verbosity: 'low',
      user: 'u',
      service_tier: 'flex',
      prompt_cache_key: 'k',
      store: false,
      reasoning_effort: 'minimal',
      logit_bias: { 5: 1 },
      logprobs: true,
      top_logprobs: 2,
      metadata: { a: 'b' },
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' }, strict: true } },
      brand_new: [1],
    };
    const { body, losses } = encode(decode(members));
    expect(body).to.deep.equal({ model: 'm-1', messages: [{ role: 'user', content: 'hi' }], ...members });
    expect(losses).to.deep.equal([]);
  });

  it('writes the output cap as a client of the wire did, as max_completion_tokens, or as the member that the server reads', () => {
    expect(encode(decode({ max_tokens: 9 })).body).to.include({ max_tokens: 9 });
    expect(encode(foreign({ maxTokens: 9 })).body)
      .to.include({ max_completion_tokens: 9 })
      .and.not.have.property('max_tokens');
    const older = upstream.encodeRequest(
      decode({ max_completion_tokens: 9 }),
      { ...profile, capMember: 'max_tokens' },
      () => {},
    );
    expect(older.body).to.include({ max_tokens: 9 }).and.not.have.property('max_completion_tokens');
  });

  it('always requests usage for a stream', () => {
    expect(encode(decode({ stream: true })).body).to.deep.include({
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(encode(decode({ stream: true, stream_options: { include_obfuscation: false } })).body).to.deep.include({
      stream_options: { include_obfuscation: false, include_usage: true },
    });
    expect(encode(decode({ stream_options: { include_usage: true } })).body).to.not.have.property('stream_options');
  });

  it('adds a name to a schema without one', () => {
    expect(
      encode(foreign({ output: { type: 'schema', schema: { type: 'object' } } })).body['response_format'],
    ).to.deep.equal({ type: 'json_schema', json_schema: { name: 'response', schema: { type: 'object' } } });
    expect(encode(foreign({ output: { type: 'json' } })).body['response_format']).to.deep.equal({
      type: 'json_object',
    });
  });

  it('reports what the wire cannot express as lost', () => {
    expect(lostIn(foreign({ topK: 5 }))).to.deep.equal(['dropped top_k']);
    expect(lostIn(foreign({ reasoning: { budget: 5_000 } }))).to.deep.equal(['dropped reasoning.budget']);
    expect(lostIn(foreign({ reasoning: { effort: 'low', show: true } }))).to.deep.equal([
      'approximated reasoning.show',
    ]);
    expect(
      lostIn(foreign({ extra: { wire: 'messages', members: { container: 1, inference_geo: 'eu' } } })),
    ).to.deep.equal(['dropped container', 'dropped inference_geo']);
    expect(lostIn(foreign({ serviceTier: 'standard_only' }))).to.deep.equal(['approximated service_tier']);
  });

  it('writes disabled thinking as the effort none', () => {
    expect(encode(foreign({ reasoning: { budget: 0 } })).body).to.include({ reasoning_effort: 'none' });
    expect(lostIn(foreign({ reasoning: { budget: 0 } }))).to.deep.equal([]);
  });

  it('translates service tiers of other wires and keeps those of this wire', () => {
    expect(encode(foreign({ serviceTier: 'standard_only' })).body).to.include({ service_tier: 'default' });
    expect(encode(foreign({ serviceTier: 'priority' })).body).to.include({ service_tier: 'priority' });
  });

  it('writes the same bytes for the same request', () => {
    const bytes = () =>
      JSON.stringify(
        encode(
          decode({ temperature: 1, tools: [{ type: 'function', function: { name: 'f' } }], metadata: { b: 1, a: 2 } }),
        ).body,
      );
    expect(bytes()).to.equal(bytes());
  });
});

describe('chat-completions: upstream tools', () => {
  const tool = { kind: 'function', name: 'f' } as const;

  it('leaves out parameters that were not sent', () => {
    expect(encode(foreign({ tools: [tool] })).body['tools']).to.deep.equal([
      { type: 'function', function: { name: 'f' } },
    ]);
  });

  it('forces one tool and allows several', () => {
    const choose = (toolChoice: ToolChoice) =>
      encode(foreign({ tools: [tool, { kind: 'custom', name: 'p' }], toolChoice })).body['tool_choice'];
    expect(choose({ mode: 'auto' })).to.equal('auto');
    expect(choose({ mode: 'none' })).to.equal('none');
    expect(choose({ mode: 'required' })).to.equal('required');
    expect(choose({ mode: 'required', only: ['f'] })).to.deep.equal({ type: 'function', function: { name: 'f' } });
    expect(choose({ mode: 'required', only: ['p'] })).to.deep.equal({ type: 'custom', custom: { name: 'p' } });
    expect(choose({ mode: 'auto', only: ['f'] })).to.deep.equal({
      type: 'allowed_tools',
      allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'f' } }] },
    });
    expect(choose({ mode: 'required', only: ['f', 'p'] })).to.deep.equal({
      type: 'allowed_tools',
      allowed_tools: {
        mode: 'required',
        tools: [
          { type: 'function', function: { name: 'f' } },
          { type: 'custom', custom: { name: 'p' } },
        ],
      },
    });
  });

  it('leaves out tool_choice and parallel_tool_calls without tools, and reports the loss', () => {
    const { body, losses } = encode(foreign({ toolChoice: { mode: 'auto' }, parallelTools: false }));
    expect(body).to.not.have.any.keys('tools', 'tool_choice', 'parallel_tool_calls');
    expect(losses.map(({ field }) => field)).to.deep.equal(['tool_choice', 'parallel_tool_calls']);
  });

  it('reports extra members, cache marks and hosted tools of other wires as lost', () => {
    const tools = [
      { ...tool, vendor: { defer_loading: true }, cache: { ttl: '30m' } },
      { kind: 'hosted', name: 'web_search', vendor: { type: 'web_search_20260101' } },
    ] as const;
    const { body, losses } = encode(foreign({ tools }));
    expect(body['tools']).to.deep.equal([{ type: 'function', function: { name: 'f' } }]);
    expect(losses.map(({ field }) => field)).to.deep.equal(['tools[0].defer_loading', 'tools[0].cache', 'tools[1]']);
  });

  it('nests the grammar that is flat on responses', () => {
    const tools = [
      { kind: 'custom', name: 'p', vendor: { format: { type: 'grammar', syntax: 'lark', definition: 'x' } } },
    ] as const;
    expect(encode(foreign({ wire: 'responses', tools })).body['tools']).to.deep.equal([
      {
        type: 'custom',
        custom: { name: 'p', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'x' } } },
      },
    ]);
  });
});
