import { expect } from 'chai';
import { join } from 'node:path';
import { CALLS, DONE, GOOD_DAY } from '../../support/strict-vendors/script.ts';
import { startStrictScene, type StrictScene } from '../../support/strict-vendors/targets.ts';
import { hasPrograms, installPython } from '../cache.ts';
import { modelAt, runProgram } from './run-program.ts';

/** One model for each kind of target: the wires of OpenAI and Anthropic, and a provider with a wire of its own. */
const translated = [
  modelAt('openai', 'gpt-4.1'),
  modelAt('anthropic', 'claude-sonnet-4-5'),
  modelAt('openai', 'gpt-5-codex'),
  modelAt('bedrock', 'us.amazon.nova-pro-v1:0'),
];
const native = [modelAt('google', 'gemini-3-pro'), modelAt('google', 'gemini-3.5-flash')];
const all = [...translated, ...native];

/** What the program does, at which models, and how it ends there. */
const parts = [
  { wire: 'steps', at: all, text: DONE, calls: CALLS },
  { wire: 'previous_interaction_id', at: translated, text: DONE, calls: CALLS },
  { wire: 'image', at: all, text: GOOD_DAY, calls: 0 },
  { wire: 'structured', at: all, text: GOOD_DAY, calls: 0 },
];

/** Interactions of the SDK of Google in Python. */
export function testInteractions(limitMs: number): void {
  describe('interactions of google-genai against vendors that refuse what their pages say (python)', function () {
    this.timeout(limitMs);
    let scene: StrictScene;
    before(async function () {
      if (!hasPrograms('python3')) this.skip();
      scene = await startStrictScene();
    });
    after(() => scene?.stop());

    it('google-genai finishes loops of tools, sends images and asks for JSON, at every kind of target', async () => {
      const command = join(installPython('python', 'requirements.txt'), 'venv/bin/python');
      const ended = await runProgram({ command }, 'google_interactions.py', scene.gateway.url, all);
      expect(ended.map((line) => ({ ...line, calls: line.calls.length }))).to.deep.equal(
        parts.flatMap(({ at, ...part }) =>
          at.flatMap((model) => ['plain', 'streamed'].map((mode) => ({ ...part, model, mode }))),
        ),
      );
      const exchanges = scene.gateway.exchanges();
      expect([...new Set(exchanges.map(({ status }) => status))]).to.deep.equal([200]);
      expect([...new Set(exchanges.map(({ wire_in: wire }) => wire))]).to.deep.equal(['interactions']);
    });
  });
}
