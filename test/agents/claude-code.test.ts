import { BadRequestError } from '@anthropic-ai/sdk';
import type { MessageCountTokensParams } from '@anthropic-ai/sdk/resources/beta/messages';
import { expect } from 'chai';
import { startTestGateway } from '../support/gateway.ts';
import { answerJson } from '../support/upstream.ts';
import { idOf } from '../matrix/catalog.ts';
import { goodDay } from '../matrix/sample-bodies.ts';
import { wires, type Json, type Wire } from '../matrix/wires.ts';
import { searchAt, startAgentScene, streamOf, targets, type AgentScene } from './agent-scene.ts';
import { createClaudeCode, runClaude, type ClaudeAnswer } from './claude-code-client.ts';
import { attribution, betas, claudeModels, claudeRequest, opening, results, webSearch } from './claude-code.ts';
import { received } from './claude-code-received.ts';
import { firstAnswers } from './claude-code-vendors.ts';

/** Members that only Anthropic has, by the agent's names. */
const beta = [
  'context_management;dropped',
  'anthropic-beta;dropped',
  'tools[1].cache_control;dropped',
  'tools[0].eager_input_streaming;dropped',
];

/** The counting path of each vendor, and its response. */
const counts: Readonly<Record<Wire, readonly [path: string, answer: object]>> = {
  chat: ['/v1/responses/input_tokens', { object: 'response.input_tokens', input_tokens: 4_512 }],
  messages: ['/v1/messages/count_tokens', { input_tokens: 4_512 }],
  responses: ['/v1/responses/input_tokens', { object: 'response.input_tokens', input_tokens: 4_512 }],
  google: [`/v1beta/models/${targets.google}:countTokens`, { totalTokens: 4_512 }],
};

