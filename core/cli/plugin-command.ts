import { loadConfig } from '../config/load.ts';
import type { PluginCommand } from '../contracts/extension.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { PluginDefinition } from '../contracts/plugin.ts';
import { isBuiltIn } from '../extensions/built-in.ts';
import type { BuiltIns } from '../extensions/extension.ts';
import { DEFAULT_CONFIG, MisuseError, type Command } from './command.ts';
import { configOption, type CommandForm } from './options/option.ts';

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
    throw new MisuseError(
      `koine ${command.topLevel === true ? name : `${plugin} ${name}`} needs the plugin "${plugin}", ` +
        `which ${file} does not have.`,
    );
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

const formOf = ({ usage, options = {} }: PluginCommand, own: Pick<CommandForm, 'verb' | 'summary'>): CommandForm => ({
  ...own,
  // The options of a command that describes none are in its usage.
  ...(Object.keys(options).length === 0 && usage !== '' ? { operands: usage } : {}),
  options: { ...options, ...configOption },
});

/** The commands of plugins: `koine <command>`, or `koine <plugin> <command>`. */
export const listPluginCommands = (
  plugins: readonly Pick<PluginDefinition, 'name' | 'commands'>[],
  builtIns: BuiltIns,
): readonly Command[] =>
  plugins.flatMap(({ name: plugin, commands = {} }): readonly Command[] => {
    const isTop = ([, { topLevel }]: readonly [string, PluginCommand]): boolean =>
      topLevel === true && isBuiltIn('plugin', plugin, builtIns);
    const [top, below] = [true, false].map((wanted) =>
      Object.entries(commands).filter((each) => isTop(each) === wanted),
    );
    const own = (top ?? []).map(([name, command]) => ({
      name,
      summary: command.summary,
      forms: [formOf(command, {})],
      run: (args: readonly string[]) => run(plugin, name, command, args, builtIns),
    }));
    return below === undefined || below.length === 0 ? own : [...own, createGroup(plugin, below, builtIns)];
  });

/** `koine <plugin> <command>`. */
const createGroup = (
  plugin: string,
  commands: readonly (readonly [name: string, command: PluginCommand])[],
  builtIns: BuiltIns,
): Command => ({
  name: plugin,
  summary: commands.map(([name, { summary }]) => `${name}: ${summary}`).join('; '),
  forms: commands.map(([name, command]) => formOf(command, { verb: name, summary: command.summary })),
  run: ([name = '', ...args]) => {
    const found = commands.find(([each]) => each === name);
    if (found === undefined)
      throw new MisuseError(`koine ${plugin} needs one of ${commands.map(([each]) => each).join(', ')}.`);
    return run(plugin, name, found[1], args, builtIns);
  },
});

/** The commands of the plugins that the configuration lists; none if it cannot be loaded: `koine check` says why. */
export async function listConfiguredCommands(args: readonly string[], builtIns: BuiltIns): Promise<readonly Command[]> {
  try {
    const { extensions } = await loadConfig(takeConfig(args).config, builtIns, process.env);
    return listPluginCommands(
      extensions.plugins.map(({ definition }) => definition),
      builtIns,
    );
  } catch (thrown) {
    if (!GatewayError.is(thrown)) throw thrown;
    return [];
  }
}
