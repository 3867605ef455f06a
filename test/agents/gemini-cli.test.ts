import { type Content } from '@google/genai';
import { expect } from 'chai';
import { answerJson } from '../support/upstream.ts';
import { goodDay } from '../matrix/sample-bodies.ts';
import { wires, type Json, type Wire } from '../matrix/wires.ts';
import { searchAt, startAgentScene, streamOf, targets, type AgentScene } from './agent-scene.ts';
import { createGeminiCli, runGemini, type GeminiAnswer } from './gemini-cli-client.ts';
import { geminiModels, geminiRequest, opening, readArguments, replay, resultsOf, shellCommand } from './gemini-cli.ts';
import { received } from './gemini-cli-received.ts';
import { callIds, firstAnswers } from './gemini-cli-vendors.ts';

/** OpenAI shows none on chat. */
const shown: Readonly<Record<Wire, string>> = {
  chat: '',
  messages: 'Look first.',
  responses: 'Look first.',
  google: 'Look first.',
};

const partsOf = (contents: readonly Content[]) => contents.flatMap(({ parts = [] }) => parts);
const asJson = (contents: readonly Content[]): readonly Json[] => contents.map((content) => ({ ...content }));

for (const wire of wires) {
  describe(`agents: Gemini CLI style over ${wire}`, () => {
    let scene: AgentScene;
    before(async () => {
      scene = await startAgentScene(wire, geminiModels);
    });
    after(() => scene.stop());

    const run = (contents: readonly Json[], more: Json = {}): Promise<GeminiAnswer> =>
      runGemini(scene.url, { ...geminiRequest(contents), ...more });

    it('Gemini CLI completes a tool loop with any call ids and chunks (E3, E27)', async () => {
      scene.script(streamOf(wire, firstAnswers), streamOf(wire, goodDay));
      let first: GeminiAnswer | undefined;
      const opened = await scene.called(async () => {
        first = await run(opening);
      });
      expect(opened.body).to.deep.equal(received[wire].first);
      const parts = partsOf(first?.contents ?? []);
      const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
      expect(calls.map(({ name, args }) => [name, args])).to.deep.equal([
        ['run_shell_command', shellCommand],
        ['read_file', readArguments],
      ]);
      expect(calls.map(({ id }) => id)).to.deep.equal(wire === 'google' ? [undefined, undefined] : [...callIds]);
      const texts = (thought: boolean): string =>
        parts
          .filter((part) => (part.thought ?? false) === thought)
          .map(({ text = '' }) => text)
          .join('');
      expect([texts(true), texts(false)]).to.deep.equal([shown[wire], 'I will look.']);
      const last = first?.chunks.at(-1);
      expect(last?.candidates?.[0]?.finishReason).to.equal('STOP');
      expect(last?.usageMetadata).to.include({
        promptTokenCount: 12,
        candidatesTokenCount: 30,
        thoughtsTokenCount: 60,
      });

      const history = replay(asJson(first?.contents ?? []));
      let second: GeminiAnswer | undefined;
      const continued = await scene.called(async () => {
        second = await run([...opening, ...history, resultsOf(history)]);
      });
      expect(continued.body).to.deep.equal(received[wire].second);
      expect(
        partsOf(second?.contents ?? [])
          .map(({ text = '' }) => text)
          .join(''),
      ).to.equal('Good day.');
    });

    it('Gemini CLI never receives a placeholder signature, and only Google is sent one', async () => {
      scene.script(streamOf(wire, goodDay));
      const calls = [
        {
          role: 'model',
          parts: [
            {
              functionCall: { name: 'run_shell_command', args: shellCommand },
              thoughtSignature: 'skip_thought_signature_validator',
            },
          ],
        },
      ];
      const { raw } = await scene.called(() => run([...opening, ...calls, resultsOf(calls)]));
      expect(raw.includes('skip_thought_signature_validator')).to.equal(wire === 'google');
      expect(raw.includes('run_shell_command')).to.equal(true);
    });

    it(wire === 'chat' ? 'drops a search for Gemini CLI' : 'Gemini CLI can run a search', async () => {
      scene.script(streamOf(wire, goodDay));
      const { body } = await scene.called(() => run(opening, { tools: [{ googleSearch: {} }] }));
      expect(body['tools']).to.deep.equal(wire === 'chat' ? undefined : [searchAt[wire]]);
    });

    it('Gemini CLI can use its built-in models for small work, and count with them', async () => {
      scene.script(streamOf(wire, goodDay));
      for (const model of geminiModels.slice(1)) {
        const { contents } = await runGemini(scene.url, {
          model,
          contents: [{ role: 'user', parts: [{ text: 'Sum it up.' }] }],
          generationConfig: { maxOutputTokens: 500 },
        });
        expect(
          partsOf(contents)
            .map(({ text = '' }) => text)
            .join(''),
        ).to.equal('Good day.');
        scene.script(streamOf(wire, goodDay));
      }
      scene.upstream.answer = (response) => answerJson(response, { totalTokens: 16, input_tokens: 16 });
      const { totalTokens } = await createGeminiCli(scene.url).models.countTokens({
        model: geminiModels[1],
        contents: 'Hello',
      });
      expect(totalTokens).to.equal(16);
      expect(JSON.stringify(scene.upstream.calls.at(-1)?.body) + scene.upstream.calls.at(-1)?.path).to.include(
        targets[wire],
      );
    });
  });
}
