import { expect } from 'chai';
import { join } from 'node:path';
import { CALLS, DONE } from '../../support/strict-vendors/script.ts';
import { startStrictScene, type StrictScene } from '../../support/strict-vendors/targets.ts';
import { hasPrograms, installPackages, installPython } from '../cache.ts';
import { frameworks, pins, type Framework } from './list.ts';
import { modelAt, runProgram, type Interpreter } from './run-program.ts';

/** One model over each wire of an upstream, and a vendor that is strict about chat completions. */
const models: readonly string[] = [
  modelAt('openai', 'gpt-4.1'),
  modelAt('deepseek', 'deepseek-v4-pro'),
  modelAt('anthropic', 'claude-sonnet-4-5'),
  modelAt('openai', 'gpt-5-codex'),
  modelAt('google', 'gemini-3-pro'),
];
const modes = ['plain', 'streamed'];

const interpreters: Readonly<Record<Framework['language'], () => Interpreter>> = {
  TypeScript: () => ({ command: process.execPath, link: join(installPackages('frameworks'), 'node_modules') }),
  Python: () => ({ command: join(installPython('frameworks-python', pins.Python), 'venv/bin/python') }),
};

/** Some return the texts of all steps. What is neither done nor refused is shown. */
const endOf = (text: string, refusal: string | undefined): string => {
  if (text.endsWith(DONE)) return 'done';
  return refusal !== undefined && text.includes(refusal) ? 'refused' : text;
};

/** Each framework runs its loop over each of its wires at each model, plain and streamed. */
export function testFrameworks(limitMs: number): void {
  describe('loops of frameworks against vendors that refuse what their pages say (frameworks)', function () {
    this.timeout(limitMs);
    let scene: StrictScene;
    before(async function () {
      if (!hasPrograms('npm', 'python3')) this.skip();
      scene = await startStrictScene();
    });
    after(() => scene?.stop());

    for (const framework of frameworks)
      it(`${framework.name} in ${framework.language} finishes its loop of tools over every upstream wire`, async () => {
        const begin = scene.gateway.exchanges().length;
        const { language, program, wires, refusedAt = {} } = framework;
        const ended = await runProgram(interpreters[language](), program, scene.gateway.url, models);
        const wanted = wires.flatMap((wire) =>
          models.flatMap((model) =>
            modes.map((mode) =>
              model in refusedAt
                ? { wire, model, mode, end: 'refused', calls: 0 }
                : { wire, model, mode, end: 'done', calls: CALLS },
            ),
          ),
        );
        const got = ended.map(({ wire, model, mode, text, calls }) => ({
          wire,
          model,
          mode,
          end: endOf(text, refusedAt[model]),
          calls: calls.length,
        }));
        expect(got).to.deep.equal(wanted);
        const exchanges = scene.gateway.exchanges().slice(begin);
        const statuses = new Set(exchanges.map(({ status }) => status));
        expect([...statuses].sort()).to.deep.equal(framework.refusedAt === undefined ? [200] : [200, 400]);
        expect([...new Set(exchanges.map(({ wire_in: wire }) => wire))].sort()).to.deep.equal(
          framework.wires.toSorted(),
        );
      });
  });
}
