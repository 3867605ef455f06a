import { expect } from 'chai';
import { decode, encode, catchError } from '../../harness.ts';

const schema = {
  type: 'object',
  properties: { a: { anyOf: [{ $ref: '#/$defs/x' }, { enum: [1, null] }] } },
  $defs: { x: { type: 'string' } },
  additionalProperties: false,
};

describe('chat-completions: client tools', () => {
  it('decodes functions, custom tools and hosted tools', () => {
    const search = { type: 'web_search', filters: { a: 1 } };
    const { tools } = decode({
      tools: [
        { type: 'function', function: { name: 'f', description: 'd', parameters: schema, strict: true } },
        {
          type: 'custom',
          custom: {
            name: 'patch',
            description: 'p',
            format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'x' } },
          },
        },
        search,
      ],
    });
    expect(tools).to.deep.equal([
      { kind: 'function', name: 'f', description: 'd', schema, strict: true },
      {
        kind: 'custom',
        name: 'patch',
        description: 'p',
        vendor: { format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'x' } } },
      },
      { kind: 'hosted', name: 'web_search', vendor: search },
    ]);
  });

  it('writes tools back unchanged, including extra members and cache marks', () => {
    const tools = [
      {
        type: 'function',
        function: { name: 'f', parameters: schema, eager: true },
        defer: 1,
        cache_control: { type: 'ephemeral', ttl: '1h' },
      },
      { type: 'custom', custom: { name: 'patch', format: { type: 'text' } } },
      { type: 'web_search', filters: { a: 1 } },
    ];
    expect(encode(decode({ tools })).body['tools']).to.deep.equal(tools);
  });

  it('decodes every form of tool choice', () => {
    const tools = [{ type: 'function', function: { name: 'f' } }];
    const read = (tool_choice: unknown) => decode({ tools, tool_choice }).toolChoice;
    expect(read('auto')).to.deep.equal({ mode: 'auto' });
    expect(read('none')).to.deep.equal({ mode: 'none' });
    expect(read('required')).to.deep.equal({ mode: 'required' });
    expect(read('any')).to.deep.equal({ mode: 'required' });
    expect(read({ type: 'function', function: { name: 'f' } })).to.deep.equal({ mode: 'required', only: ['f'] });
    expect(read({ function: { name: 'f' } })).to.deep.equal({ mode: 'required', only: ['f'] });
    expect(read({ type: 'custom', custom: { name: 'p' } })).to.deep.equal({ mode: 'required', only: ['p'] });
    expect(
      read({
        type: 'allowed_tools',
        allowed_tools: {
          mode: 'auto',
          tools: [
            { type: 'function', function: { name: 'f' } },
            { type: 'custom', custom: { name: 'p' } },
          ],
        },
      }),
    ).to.deep.equal({ mode: 'auto', only: ['f', 'p'] });
  });

  it('decodes the deprecated functions and function_call', () => {
    const request = decode({
      functions: [{ name: 'f', description: 'd', parameters: schema }],
      function_call: { name: 'f' },
    });
    expect(request.tools).to.deep.equal([{ kind: 'function', name: 'f', description: 'd', schema }]);
    expect(request.toolChoice).to.deep.equal({ mode: 'required', only: ['f'] });
    expect(decode({ functions: [{ name: 'f' }], function_call: 'none' }).toolChoice).to.deep.equal({ mode: 'none' });
    expect(request.extra.members).to.deep.equal({});
  });

  const refused: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ['a function without a name', { tools: [{ type: 'function', function: {} }] }, 'tools[0].function.name'],
    ['a function without its body', { tools: [{ type: 'function' }] }, 'tools[0].function'],
    [
      'a schema that is a text',
      { tools: [{ type: 'function', function: { name: 'f', parameters: '{}' } }] },
      'tools[0].function.parameters',
    ],
    ['tools that are no list', { tools: {} }, 'tools'],
    ['a choice that is an unknown word', { tool_choice: 'maybe' }, 'tool_choice'],
    ['a choice that names nothing', { tool_choice: { type: 'function' } }, 'tool_choice.function'],
    ['a choice of an unknown type', { tool_choice: { type: 'maybe' } }, 'tool_choice.type'],
    ['a choice that is a number', { tool_choice: 5 }, 'tool_choice'],
  ];
  for (const [what, members, param] of refused) {
    it(`rejects a request with ${what} and names '${param}'`, () => {
      const error = catchError(() => decode(members));
      expect([error.status, error.param]).to.deep.equal([400, param]);
    });
  }
});
