import { expect } from 'chai';
import { BadRequestError } from 'openai';
import { goodDay } from '../matrix/sample-bodies.ts';
import { wires, type Json, type Wire } from '../matrix/wires.ts';
import { startAgentScene, streamOf, type AgentScene } from './agent-scene.ts';
import { runCodex, type CodexAnswer } from './codex-client.ts';
import {
  addedTool,
  codexHeaders,
  codexModels,
  codexRequest,
  foundTool,
  hostedTools,
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
        // The item is reported as lost; the call and its result are there under the declared name.
        expect(answer?.headers.get('x-koine-losses')).to.match(/(?:^|, )input(?:\[\d\])?(?:\.content)?;dropped/);
        const said = JSON.stringify([body['messages'], body['contents']]);
        expect(said)
          .to.include('"lookup"')
          .and.include('shipped')
          .and.not.include('lookup__lookup')
          .and.not.include('orders');
        expect(said).to.not.match(/"content":""|"(?:content|parts)":\[\]/);
      });
    }

    for (const tool of hostedTools) {
      const type = String(tool['type']);
      it(
        wire === 'responses'
          ? `sends the hosted tool ${type} to OpenAI`
          : `refuses the hosted tool ${type} by its name`,
        async () => {
          scene.script(streamOf(wire, goodDay));
          const tools = [...(codexRequest([])['tools'] as readonly Json[]), tool];
          if (wire === 'responses') {
            const { body } = await scene.called(() => run(opening, tools));
            expect(body['tools']).to.deep.equal(tools);
            return;
          }
          scene.upstream.calls.length = 0;
          const thrown = await run(opening, tools).catch((error: unknown) => error);
          expect(thrown).to.be.instanceOf(BadRequestError);
          expect(thrown).to.deep.include({ status: 400, code: 'unsupported_parameter', param: 'tools' });
          expect((thrown as BadRequestError).message).to.include(`'${type}'`);
          expect(scene.upstream.calls).to.have.length(0);
        },
      );
    }
  });
}