for (const wire of wires) {
  describe(`agents: Claude Code style over ${wire}`, () => {
    let scene: AgentScene;
    before(async () => {
      scene = await startAgentScene(wire, claudeModels);
    });
    after(() => scene.stop());

    /** A block as the gateway writes it: its members without a value are only in those of other vendors. */
    const written = (block: Json): Json => {
      if (wire === 'messages') return block;
      return block['type'] === 'text' ? { ...block, citations: [] } : { ...block, caller: { type: 'direct' } };
    };
    const run = (messages: readonly Json[], more?: Json): Promise<ClaudeAnswer> =>
      runClaude(scene.url, claudeRequest(messages, more));

    it('Claude Code completes a tool loop with hidden thinking (E16)', async () => {
      scene.script(streamOf(wire, firstAnswers), streamOf(wire, goodDay));
      let first: ClaudeAnswer | undefined;
      const opened = await scene.called(async () => {
        first = await run(opening);
      });
      expect(opened.body).to.deep.equal(received[wire].first);
      const content = first?.message.content ?? [];
      expect(content.filter(({ type }) => type !== 'thinking')).to.deep.equal([
        written({ type: 'text', text: 'I will look.' }),
        written({ type: 'tool_use', id: 'call_1', name: 'Read', input: { file_path: '/repo/a.ts' } }),
        written({ type: 'tool_use', id: 'call_2', name: 'mcp__docs__search', input: { query: 'const' } }),
      ]);
      for (const block of content)
        if (block.type === 'thinking')
          expect(block).to.include({ thinking: '' }).and.to.have.property('signature').that.is.not.equal('');
      expect(first?.message).to.deep.include({ stop_reason: 'tool_use' });
      expect(first?.message.usage).to.include({ input_tokens: 12, output_tokens: 90 });

      let second: ClaudeAnswer | undefined;
      const continued = await scene.called(async () => {
        second = await run([...opening, { role: 'assistant', content }, results]);
      });
      expect(continued.body).to.deep.equal(received[wire].second);
      expect(second?.message).to.deep.include({
        stop_reason: 'end_turn',
        content: [written({ type: 'text', text: 'Good day.' })],
      });
    });

    it(
      wire === 'messages'
        ? 'forwards the betas and the bytes of Claude Code unchanged'
        : 'leaves out the betas of Claude Code and names them as lost, without a refusal',
      async () => {
        scene.script(streamOf(wire, goodDay));
        let answer: ClaudeAnswer | undefined;
        const { raw, headers } = await scene.called(async () => {
          answer = await run(opening, { an_unknown_member: { of: 'next week' } });
        });
        const losses = answer?.headers.get('x-koine-losses');
        if (wire === 'messages') {
          expect(raw.toString()).to.equal(
            JSON.stringify(claudeRequest(opening, { an_unknown_member: { of: 'next week' } })),
          );
          expect(headers).to.include({ 'anthropic-beta': betas.join(','), 'anthropic-version': '2026-10-21' });
          expect(losses).to.equal(null);
          return;
        }
        expect(losses?.split(', ')).to.include.members([...beta, 'an_unknown_member;dropped']);
        expect(
          Object.keys(headers).filter((name) => name.startsWith('anthropic') || name.startsWith('x-app')),
        ).to.deep.equal([]);
        expect(raw.toString()).to.not.match(/context_management|cache_control|next week|eager_input/);
      },
    );

    it('Claude Code sends its identification to Anthropic only, since it would defeat the prompt cache of others', async () => {
      scene.script(streamOf(wire, goodDay));
      const { raw } = await scene.called(() => run(opening));
      expect(raw.includes(attribution)).to.equal(wire === 'messages');
    });

    it(
      wire === 'chat' ? 'refuses a search that no vendor of the wire can make' : 'Claude Code can run a search',
      async () => {
        scene.script(streamOf(wire, goodDay));
        const search = {
          tools: [webSearch],
          tool_choice: { type: 'tool', name: 'web_search' },
          thinking: { type: 'disabled' },
          output_config: {},
        };
        if (wire !== 'chat') {
          const { body } = await scene.called(() => run(opening, search));
          expect(body['tools']).to.deep.equal([wire === 'messages' ? webSearch : searchAt[wire]]);
          return;
        }
        scene.upstream.calls.length = 0;
        const thrown = await run(opening, search).catch((error: unknown) => error);
        expect(thrown).to.be.instanceOf(BadRequestError);
        expect((thrown as BadRequestError).message).to.include("'web_search_20250305'");
        expect(scene.upstream.calls).to.have.length(0);
      },
    );

    it('Claude Code can use its built-in model for small work too', async () => {
      scene.script(streamOf(wire, goodDay));
      const { message } = await runClaude(scene.url, {
        model: claudeModels[1],
        max_tokens: 512,
        messages: [{ role: 'user', content: 'A title for: Hello' }],
        stream: true,
      });
      expect(message.content).to.deep.equal([written({ type: 'text', text: 'Good day.' })]);
    });

    it('the provider of the model counts the prompt of Claude Code', async () => {
      const [path, answer] = counts[wire];
      scene.upstream.answer = (response) => answerJson(response, answer);
      const { max_tokens: _cap, stream: _stream, metadata: _metadata, ...prompt } = claudeRequest(opening);
      const call = await scene.called(async () => {
        const { data, response } = await createClaudeCode(scene.url)
          .beta.messages.countTokens(prompt as unknown as MessageCountTokensParams)
          .withResponse();
        expect(data).to.deep.equal({ input_tokens: 4_512 });
        expect(response.headers.get('x-koine-estimated')).to.equal(null);
      });
      expect(call.path).to.equal(path);
      if (wire === 'messages') expect(call.raw.toString()).to.equal(JSON.stringify(prompt));
    });

    it('Claude Code discovers the models whose names it accepts', async () => {
      const found = await Array.fromAsync(createClaudeCode(scene.url).models.list({ limit: 1_000 }));
      const accepted = found.filter(({ id }) => /^(?:claude|anthropic)/.test(id));
      const names = [idOf('messages', targets.messages), ...claudeModels];
      expect(accepted.map(({ id, type }) => [id, type])).to.deep.equal(names.map((name) => [name, 'model']));
      expect(found).to.have.length(wires.length + claudeModels.length);
    });
  });
}

describe('agents: Claude Code style over a server that cannot count', () => {
  it('a token count that is an estimate is marked as one', async () => {
    const gateway = await startTestGateway({
      providers: { local: { use: 'openai-compatible', config: { baseUrl: 'http://127.0.0.1:9/v1' } } },
      models: { 'local/qwen3': { targets: [{ provider: 'local', model: 'qwen3' }] } },
      aliases: { [claudeModels[0]]: 'local/qwen3' },
    });
    const { max_tokens: _cap, stream: _stream, metadata: _metadata, ...prompt } = claudeRequest(opening);
    const { data, response } = await createClaudeCode(gateway.url)
      .beta.messages.countTokens(prompt as unknown as MessageCountTokensParams)
      .withResponse();
    await gateway.stop();
    expect(data.input_tokens).to.be.within(100, 400);
    expect(response.headers.get('x-koine-estimated')).to.equal('input_tokens');
  });
});
