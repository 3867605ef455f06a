import { expect } from 'chai';
import type { JsonObject } from '../../../../../../core/api/index.ts';
import { clientSide, decode, encode, readContext, upstreamSide, writeContext } from '../../exchange.ts';

const screen = { display_width_px: 1024, display_height_px: 768 };
const enumOf = (schema: Readonly<JsonObject> | undefined, member: string): readonly string[] =>
  (schema as { properties: Record<string, { enum: readonly string[] }> }).properties[member]?.enum ?? [];
const decodeTool = (tool: JsonObject) => decode({ tools: [tool] }).tools[0];

describe('messages client: tools that the client executes', () => {
  const tools: readonly (readonly [tool: JsonObject, member: string, values: readonly string[]])[] = [
    [{ type: 'memory_20250818', name: 'memory' }, 'command', ['view', 'delete', 'rename']],
    [{ type: 'bash_20241022', name: 'bash' }, 'command', []],
    [{ type: 'bash_20250124', name: 'bash' }, 'command', []],
    [{ type: 'text_editor_20241022', name: 'str_replace_editor' }, 'command', ['insert', 'undo_edit']],
    [{ type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' }, 'command', ['insert', 'create']],
    [{ type: 'computer_20241022', name: 'computer', ...screen }, 'action', ['screenshot', 'left_click']],
    [{ type: 'computer_20250124', name: 'computer', ...screen }, 'action', ['scroll', 'wait']],
    [{ type: 'computer_20251124', name: 'computer', ...screen, enable_zoom: true }, 'action', ['zoom']],
  ];
  for (const [tool, member, values] of tools) {
    it(`${String(tool['type'])} is a function with a schema, and is restored for its own vendor`, () => {
      const decoded = decodeTool(tool);
      expect(decoded).to.include({ name: tool['name'], kind: 'function', vendorType: tool['type'] });
      expect(decoded?.schema).to.have.nested.property(`properties.${member}`);
      expect(enumOf(decoded?.schema, member)).to.include.members([...values]);
      expect(encode(decode({ tools: [tool] })).body['tools']).to.deep.equal([tool]);
    });
  }

  it('the schema follows the version and the members of a tool', () => {
    const editor = decodeTool({ type: 'text_editor_20250728', name: 'e', max_characters: 500 });
    expect(enumOf(editor?.schema, 'command')).to.not.include('undo_edit');
    expect(editor?.description).to.include('500');
    const computer = decodeTool({ type: 'computer_20241022', name: 'c', ...screen });
    expect(enumOf(computer?.schema, 'action')).to.not.include('scroll');
    expect(computer?.description).to.include('1024 x 768');
  });

  it('a toolset is its tools, without those that are off, and is restored for its own vendor', () => {
    const toolset = {
      type: 'browser_toolset_20260801',
      configs: { zoom: { enabled: false }, read_console: { enabled: true } },
    };
    const request = decode({ tools: [toolset] });
    const names = request.tools.flatMap(({ name, withheld }) => (withheld === true ? [] : [name]));
    expect(names).to.include.members(['browser__navigate', 'browser__left_click', 'browser__read_console']);
    expect(names).to.not.include.members(['browser__zoom']).and.not.include.members(['browser__javascript_exec']);
    expect(encode(request).body['tools']).to.deep.equal([toolset]);
  });

  it('a call of a toolset keeps its name for its own vendor', () => {
    const block = { type: 'tool_use', id: 't', name: 'left_click', toolset_name: 'computer', input: {} };
    const messages = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [block] },
    ];
    const request = decode({ tools: [{ type: 'computer_toolset_20260801' }], messages });
    expect(request.turns[1]?.parts[0]).to.include({ type: 'tool-call', name: 'computer__left_click' });
    expect((encode(request).body['messages'] as readonly unknown[])[1]).to.deep.equal(messages[1]);
    const called = upstreamSide.decodeResponse({ content: [block], stop_reason: 'tool_use' }, readContext());
    expect(called.choices[0]?.parts).to.deep.equal(request.turns[1]?.parts);
    expect(clientSide.encodeResponse(called, writeContext({ request }))).to.have.deep.property('content', [
      { ...block, caller: { type: 'direct' } },
    ]);
  });

  it('tools that run at the vendor stay hosted', () => {
    for (const type of ['web_search_20250305', 'code_execution_20250825', 'tool_search_tool_bm25_20251119'])
      expect(decodeTool({ type, name: 'n', strict: true })).to.deep.include({
        name: 'n',
        kind: 'hosted',
        vendor: { type, name: 'n', strict: true },
      });
  });
});
