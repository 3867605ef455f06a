import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandRunner, MOST_CPU_MS, readCommandFlaw, type CommandResult } from '../commands/commands.ts';
import { PLANTED_CPU_MS } from '../commands/planted.ts';
import type { Surface } from '../play.ts';
import { importerNames, makeSource, SECRET } from './sources.ts';

/**
 * Exit code 1 is a result that `koine check` refuses, a defect of the import, or a note of something that would allow
 * more than the other gateway does.
 */
const judge = (result: CommandResult, mostCpuMs: number): readonly string[] => {
  const { code, out, err } = result;
  const flaw = readCommandFlaw(result, mostCpuMs);
  return [
    ...(flaw === undefined ? [] : [flaw]),
    ...(/^the result:\d+:\d+ error /m.test(err) ? [`the result does not load: ${err.slice(-500)}`] : []),
    ...(code === 1 && !/^the result:|: error: /m.test(err) ? [`exit 1 without an error: ${err.slice(-500)}`] : []),
    ...(out.includes(SECRET) ? ['a secret in the result'] : []),
    ...(err.includes(SECRET) ? [`a secret in a note: ${err.slice(0, 500)}`] : []),
    ...(code === 2 && out !== '' ? ['a result in spite of a refusal'] : []),
  ];
};

/** Random configurations of other gateways. */
export const importers: Surface = {
  name: 'importers',
  lanes: 1,
  casesPerTarget: 2_000,
  start: async (_options, report) => {
    const folder = mkdtempSync(join(tmpdir(), 'koine-fuzz-'));
    const commands = new CommandRunner();
    return {
      process: commands,
      play: async ({ number, random, isPlanted: planted }) => {
        const name = planted ? 'litellm' : random.pick(importerNames);
        const file = join(folder, random.chance(0.5) ? 'config.yaml' : 'config.json');
        writeFileSync(file, makeSource(name, random));
        const result = await commands.run({ args: ['import', name, file], cwd: folder, planted });
        for (const flaw of judge(result, planted ? PLANTED_CPU_MS : MOST_CPU_MS)) report(`${name}: ${flaw}`, number);
        return `exit ${result.code}`;
      },
      stop: async () => {
        await commands.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};
