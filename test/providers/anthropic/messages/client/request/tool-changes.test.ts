import { expect } from 'chai';
import type { JsonObject } from '../../../../../../core/api/index.ts';
import { decode, encode } from '../../exchange.ts';

const input_schema = { type: 'object' };
const search = { name: 'search', input_schema };
const weather = { name: 'weather', input_schema, defer_loading: true };
const mail = { name: 'mail', input_schema, defer_loading: true };
const hello = { role: 'user', content: 'hi' };
const system = (...content: readonly object[]) => ({ role: 'system', content });
const result = (...content: readonly object[]) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 't', content }],
});
const found = (name: string) => ({ type: 'tool_reference', tool_name: name });
const add = (tool: object) => ({ type: 'tool_addition', tool });
const remove = (tool: object) => ({ type: 'tool_removal', tool });
const named = (name: string) => ({ type: 'tool_reference', name });

/** The names of the tools that a target on another wire is offered. */
const offered = (tools: readonly object[], ...messages: readonly object[]): readonly string[] =>
  decode({ tools, messages: [hello, ...messages] }).tools.flatMap(({ name, withheld }) =>
    withheld === true ? [] : [name],
  );

describe('messages client: tools that change during the conversation', () => {
  const tools = [search, weather, mail];

  it('offers a deferred tool after a search of the client has found it', () => {
    expect(offered(tools)).to.deep.equal(['search']);
    expect(offered(tools, result(found('mail')))).to.deep.equal(['search', 'mail']);
  });

  it('offers all deferred tools if the search runs at the vendor, or if there is none', () => {
    const hosted = { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' };
    expect(offered([hosted, search, weather])).to.deep.equal(['tool_search_tool_regex', 'search', 'weather']);
    expect(offered([weather, mail])).to.deep.equal(['weather', 'mail']);
  });

  it('reads what a search at the vendor has found earlier', () => {
    const content = { type: 'tool_search_tool_search_result', tool_references: [found('weather')] };
    const block = { type: 'tool_search_tool_result', tool_use_id: 's', content };
    expect(offered(tools, { role: 'assistant', content: [block] })).to.deep.equal(['search', 'weather']);
  });

  it('a removed tool is not offered, even if a search finds it again, until it is added', () => {
    const gone = system(remove(named('mail')));
    expect(offered(tools, result(found('mail')), gone)).to.deep.equal(['search']);
    expect(offered(tools, gone, result(found('mail')))).to.deep.equal(['search']);
    expect(offered(tools, gone, system(add(named('mail'))))).to.deep.equal(['search', 'mail']);
  });

  it('offers a tool that the conversation defines, in place of a declared one of that name', () => {
    const definition = { name: 'search', description: 'new', input_schema };
    const request = decode({
      tools,
      messages: [hello, system(add({ type: 'tool_definition', definition }))],
    });
    expect(request.tools.filter(({ withheld }) => withheld !== true)).to.deep.equal([
      { name: 'search', kind: 'function', description: 'new', schema: input_schema, inline: true },
    ]);
    expect(encode(request).body['tools'], 'for its own vendor').to.deep.equal(tools);
  });

  it('a toolset of an MCP server that was removed is not offered', () => {
    const toolset = (server: string) => ({ type: 'mcp_toolset', mcp_server_name: server });
    const removal = remove({ type: 'mcp_toolset_reference', server_name: 'a' });
    const left = decode({ tools: [toolset('a'), toolset('b')], messages: [hello, system(removal)] }).tools;
    expect(left.map(({ vendor, withheld }) => [vendor?.['mcp_server_name'], withheld])).to.deep.equal([
      ['a', true],
      ['b', undefined],
    ]);
  });

  it('reads the changes of a range that was compacted', () => {
    const block = { type: 'compaction', content: 'They greeted.', tool_changes: [remove(named('search'))] };
    expect(offered([search, { name: 'other', input_schema }], { role: 'assistant', content: [block] })).to.deep.equal([
      'other',
    ]);
  });

  it('says in text what has changed, and restores the blocks for their own vendor', () => {
    const changes: readonly (readonly [JsonObject, string])[] = [
      [result(found('mail')), 'Tool found: mail\n'],
      [system(add(named('mail'))), 'The tool mail is available from here on.'],
      [system(remove(named('mail'))), 'The tool mail is no longer available.'],
      [
        { role: 'assistant', content: [{ type: 'compaction', content: 'They greeted.', signature: 's' }] },
        'Summary of the conversation so far:\nThey greeted.',
      ],
    ];
    for (const [message, text] of changes) {
      const request = decode({ tools, messages: [hello, message] });
      expect(JSON.stringify(request.turns[1]?.parts), text).to.include(JSON.stringify(text));
      expect((encode(request).body['messages'] as readonly unknown[])[1]).to.deep.equal(message);
    }
  });

  it('a first message that changes tools does not become part of the system prompt', () => {
    const message = system(add(named('mail')));
    const { body } = encode(decode({ system: 's', tools, messages: [message, hello] }));
    expect(body['system']).to.deep.equal([{ type: 'text', text: 's' }]);
    expect((body['messages'] as readonly unknown[])[0]).to.deep.equal(message);
  });
});
