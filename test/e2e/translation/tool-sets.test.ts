import Anthropic from '@anthropic-ai/sdk';
import type { MessageCreateParamsNonStreaming } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { expect } from 'chai';
import { readObject, readObjects, readText } from '../../../core/api/codec.ts';
import { callOf, greet, wireAt } from '../../support/calls.ts';
import { KEY } from '../../support/gateway.ts';
import { send } from '../../support/http.ts';
import { modelIds, startScene, type Scene } from '../../support/scene.ts';
import { textAnswer } from '../../matrix/sample-bodies.ts';
import { textOf } from '../../matrix/vendors/vendors.ts';
import type { Json, Wire } from '../../matrix/wires.ts';

const targets = ['chat', 'responses', 'google'] as const;
const input_schema = { type: 'object', properties: { city: { type: 'string' } } };
const finder = { name: 'ToolSearch', description: 'Finds tools.', input_schema };
const weather = { name: 'weather', description: 'The weather.', input_schema, defer_loading: true };
const mail = { name: 'mail', description: 'Sends mail.', input_schema, defer_loading: true };
const asked = { role: 'user', content: 'How warm is it?' };
const searched = [
  asked,
  { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'ToolSearch', input: { city: 'weather' } }] },
  {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'tool_reference', tool_name: 'weather' }] }],
  },
];

interface Declared {
  readonly name: string;
  readonly schema: unknown;
}

/** The functions that a vendor was offered. */
const readTools = (wire: Wire, body: Json): readonly Declared[] =>
  readObjects(body['tools'])
    .flatMap((tool) => (wire === 'google' ? readObjects(tool['functionDeclarations']) : [tool]))
    .map((tool) => (wire === 'chat' ? readObject(tool['function']) : tool))
    .map(({ name, parameters, parametersJsonSchema }) => ({
      name: readText(name),
      schema: parameters ?? parametersJsonSchema,
    }));

describe('tool sets of messages clients on other wires', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
    scene.upstream.answer = greet;
  });
  after(() => scene.stop());
  beforeEach(() => {
    scene.upstream.calls.length = 0;
  });

  const ask = async (
    target: Wire,
    more: Json,
  ): Promise<{ readonly tools: readonly Declared[]; readonly sent: string; readonly losses: string }> => {
    const reply = await send(scene.gateway.url, callOf('messages', modelIds[target], { more }));
    expect(reply.status, reply.text).to.equal(200);
    const call = scene.upstream.calls.at(-1);
    expect(wireAt(call?.path ?? '')).to.equal(target);
    return {
      tools: readTools(target, call?.body ?? {}),
      sent: call?.raw.toString() ?? '',
      losses: String(reply.headers['x-koine-losses'] ?? ''),
    };
  };
  const namesOf = (tools: readonly Declared[]): readonly string[] => tools.map(({ name }) => name);

  for (const target of targets) {
    it(`a tool that a search has found is offered over ${target}, and the result says what was found`, async () => {
      const tools = [finder, weather, mail];
      expect(namesOf((await ask(target, { tools, messages: [asked] })).tools)).to.deep.equal(['ToolSearch']);
      const found = await ask(target, { tools, messages: searched });
      expect(namesOf(found.tools)).to.deep.equal(['ToolSearch', 'weather']);
      expect(found.tools[1]?.schema).to.deep.equal(input_schema);
      expect(found.sent).to.include('Tool found: weather');
      expect(found.losses, 'the tool that no search has found').to.equal('tools;approximated');
    });

    it(`tools that the conversation adds and removes are offered so over ${target}`, async () => {
      const definition = { name: 'clock', description: 'The time.', input_schema };
      const change = (type: string, tool: object) => ({ role: 'system', content: [{ type, tool }] });
      const { tools, losses } = await ask(target, {
        tools: [{ ...finder, name: 'a' }, { ...finder, name: 'b' }, weather],
        messages: [
          asked,
          change('tool_removal', { type: 'tool_reference', name: 'a' }),
          change('tool_addition', { type: 'tool_definition', definition }),
          change('tool_addition', { type: 'tool_reference', name: 'weather' }),
          asked,
        ],
      });
      expect(namesOf(tools)).to.deep.equal(['b', 'weather', 'clock']);
      expect(losses).to.not.include('tool');
    });

    it(`tools of the vendor that the client executes are functions with a schema over ${target}`, async () => {
      const { tools, losses } = await ask(target, {
        tools: [
          { type: 'memory_20250818', name: 'memory' },
          { type: 'bash_20250124', name: 'bash' },
          { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
          { type: 'computer_20250124', name: 'computer', display_width_px: 800, display_height_px: 600 },
        ],
      });
      expect(namesOf(tools)).to.deep.equal(['memory', 'bash', 'str_replace_based_edit_tool', 'computer']);
      for (const { name, schema } of tools) expect(schema, name).to.have.nested.property('properties');
      expect(losses).to.include('tools').and.include('approximated').and.not.include('dropped');
    });

    it(`a compacted conversation reaches a model over ${target} as its summary`, async () => {
      const summary = { type: 'compaction', content: 'They spoke of Paris.', signature: 's' };
      const { sent } = await ask(target, { messages: [{ role: 'assistant', content: [summary] }, asked] });
      expect(sent).to.include('They spoke of Paris.');
    });
  }

  for (const stream of [false, true]) {
    it(`calls of tools of the vendor come back as the client expects them, ${stream ? 'streamed' : 'plain'}`, async () => {
      const functions = [
        { name: 'memory', arguments: '{"command":"view"}' },
        { name: 'computer__left_click', arguments: '{"coordinate":[1,2]}' },
      ];
      const calls = functions.map((called, index) => ({ id: `c${index}`, ...called }));
      scene.upstream.answer = (response) =>
        void response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' }).end(
          textOf('chat', stream ? 'streamed' : 'plain', {
            ...textAnswer(''),
            chat: { message: { tool_calls: calls }, finish: 'tool_calls' },
          }),
        );
      const tools = [{ type: 'memory_20250818', name: 'memory' }, { type: 'computer_toolset_20260801' }];
      const client = new Anthropic({ apiKey: KEY, baseURL: scene.gateway.url, maxRetries: 0 });
      const body = {
        model: modelIds.chat,
        max_tokens: 9,
        messages: [asked],
        tools,
      } as unknown as MessageCreateParamsNonStreaming;
      const { content } = await (stream
        ? client.beta.messages.stream(body).finalMessage()
        : client.beta.messages.create(body));
      scene.upstream.answer = greet;
      const call = { type: 'tool_use', caller: { type: 'direct' } };
      expect(content).to.deep.equal([
        { ...call, id: 'c0', name: 'memory', input: { command: 'view' } },
        { ...call, id: 'c1', name: 'left_click', toolset_name: 'computer', input: { coordinate: [1, 2] } },
      ]);
    });
  }
});
