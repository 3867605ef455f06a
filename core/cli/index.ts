import { redactKeys } from '../canonical/text/redact.ts';
import { ConfigError, formatProblem } from '../config/problem.ts';
import { selectSuggestion } from '../config/suggest.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { loadPresets } from '../extensions/built-in.ts';
import type { BuiltIns } from '../extensions/extension.ts';
import { DEFAULT_CONFIG, MisuseError, type Command } from './command.ts';
import { ownCommands, version } from './commands.ts';
import { listPluginCommands } from './plugin-command.ts';

const describeUsage = (commands: readonly Command[]): string => {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    'Usage: koine <command> [options]',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    `Every command takes --config FILE (default ${DEFAULT_CONFIG}). "koine <command> --help" lists its options.`,
    'Exit codes: 0 success, 1 findings, 2 misuse.',
  ].join('\n');
};

const describeUnknown = (name: string, commands: readonly Command[]): string => {
  const suggestion = selectSuggestion(
    name,
    commands.map((command) => command.name),
  );
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
  const isOwn = ownCommands.some((command) => command.name === name);
  const commands = [...ownCommands, ...(isOwn ? [] : listPluginCommands(await loadPresets(builtIns)))];
  if (name === undefined) return misuse('No command was given.');
  if (isHelp(name) || name === 'help') {
    console.log(describeUsage(commands));
    return 0;
  }
  const command = isVersion(name) ? version : commands.find((candidate) => candidate.name === name);
  if (command === undefined) return misuse(describeUnknown(name, commands));
  if (args.some(isHelp)) {
    console.log(`Usage: koine ${name} ${command.usage}\n\n${command.name} ${command.summary}.`);
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
