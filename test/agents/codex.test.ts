import { expect } from 'chai';
import { goodDay } from '../matrix/sample-bodies.ts';
import { wires, type Json, type Wire } from '../matrix/wires.ts';
import { startAgentScene, streamOf, type AgentScene } from './agent-scene.ts';
import { runCodex, type CodexAnswer } from './codex-client.ts';
import {
  addedTool,
  builtInTools,
  codexHeaders,
  codexModels,
  codexRequest,
  foundTool,
  opening,
  outputs,
  patch,
  sendBack,
  subagentResult,
  subagentTask,
} from './codex.ts';
import { received } from './codex-received.ts';
import { firstAnswers, ownItems, streamItems } from './codex-vendors.ts';

/** Text that shows that the reasoning was kept. OpenAI shows none on chat. */
const thoughts: Readonly<Record<Wire, number>> = { chat: 0, messages: 1, responses: 1, google: 1 };

const withoutId = ({ id, ...item }: Json): Json => {
  expect(id).to.be.a('string').and.not.equal('');
  return item;
};
/** All declared tools, on any wire. */
const namesIn = ({ tools }: Json): readonly string[] =>
  [...JSON.stringify(tools).matchAll(/"name":"(\w+)"/g)].map(([, name = '']) => name);
const typeOf = ({ type }: Json): unknown => type;

