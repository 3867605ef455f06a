import { loadConfig } from '../config/load.ts';
import type { PluginCommand } from '../contracts/extension.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { BuiltIns } from '../extensions/extension.ts';
import { DEFAULT_CONFIG, MisuseError, type Command } from './command.ts';

/** Separates `--config FILE`, which is the gateway's, from the arguments of the plugin. */
const takeConfig = (args: readonly string[]): { readonly config: string; readonly rest: readonly string[] } => {
  const at = args.findIndex((word) => word === '--config' || word.startsWith('--config='));
  const word = args[at];
  if (word === undefined) return { config: DEFAULT_CONFIG, rest: args };
  if (word !== '--config') return { config: word.slice('--config='.length), rest: args.toSpliced(at, 1) };
  const config = args[at + 1];
  if (config === undefined) throw new MisuseError('--config needs a file.');
  return { config, rest: args.toSpliced(at, 2) };
};

const list = (commands: Readonly<Record<string, PluginCommand>>): string => Object.keys(commands).join(', ');

const run = async (
  plugin: string,
  name: string,
  command: PluginCommand,
  args: readonly string[],
  builtIns: BuiltIns,
): Promise<number> => {
  const { config: file, rest } = takeConfig(args);
  const { config, extensions } = await loadConfig(file, builtIns, process.env);
  const index = extensions.plugins.findIndex(({ definition }) => definition.name === plugin);
  if (index < 0)
    throw new MisuseError(`koine ${plugin} ${name} needs the plugin "${plugin}", which ${file} does not have.`);
  try {
    return await command.run(rest, {
      options: config.plugins[index]?.config,
      databaseUrl: config.store.database,
      providers: Object.keys(config.providers),
      print: (text) => console.log(text),
    });
  } catch (thrown) {
    throw GatewayError.is(thrown) && thrown.code === 'invalid_request' ? new MisuseError(thrown.message) : thrown;
  }
};

/** `koine <command>`, for commands that need no name of a plugin before them. */
const listTopLevel = (
  plugin: string,
  commands: Readonly<Record<string, PluginCommand>>,
  builtIns: BuiltIns,
): readonly Command[] =>
  Object.entries(commands)
    .filter(([, { topLevel }]) => topLevel === true)
    .map(([name, command]) => ({
      name,
      summary: command.summary,
      usage: `${command.usage} [--config FILE]`,
      run: (args) => run(plugin, name, command, args, builtIns),
    }));

/** The commands of built-in plugins: those of the top level, and for each plugin one with all of its subcommands. */
export const listPluginCommands = (builtIns: BuiltIns): readonly Command[] =>
  Object.values(builtIns.plugin).flatMap(({ name: plugin, commands }): readonly Command[] => {
    if (commands === undefined) return [];
    return [
      ...listTopLevel(plugin, commands, builtIns),
      {
        name: plugin,
        summary: Object.entries(commands)
          .map(([name, { summary }]) => `${name}: ${summary}`)
          .join('; '),
        usage: Object.entries(commands)
          .map(([name, { usage }]) => `${name} ${usage} [--config FILE]`)
          .join(`\n       koine ${plugin} `),
        run: ([name = '', ...args]) => {
          const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
          if (command === undefined) throw new MisuseError(`koine ${plugin} needs one of ${list(commands)}.`);
          return run(plugin, name, command, args, builtIns);
        },
      },
    ];
  });
