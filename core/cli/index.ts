import { redactKeys } from '../canonical/text/redact.ts';
import { ConfigError, formatProblem } from '../config/problem.ts';
import { selectSuggestion } from '../config/suggest.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { loadPresets } from '../extensions/built-in.ts';
import type { BuiltIns } from '../extensions/extension.ts';
import { MisuseError, type Command } from './command.ts';
import { createCommands, version } from './commands.ts';
import { describeCommand, describeCommands } from './help.ts';
import { listConfiguredCommands, listPluginCommands } from './plugin-command.ts';

/** A verb without its command: `koine backup`, which is `koine store backup`. */
const findVerb = (name: string, commands: readonly Command[]): string | undefined =>
  commands.flatMap((command) =>
    command.forms.flatMap(({ verb }) => (verb === name ? [`${command.name} ${verb}`] : [])),
  )[0];

const describeUnknown = (name: string, commands: readonly Command[]): string => {
  const names = commands.map((command) => command.name);
  const suggestion = findVerb(name, commands) ?? selectSuggestion(name, names);
  return `There is no command "${name}".${suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`}`;
};

const misuse = (message: string): number => {
  console.error(`${redactKeys(message)}\nSee "koine --help".`);
  return 2;
};

const isHelp = (word: string): boolean => word === '--help' || word === '-h';
const isVersion = (word: string): boolean => word === '--version' || word === '-v';

/**
 * @param argv without the program
 * @returns the exit code: 0 success, 1 findings, 2 misuse
 */
export async function runCli(argv: readonly string[], builtIns: BuiltIns): Promise<number> {
  const [name, ...args] = argv;
  const ownCommands = createCommands(builtIns);
  const isOwn = ownCommands.some((command) => command.name === name);
  const plugins = isOwn ? [] : Object.values((await loadPresets(builtIns)).plugin);
  const commands = [...ownCommands, ...listPluginCommands(plugins, builtIns)];
  if (name === undefined) return misuse('No command was given.');
  if (isHelp(name) || name === 'help') {
    console.log(describeCommands(commands));
    return 0;
  }
  const find = (among: readonly Command[]) => among.find((candidate) => candidate.name === name);
  const command = isVersion(name) ? version : (find(commands) ?? find(await listConfiguredCommands(args, builtIns)));
  if (command === undefined) return misuse(describeUnknown(name, commands));
  if (args.some(isHelp)) {
    console.log(describeCommand(command, args));
    return 0;
  }
  try {
    return await command.run(args, builtIns);
  } catch (thrown) {
    if (thrown instanceof MisuseError) return misuse(thrown.message);
    if (!GatewayError.is(thrown)) throw thrown;
    if (thrown instanceof ConfigError) {
      for (const problem of thrown.problems) console.error(`${formatProblem(problem)}\n`);
      return 1;
    }
    console.error(`${thrown.code}: ${redactKeys(thrown.message)}`);
    return thrown.code === 'KOINE_CONFIG_UNREADABLE' ? 2 : 1;
  }
}