for (const wire of wires) {
  describe(`agents: Codex style over ${wire}`, () => {
    let scene: AgentScene;
    before(async () => {
      scene = await startAgentScene(wire, codexModels);
    });
    after(() => scene.stop());

    const run = (input: readonly Json[], tools?: readonly Json[]): Promise<CodexAnswer> =>
      runCodex(scene.url, codexRequest(input, tools));

    it('Codex completes a tool loop: functions, custom tools and namespaces come back as declared', async () => {
      scene.script(
        wire === 'responses' ? streamItems(ownItems) : streamOf(wire, firstAnswers),
        streamOf(wire, goodDay),
      );
      let first: CodexAnswer | undefined;
      const opened = await scene.called(async () => {
        first = await run(opening);
      });
      expect(opened.body).to.deep.equal(received[wire].first);
      const items = first?.items ?? [];
      expect(
        items.filter((item) => typeOf(item) === 'function_call' || typeOf(item) === 'custom_tool_call').map(withoutId),
      ).to.deep.equal([
        {
          type: 'function_call',
          status: 'completed',
          call_id: 'call_1',
          name: 'shell',
          arguments: '{"command":["ls"]}',
        },
        {
          type: 'function_call',
          status: 'completed',
          call_id: 'call_2',
          name: 'search',
          namespace: 'mcp__docs',
          arguments: '{"query":"const"}',
        },
        { type: 'custom_tool_call', status: 'completed', call_id: 'call_3', name: 'apply_patch', input: patch },
      ]);
      expect(
        items.filter((item) => typeOf(item) === 'reasoning' && JSON.stringify(item).includes('Look first.')),
      ).to.have.length(thoughts[wire]);
      expect(first?.final.status).to.equal('completed');
      expect(first?.final.output.map(({ type }) => type)).to.deep.equal(items.map(typeOf));
      expect(first?.final.usage).to.deep.include({
        input_tokens: 12,
        output_tokens: 90,
        output_tokens_details: { reasoning_tokens: 60 },
      });

      let second: CodexAnswer | undefined;
      const continued = await scene.called(async () => {
        second = await run([...opening, ...sendBack(items), ...outputs]);
      });
      expect(continued.body).to.deep.equal(received[wire].second);
      expect(second?.items.map(({ content }) => content)).to.deep.equal([
        [{ type: 'output_text', text: 'Good day.', annotations: [], logprobs: [] }],
      ]);
      expect(second?.final.status).to.equal('completed');
    });

    it('does not forward the session id of Codex to a provider', async () => {
      scene.script(streamOf(wire, goodDay));
      const { headers } = await scene.called(() => run(opening));
      expect(headers).to.not.have.property('session_id');
      expect(JSON.stringify(headers)).to.not.include(codexHeaders.session_id);
    });

    for (const [title, input] of [
      ['the task of a subagent', subagentTask('Count the lines.')],
      ['the result of a subagent', subagentResult('Count the lines.')],
    ] as const) {
      it(`sends ${title} to the model, of any vendor`, async () => {
        scene.script(streamOf(wire, goodDay));
        let answer: CodexAnswer | undefined;
        const { body } = await scene.called(async () => {
          answer = await run(input);
        });
        expect(JSON.stringify(body)).to.include('Count the lines.').and.include('Message Type');
        expect(answer?.headers.get('x-koine-losses') ?? '').to.not.include('input');
      });
    }

    it('names the task of a subagent as lost if OpenAI encrypted it for itself', async () => {
      scene.script(streamOf(wire, goodDay));
      let answer: CodexAnswer | undefined;
      const { body } = await scene.called(async () => {
        answer = await run(subagentTask('gAAAAABpEcrypted_by-OpenAI=='));
      });
      const isOwn = wire === 'responses';
      expect(JSON.stringify(body).includes('gAAAAABpEcrypted')).to.equal(isOwn);
      expect(/(?:^|, )input[^,]*;dropped/.test(answer?.headers.get('x-koine-losses') ?? '')).to.equal(!isOwn);
    });

    for (const [title, input] of [
      ['the client added', addedTool],
      ['a search found', foundTool],
    ] as const) {
      it(`accepts a tool that ${title} during the conversation`, async () => {
        scene.script(streamOf(wire, goodDay));
        let answer: CodexAnswer | undefined;
        const { body } = await scene.called(async () => {
          answer = await run(input);
        });
        expect(answer?.final.status).to.equal('completed');
        expect(answer?.final.tools).to.deep.equal(wire === 'responses' ? [] : codexRequest([])['tools']);
        if (wire === 'responses') {
          expect(body).to.deep.equal(codexRequest(input));
          return;
        }
        expect(namesIn(body)).to.deep.equal(['shell', 'apply_patch', 'mcp__docs__search', 'lookup']);
        // The item that only adds tools is reported as lost; the call and its result are there under the declared name.
        const losses = answer?.headers.get('x-koine-losses') ?? '';
        if (input === addedTool) expect(losses).to.match(/(?:^|, )input(?:\[\d\])?(?:\.content)?;dropped/);
        else expect(losses).to.not.match(/(?:^|, )input\S*;dropped/);
        const said = JSON.stringify([body['messages'], body['contents']]);
        expect(said).to.include('"lookup"').and.include('shipped').and.not.include('lookup__lookup');
        if (input === foundTool) expect(said).to.include('orders').and.include('Looks up an order.');
        expect(said).to.not.match(/"content":""|"(?:content|parts)":\[\]/);
      });
    }

    for (const tool of builtInTools) {
      const type = String(tool['type']);
      const isHosted = type === 'web_search';
      it(
        wire === 'responses'
          ? `sends the tool ${type} to OpenAI as Codex declares it`
          : `${isHosted ? 'drops' : 'sends as a function'} the tool ${type} that Codex declares`,
        async () => {
          scene.script(streamOf(wire, goodDay));
          const tools = [...(codexRequest([])['tools'] as readonly Json[]), tool];
          let answer: CodexAnswer | undefined;
          const { body } = await scene.called(async () => {
            answer = await run(opening, tools);
          });
          if (wire === 'responses') {
            expect(body['tools']).to.deep.equal(tools);
            return;
          }
          const added = isHosted ? [] : [type];
          expect(namesIn(body)).to.deep.equal(['shell', 'apply_patch', 'mcp__docs__search', ...added]);
          expect(answer?.final.status).to.equal('completed');
          expect(answer?.final.tools).to.deep.equal(tools);
          const losses = (answer?.headers.get('x-koine-losses') ?? '').split(', ');
          expect(losses.includes('tools;dropped')).to.equal(isHosted);
        },
      );
    }
  });
}
