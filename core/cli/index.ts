import { redactKeys } from '../canonical/redact.ts';
import { ConfigError, formatProblem } from '../config/problem.ts';
import { selectSuggestion } from '../config/suggest.ts';
import { GatewayError } from '../errors.ts';
import type { BuiltIns } from '../extensions/extension.ts';
import { catalog } from './catalog.ts';
import { check } from './check.ts';
import { DEFAULT_CONFIG, MisuseError, parseOptions, parsePort, type Command } from './command.ts';
import { extensions } from './extensions.ts';
import { init } from './init.ts';
import { build } from '../services/build.ts';
import { listPluginCommands } from './plugin-command.ts';
import { schema } from './schema.ts';

/** Serving imports the whole gateway: only who serves waits for that. */
const serve: Command = {
  name: 'serve',
  summary: 'runs the gateway',
  usage: '[--config FILE] [--port PORT] [--admin-port PORT]',
  run: async (args, builtIns) => {
    const values = parseOptions(args, { config: { type: 'string', default: DEFAULT_CONFIG }, port: { type: 'string' }, 'admin-port': { type: 'string' } });
    const port = parsePort('port', values.port);
    const adminPort = parsePort('admin-port', values['admin-port']);
    const { serve: run } = await import('./serve.ts');
    return run({ config: values.config, ...(port === undefined ? {} : { port }), ...(adminPort === undefined ? {} : { adminPort }) }, builtIns);
  },
};

/** Recording imports a whole gateway too. */
const record: Command = {
  name: 'record',
  summary: 'records fixtures from a provider, or from a local gateway where its key is not set',
  usage: '--provider NAME --model NAME [--local MODEL] [--out FOLDER] [--config FILE]',
  run: async (args, builtIns) => {
    const { provider, model, local, out, config } = parseOptions(args, {
      provider: { type: 'string' },
      model: { type: 'string' },
      local: { type: 'string' },
      out: { type: 'string', default: 'test/fixtures/recordings' },
      config: { type: 'string', default: DEFAULT_CONFIG },
    });
    if (provider === undefined || model === undefined) throw new MisuseError('--provider and --model say what to record.');
    const { record: run } = await import('./record.ts');
    return run({ provider, model, out, config, ...(local === undefined ? {} : { local }) }, builtIns);
  },
};

/** Explaining starts all that serving does, but the listeners. */
const explain: Command = {
  name: 'explain',
  summary: 'says what would become of a request: key, route, plugins, every limit that applies, targets, price, and the call that would be made',
  usage: '--key NAME --model MODEL [--wire WIRE] [--operation generate|embed|count-tokens] [--stream] [--body FILE] [--all] [--organization NAME] [--project NAME] [--format text|json] [--config FILE]',
  run: async (args, builtIns) => {
    const { explain: run } = await import('./explain.ts');
    return run(args, builtIns);
  },
};

/** Keys need the database, and what it imports. */
const keys: Command = {
  name: 'keys',
  summary: 'makes, lists, rotates and revokes keys in the database; a running gateway follows within a second',
  usage: `create --name NAME [--organization NAME] [--project NAME] [--models PATTERN,...] [--limit requests=60/1m]... [--expires 2027-01-31] [--losses allow|warn|reject] [--vendor-state allow|refuse]
       koine keys list [--organization NAME] [--project NAME] [--format text|json]
       koine keys rotate --id ID | --prefix PREFIX [--overlap 24h]
       koine keys revoke --id ID | --prefix PREFIX
       koine keys hash < SECRET
       each but hash with [--config FILE]`,
  run: async (args, builtIns) => {
    const { keys: run } = await import('./keys.ts');
    return run(args, builtIns);
  },
};

/** Importing another gateway's configuration is done once. */
const importing: Command = {
  name: 'import',
  summary: 'translates the configuration of another gateway, and names what it could not carry over',
  usage: 'litellm FILE [--out FILE] [--force]',
  run: async (args, builtIns) => {
    const { importConfig } = await import('./import/index.ts');
    return importConfig(args, builtIns);
  },
};

const config: Command = {
  name: 'config',
  summary: 'prints the configuration without its secrets: as written, or all that is in force and where each value comes from',
  usage: 'print [--effective] [--format yaml|json] [--config FILE]',
  run: async (args, builtIns) => {
    const { config: run } = await import('./config.ts');
    return run(args, builtIns);
  },
};

/** It needs all that a configuration is checked by. */
const diff: Command = {
  name: 'diff',
  summary: 'says what changes between two configurations, or a running gateway and one, and what waits for a restart',
  usage: `OLD NEW [--format text|json]
       koine diff [NEW] --live [--admin URL] [--token TOKEN] [--format text|json]

Exit codes: 0 nothing differs, 1 something does, 2 it cannot be told`,
  run: async (args, builtIns) => {
    const { diff: run } = await import('./diff.ts');
    return run(args, builtIns);
  },
};

const version: Command = {
  name: 'version',
  summary: 'prints the versions of the gateway and of Node',
  usage: '',
  run: async () => {
    console.log(`koine ${build.version} (commit ${build.commit}, node ${build.node})`);
    return 0;
  },
};

const own: readonly Command[] = [init, importing, serve, check, config, diff, catalog, keys, explain, extensions, schema, record, version];

const describeUsage = (commands: readonly Command[]): string => {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    'Usage: koine <command> [options]',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    `Every command takes --config FILE (default ${DEFAULT_CONFIG}). "koine <command> --help" tells its options.`,
    'Exit codes: 0 good, 1 findings, 2 misuse.',
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
 * @returns the exit code: 0 good, 1 findings, 2 misuse
 */
export const runCli = async (argv: readonly string[], builtIns: BuiltIns): Promise<number> => {
  const commands = [...own, ...listPluginCommands(builtIns)];
  const [name, ...args] = argv;
  if (name === undefined) return misuse('Which command?');
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
};
