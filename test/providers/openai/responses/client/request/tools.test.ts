import { expect } from 'chai';
import { chatCompletionsCodec } from '../../../../../../providers/openai/chat-completions/index.ts';
import { profile } from '../../upstream/harness.ts';
import { answerOf, collectLosses, decode, decodeItems, itemsOf, catchError, respond } from '../harness.ts';

const chat = chatCompletionsCodec.upstream;
if (chat === undefined) throw new Error('chat has no upstream side');

const schema = {
  type: 'object',
  properties: { a: { anyOf: [{ $ref: '#/$defs/x' }, { enum: ['b', null] }] } },
  $defs: { x: { type: 'string' } },
};
const namespace = {
  type: 'namespace',
  name: 'files',
  description: 'Work on files.',
  tools: [
    { type: 'function', name: 'read', description: 'Read.', parameters: schema, strict: false },
    { type: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' } },
  ],
};

describe('responses: client tools', () => {
  it('decodes flat functions with their extra members', () => {
    expect(
      decode({
        tools: [
          { type: 'function', name: 'f', description: 'd', parameters: schema, strict: true, defer_loading: true },
          { type: 'function', name: 'g', parameters: null, strict: null },
        ],
      }).tools,
    ).to.deep.equal([
      { kind: 'function', name: 'f', description: 'd', schema, strict: true, vendor: { defer_loading: true } },
      { kind: 'function', name: 'g' },
    ]);
  });

  it('decodes custom tools with their grammar', () => {
    const format = { type: 'grammar', syntax: 'lark', definition: 'start: "a"' };
    expect(decode({ tools: [{ type: 'custom', name: 'apply_patch', description: 'd', format }] }).tools).to.deep.equal([
      { kind: 'custom', name: 'apply_patch', description: 'd', vendor: { format } },
    ]);
  });

  it('flattens namespaces, and writes calls back in their namespace', () => {
    const request = decode({
      tools: [namespace, { type: 'function', name: 'read', parameters: schema, strict: false }],
    });
    expect(request.tools.map(({ name, kind }) => [name, kind])).to.deep.equal([
      ['files__read', 'function'],
      ['files__patch', 'custom'],
      ['read', 'function'],
    ]);
    expect(request.tools[0]).to.deep.include({
      description: 'Read.',
      schema,
      namespace: { name: 'files', tool: 'read' },
      vendor: { namespace_description: 'Work on files.' },
    });
    expect(request.tools[1]).to.deep.include({
      namespace: { name: 'files', tool: 'patch' },
      vendor: { format: namespace.tools[1]?.format },
    });
    const { body } = respond(
      answerOf([
        { type: 'tool-call', id: 'call_1', name: 'files__read', kind: 'function', input: '{}' },
        { type: 'tool-call', id: 'call_2', name: 'files__patch', kind: 'custom', input: 'x' },
        { type: 'tool-call', id: 'call_3', name: 'read', kind: 'function', input: '{}' },
      ]),
      request,
    );
    expect(itemsOf(body).map((item) => [item['namespace'], item['name'], item['call_id']])).to.deep.equal([
      ['files', 'read', 'call_1'],
      ['files', 'patch', 'call_2'],
      [undefined, 'read', 'call_3'],
    ]);
    expect(
      decodeItems({ role: 'user', content: 'hi' }, ...itemsOf(body)).turns[1]?.parts.map((part) =>
        part.type === 'tool-call' ? part.name : '',
      ),
    ).to.deep.equal(['files__read', 'files__patch', 'read']);
    expect(body['tools']).to.deep.equal([
      {
        ...namespace,
        tools: namespace.tools.map((tool) => (tool.type === 'function' ? { description: null, ...tool } : tool)),
      },
      { type: 'function', name: 'read', description: null, parameters: schema, strict: false },
    ]);
  });

  it('reports only the description of a namespace as lost on another wire, once', () => {
    const { losses, lose } = collectLosses();
    const functions = namespace.tools.map((tool) => ({ ...tool, type: 'function' }));
    const { body } = chat.encodeRequest(
      decode({
        tools: [
          { ...namespace, tools: functions },
          { ...namespace, name: 'mail', description: '', tools: functions },
        ],
      }),
      { ...profile, wire: 'chat-completions' },
      lose,
    );
    expect(
      (body['tools'] as readonly { function: { name: string } }[]).map(({ function: { name } }) => name),
    ).to.deep.equal(['files__read', 'files__patch', 'mail__read', 'mail__patch']);
    expect(losses.map(({ field }) => field).filter((field) => !field.endsWith('.format'))).to.deep.equal([
      'tools[0].namespace_description',
    ]);
  });

  it('keeps hosted tools whole', () => {
    const hosted = [
      { type: 'web_search', search_context_size: 'low' },
      { type: 'shell', environment: { type: 'container_auto' } },
      { type: 'mcp', server_label: 's', server_url: 'https://x' },
      { type: 'tool_search' },
    ];
    const request = decode({ tools: hosted });
    expect(request.tools.map(({ kind, name, vendor }) => ({ kind, name, vendor }))).to.deep.equal(
      hosted.map((vendor) => ({ kind: 'hosted', name: vendor.type, vendor })),
    );
    expect(respond(answerOf([]), request).body['tools']).to.deep.equal(hosted);
  });

  it('E22: decodes every form of tool_choice, and repeats it in the response', () => {
    const tools = [
      { type: 'function', name: 'f', parameters: null, strict: null },
      { type: 'custom', name: 'c' },
      { type: 'web_search' },
    ];
    const forms: readonly (readonly [sent: unknown, read: unknown])[] = [
      ['auto', { mode: 'auto' }],
      ['none', { mode: 'none' }],
      ['required', { mode: 'required' }],
      [
        { type: 'function', name: 'f' },
        { mode: 'required', only: ['f'] },
      ],
      [
        { type: 'custom', name: 'c' },
        { mode: 'required', only: ['c'] },
      ],
      [{ type: 'web_search' }, { mode: 'required', only: ['web_search'] }],
      [
        { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }, { type: 'web_search' }] },
        { mode: 'auto', only: ['f', 'web_search'] },
      ],
    ];
    for (const [sent, read] of forms) {
      const request = decode({ tools, tool_choice: sent });
      expect(request.toolChoice).to.deep.equal(read);
      expect(respond(answerOf([]), request).body['tool_choice']).to.deep.equal(sent);
    }
  });

  it('E56: accepts 200 tools with long descriptions', () => {
    const tools = Array.from({ length: 200 }, (_, index) => ({
      type: 'function',
      name: `f${index}`,
      description: 'x'.repeat(17_000),
      parameters: {},
      strict: false,
    }));
    expect(decode({ tools }).tools).to.have.length(200);
  });

  it('rejects invalid tools with the path of the fault', () => {
    const wrong: readonly (readonly [members: Record<string, unknown>, param: string])[] = [
      [{ tools: {} }, 'tools'],
      [{ tools: [5] }, 'tools[0]'],
      [{ tools: [{ name: 'f' }] }, 'tools[0].type'],
      [{ tools: [{ type: 'function' }] }, 'tools[0].name'],
      [{ tools: [{ type: 'function', name: 'f', parameters: 'x' }] }, 'tools[0].parameters'],
      [{ tools: [{ type: 'namespace', name: 'n', tools: [{}] }] }, 'tools[0].tools[0].name'],
      [{ tool_choice: 'sometimes' }, 'tool_choice'],
      [{ tool_choice: 5 }, 'tool_choice'],
      [{ tool_choice: {} }, 'tool_choice.type'],
      [{ tool_choice: { type: 'function' } }, 'tool_choice.name'],
      [{ tool_choice: { type: 'allowed_tools', mode: 'auto' } }, 'tool_choice.tools'],
      [{ tool_choice: { type: 'allowed_tools', tools: [] } }, 'tool_choice.mode'],
    ];
    for (const [members, param] of wrong)
      expect(catchError(() => decode(members)).param, JSON.stringify(members)).to.equal(param);
  });
});
