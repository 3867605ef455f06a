import { expect } from 'chai';
import { decode, decodeBody, catchError } from '../../harness.ts';

describe('chat-completions: client request', () => {
  it('decodes every field that has a canonical member', () => {
    const request = decode({
      max_completion_tokens: 50,
      temperature: 0.5,
      top_p: 0.9,
      seed: 7,
      presence_penalty: -2,
      frequency_penalty: 2,
      stop: ['a', 'b'],
      n: 2,
      verbosity: 'low',
      user: 'u',
      service_tier: 'flex',
      prompt_cache_key: 'k',
      store: false,
      stream: true,
      stream_options: { include_usage: true },
      parallel_tool_calls: false,
    });
    expect(request).to.deep.include({
      maxTokens: 50,
      temperature: 0.5,
      topP: 0.9,
      seed: 7,
      presencePenalty: -2,
      frequencyPenalty: 2,
      stop: ['a', 'b'],
      choices: 2,
      verbosity: 'low',
      user: 'u',
      serviceTier: 'flex',
      cacheKey: 'k',
      store: false,
      stream: true,
      includeUsage: true,
      parallelTools: false,
    });
    expect(request.extra.members).to.deep.equal({});
  });

  it('decodes a minimal request without values that the client did not send', () => {
    expect(decode()).to.deep.equal({
      wire: 'chat-completions',
      turns: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
      tools: [],
      choices: 1,
      stream: false,
      includeUsage: false,
      extra: { wire: 'chat-completions', members: {} },
    });
  });

  it('E41: treats null as absent in every member', () => {
    const nulls = [
      'tools',
      'stop',
      'temperature',
      'top_p',
      'n',
      'seed',
      'stream',
      'stream_options',
      'tool_choice',
      'response_format',
      'reasoning_effort',
      'reasoning',
      'logit_bias',
      'logprobs',
      'top_logprobs',
      'max_tokens',
      'user',
      'metadata',
      'functions',
      'function_call',
    ];
    expect(decode(Object.fromEntries(nulls.map((name) => [name, null])))).to.deep.equal(decode());
  });

  it('E55: prefers max_tokens to max_completion_tokens', () => {
    expect(decode({ max_tokens: 10, max_completion_tokens: 20 }).maxTokens).to.equal(10);
    expect(decode({ max_tokens: null, max_completion_tokens: 20 }).maxTokens).to.equal(20);
  });

  it('keeps members without a canonical member', () => {
    const members = {
      logit_bias: { 50256: -100 },
      metadata: { a: 'b' },
      modalities: ['text'],
      prediction: { type: 'content', content: 'x' },
      web_search_options: {},
      brand_new: 1,
    };
    expect(decode(members).extra).to.deep.equal({
      wire: 'chat-completions',
      members,
      groups: ['web_search_options'],
    });
    expect(
      decode({ stream_options: { include_usage: false, include_obfuscation: false } }).extra.members,
    ).to.deep.equal({ stream_options: { include_obfuscation: false } });
  });

  it('reads the number of log probabilities, and keeps the members for its own wire', () => {
    const members = { logprobs: true, top_logprobs: 3 };
    const request = decode(members);
    expect(request.logprobs).to.equal(3);
    expect(request.extra).to.deep.include({ members, honoured: ['logprobs', 'top_logprobs'] });
    expect(decode({ logprobs: true }).logprobs).to.equal(0);
    expect(decode({ logprobs: false })).to.not.have.property('logprobs');
  });

  it('keeps safety_identifier as an extra member only when user is sent too', () => {
    expect(decode({ safety_identifier: 's' }).user).to.equal('s');
    const both = decode({ user: 'u', safety_identifier: 's' });
    expect([both.user, both.extra.members]).to.deep.equal(['u', { safety_identifier: 's' }]);
  });

  it('decodes response formats and leaves an unknown one in place', () => {
    expect(decode({ response_format: { type: 'text' } })).to.not.have.property('output');
    expect(decode({ response_format: { type: 'json_object' } }).output).to.deep.equal({ type: 'json' });
    const schema = { type: 'object', properties: {}, $defs: { a: { enum: [1] } } };
    expect(
      decode({
        response_format: { type: 'json_schema', json_schema: { name: 'n', description: 'd', schema, strict: true } },
      }).output,
    ).to.deep.equal({ type: 'schema', name: 'n', description: 'd', schema, strict: true });
    const grammar = { response_format: { type: 'grammar', value: 'x' } };
    expect(decode(grammar).extra.members).to.deep.equal(grammar);
  });

  it('decodes all seven efforts, and prefers the reasoning object to reasoning_effort', () => {
    for (const effort of ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])
      expect(decode({ reasoning_effort: effort }).reasoning).to.deep.equal({ effort });
    const request = decode({
      reasoning_effort: 'low',
      reasoning: { effort: 'high', max_tokens: 2_000, exclude: true, enabled: true },
    });
    expect(request.reasoning).to.deep.equal({ effort: 'high', budget: 2_000, show: false });
    expect(request.extra.members).to.deep.equal({ reasoning: { enabled: true } });
    expect(decode({ reasoning: {} })).to.not.have.property('reasoning');
  });

  it('returns the model name as the client sent it', () => {
    expect(decodeBody({ model: 'openai/gpt-4o', messages: [{ role: 'user', content: 'x' }] }).model).to.equal(
      'openai/gpt-4o',
    );
  });

  const refused: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ['a temperature above 2', { temperature: 2.1 }, 'temperature'],
    ['a temperature that is not a number', { temperature: '1' }, 'temperature'],
    ['a top_p that is not a number', { top_p: '1' }, 'top_p'],
    ['a presence penalty below -2', { presence_penalty: -2.1 }, 'presence_penalty'],
    ['a frequency penalty above 2', { frequency_penalty: 3 }, 'frequency_penalty'],
    ['five stop sequences', { stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop'],
    ['a stop sequence that is not a string', { stop: ['a', 1] }, 'stop[1]'],
    ['n of 0', { n: 0 }, 'n'],
    ['a best_of with its own toString', { best_of: { toString: 0 } }, 'best_of'],
    ['a best_of with a list of such', { best_of: [{ toString: 0 }] }, 'best_of'],
    ['n of 129', { n: 129 }, 'n'],
    ['a fraction of choices', { n: 1.5 }, 'n'],
    ['a fraction of tokens', { max_tokens: 1.5 }, 'max_tokens'],
    ['a cap of 0 tokens', { max_completion_tokens: 0 }, 'max_completion_tokens'],
    ['a fractional seed', { seed: 0.5 }, 'seed'],
    ['a bias beyond 100', { logit_bias: { 5: 101 } }, 'logit_bias.5'],
    ['alternatives without logprobs', { top_logprobs: 2 }, 'top_logprobs'],
    ['alternatives with logprobs off', { top_logprobs: 2, logprobs: false }, 'top_logprobs'],
    ['21 alternatives', { top_logprobs: 21, logprobs: true }, 'top_logprobs'],
    ['an unknown effort', { reasoning_effort: 'extreme' }, 'reasoning_effort'],
    ['an unknown effort in the object', { reasoning: { effort: 'extreme' } }, 'reasoning.effort'],
    ['a negative budget', { reasoning: { max_tokens: -1 } }, 'reasoning.max_tokens'],
    ['a schema format without its schema', { response_format: { type: 'json_schema' } }, 'response_format.json_schema'],
    ['a response format that is a text', { response_format: 'json' }, 'response_format'],
    ['stream as a text', { stream: 'true' }, 'stream'],
    ['no messages', { messages: [] }, 'messages'],
    ['no model', { model: null }, 'model'],
  ];
  for (const [what, members, param] of refused) {
    it(`rejects a request with ${what} and names '${param}'`, () => {
      const error = catchError(() => decode(members));
      expect([error.status, error.code, error.param]).to.deep.equal([400, 'invalid_request', param]);
      expect(error.message).to.contain(param.split('.')[0]);
    });
  }

  it('rejects a chat body that is not an object', () => {
    for (const body of [undefined, null, [], 'x', 3]) expect(catchError(() => decodeBody(body)).status).to.equal(400);
  });

  it('accepts a 64-bit seed', () => {
    expect(decode({ seed: 2 ** 63 }).seed).to.equal(2 ** 63);
  });
});
