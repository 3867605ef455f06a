import { expect } from 'chai';
import { decodeBody, itemsOf, answerOf, respond } from './harness.ts';

/** A request of a Codex-style coding agent: wire-reference D.2. */
const request = {
  model: 'openai/gpt-5-codex',
  instructions: 'You are a coding agent running in a terminal.',
  input: [
    {
      type: 'message',
      role: 'developer',
      content: [{ type: 'input_text', text: '<permissions>read-only</permissions>' }],
    },
    {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: '<environment_context>/repo</environment_context>' }],
    },
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'Fix the test.' },
        { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' },
      ],
    },
    {
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: '**Looking**' }],
      content: null,
      encrypted_content: 'gAAAAblob',
    },
    {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'I will look.' }],
      phase: 'commentary',
    },
    { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'call_1' },
    { type: 'function_call', name: 'search', namespace: 'mcp__docs', arguments: '{"q":"x"}', call_id: 'call_2' },
    { type: 'function_call_output', call_id: 'call_1', output: '{"output":"a.ts","metadata":{"exit_code":0}}' },
    { type: 'function_call_output', call_id: 'call_2', output: [{ type: 'input_text', text: 'found' }] },
    {
      type: 'custom_tool_call',
      status: 'completed',
      call_id: 'call_3',
      name: 'apply_patch',
      input: '*** Begin Patch\n*** End Patch',
    },
    { type: 'custom_tool_call_output', call_id: 'call_3', output: 'Done' },
    { type: 'local_shell_call', status: 'completed', call_id: 'call_4', action: { type: 'exec', command: ['ls'] } },
    { type: 'function_call_output', call_id: 'call_4', output: 'a.ts' },
    { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'mocha' } },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Fixed.' }], phase: 'final_answer' },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Thanks. And the docs?' }] },
  ],
  tools: [
    {
      type: 'function',
      name: 'shell',
      description: 'Runs a command.',
      strict: false,
      parameters: {
        type: 'object',
        properties: { command: { type: 'array', items: { type: 'string' } } },
        required: ['command'],
        additionalProperties: false,
      },
    },
    {
      type: 'custom',
      name: 'apply_patch',
      description: 'Edits files.',
      format: { type: 'grammar', syntax: 'lark', definition: 'start: begin_patch' },
    },
    {
      type: 'namespace',
      name: 'mcp__docs',
      description: 'Documentation.',
      tools: [
        {
          type: 'function',
          name: 'search',
          description: 'Searches.',
          strict: false,
          parameters: { type: 'object', properties: { q: { type: 'string' } } },
        },
      ],
    },
    { type: 'local_shell' },
    { type: 'web_search', external_web_access: false },
    { type: 'tool_search', execution: 'client', description: 'Finds tools.', parameters: { type: 'object' } },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: true,
  reasoning: { effort: 'medium', summary: 'auto' },
  store: false,
  stream: true,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: '0199-conversation',
  text: { verbosity: 'medium' },
  client_metadata: { session: 's' },
};

describe('responses: request of a Codex-style agent', () => {
  const { model, request: decoded } = decodeBody(request);

  it('a request of Codex decodes with every setting', () => {
    expect(model).to.equal('openai/gpt-5-codex');
    expect(decoded).to.deep.include({
      toolChoice: { mode: 'auto' },
      parallelTools: true,
      reasoning: { effort: 'medium', show: true },
      store: false,
      stream: true,
      includeUsage: true,
      cacheKey: '0199-conversation',
      verbosity: 'medium',
      extra: { wire: 'responses', members: { client_metadata: { session: 's' } } },
    });
    expect(decoded).not.to.have.property('vendorState');
  });

  it('a request of Codex decodes with every tool', () => {
    expect(decoded.tools.map(({ name, kind }) => [name, kind])).to.deep.equal([
      ['shell', 'function'],
      ['apply_patch', 'custom'],
      ['mcp__docs__search', 'function'],
      ['local_shell', 'function'],
      ['web_search', 'hosted'],
      ['tool_search', 'function'],
    ]);
  });

  it('a request of Codex decodes into turns with all reasoning, text, calls and results', () => {
    const outline = decoded.turns.map(({ role, parts, extra }) => [
      role,
      parts
        .map((part) =>
          part.type === 'tool-call'
            ? `call ${part.name}`
            : part.type === 'tool-result'
              ? `result ${part.id}`
              : part.type,
        )
        .join(', '),
      extra?.members ?? {},
    ]);
    expect(outline).to.deep.equal([
      ['system', 'text', {}],
      ['system', 'text', { role: 'developer' }],
      ['user', 'text', {}],
      ['user', 'text, media', {}],
      ['assistant', 'reasoning, text, call shell, call mcp__docs__search', { phase: 'commentary' }],
      ['user', 'result call_1, result call_2', {}],
      ['assistant', 'call apply_patch', {}],
      ['user', 'result call_3', {}],
      ['assistant', 'call local_shell', {}],
      ['user', 'result call_4', {}],
      ['assistant', 'opaque, text', { phase: 'final_answer' }],
      ['user', 'text', {}],
    ]);
    expect(decoded.turns[4]?.parts[0]).to.deep.equal({
      type: 'reasoning',
      text: '**Looking**',
      proof: { origin: undefined, value: 'gAAAAblob' },
    });
    expect(decoded.turns[6]?.parts[0]).to.deep.include({ kind: 'custom', input: '*** Begin Patch\n*** End Patch' });
  });

  it('Codex gets responses whose calls name the tools that it declared', () => {
    const { body } = respond(
      answerOf([
        { type: 'reasoning', text: 'hm', proof: { origin: { provider: 'a', family: 'b' }, value: 'S' } },
        { type: 'tool-call', id: 'call_5', name: 'mcp__docs__search', kind: 'function', input: '{"q":"y"}' },
        { type: 'tool-call', id: 'call_6', name: 'apply_patch', kind: 'custom', input: '***' },
      ]),
      decoded,
    );
    const [reasoning, search, patch] = itemsOf(body);
    expect(reasoning).to.have.property('encrypted_content').that.is.a('string');
    expect(search).to.deep.include({
      type: 'function_call',
      namespace: 'mcp__docs',
      name: 'search',
      arguments: '{"q":"y"}',
    });
    expect(patch).to.deep.include({ type: 'custom_tool_call', name: 'apply_patch', input: '***' });
    expect(body['tools']).to.deep.equal(request.tools);
    expect(body['instructions']).to.equal(request.instructions);
  });
});
