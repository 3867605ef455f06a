import { loadPresets } from '../../extensions/built-in.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import { MisuseError, parseOptions, type Command } from '../command.ts';
import { listPluginCommands } from '../plugin-command.ts';
import { writeScript } from './scripts.ts';
import { shells } from './shells.ts';

/** `koine completion`: prints the script by which a shell completes commands, options and their values. */
export async function printCompletion(
  [shell = '', ...args]: readonly string[],
  own: readonly Command[],
  builtIns: BuiltIns,
): Promise<number> {
  parseOptions(args, {});
  const plugins = Object.values((await loadPresets(builtIns)).plugin);
  const script = writeScript(shell, [...own, ...listPluginCommands(plugins, builtIns)]);
  if (script === undefined) throw new MisuseError(`Name the shell: koine completion ${shells.join('|')}.`);
  console.log(script);
  return 0;
}
