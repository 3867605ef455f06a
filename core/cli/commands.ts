import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import { agentSetUps } from '../catalog/agent-set-ups.ts';
import type { BuiltIns } from '../extensions/extension.ts';
import { build } from '../services/build.ts';
import { DEFAULT_CONFIG, MisuseError, parseOptions, parsePort, type Command } from './command.ts';
import { shells } from './completion/shells.ts';
import { configOption } from './options/option.ts';
import * as configuration from './options/configuration.ts';
import { keyForms } from './options/keys.ts';
import * as requests from './options/requests.ts';

const serve: Command = {
  name: 'serve',
  summary: `runs the gateway; without --config and ${DEFAULT_CONFIG} it first writes a ${DEFAULT_CONFIG}`,
  forms: [{ options: configuration.serveOptions }],
  run: async (args, builtIns) => {
    const values = parseOptions(args, configuration.serveOptions);
    const port = parsePort('port', values.port);
    const adminPort = parsePort('admin-port', values['admin-port']);
    const { findConfig } = await import('./init/find-config.ts');
    const config = await findConfig(values.config, builtIns);
    const { serve: run } = await import('./serve.ts');
    return run(omitUndefined({ config, port, adminPort }), builtIns);
  },
};

const record: Command = {
  name: 'record',
  summary: "records fixtures from a provider's server, each with its origin",
  forms: [{ options: requests.recordOptions }],
  run: async (args, builtIns) => {
    const { provider, model, out, cases, audio, ...options } = parseOptions(args, requests.recordOptions);
    if (provider === undefined || model === undefined || out === undefined)
      throw new MisuseError('--provider, --model and --out are required: they select what to record, and where to.');
    const { findCases, record: run } = await import('./record.ts');
    const { readSpeechCases, recordingCases } = await import('./recording/cases.ts');
    const all = audio === undefined ? recordingCases : [...recordingCases, ...(await readSpeechCases(audio))];
    const values = { ...options, provider, model, out, cases: findCases(cases?.split(','), all) };
    return run(omitUndefined(values), builtIns);
  },
};

const explain: Command = {
  name: 'explain',
  summary:
    'shows what the gateway would do with a request: key, route, plugins, every limit that applies, targets, price, ' +
    'and the call that would be made',
  forms: [{ options: requests.explainOptions }],
  run: async (args, builtIns) => (await import('./explain/explain.ts')).explain(args, builtIns),
};

const keys: Command = {
  name: 'keys',
  summary:
    'creates, lists, changes, rotates and revokes keys in the database; a running gateway follows within a second',
  forms: keyForms,
  run: async (args, builtIns) => (await import('./keys/keys.ts')).keys(args, builtIns),
};

const audit: Command = {
  name: 'audit',
  summary: 'verifies the audit log',
  forms: [
    {
      verb: 'verify',
      summary: 'reports the first entry of the audit log that was changed, removed, inserted or moved',
      options: requests.verifyOptions,
    },
  ],
  run: async (args, builtIns) => (await import('./audit/audit.ts')).audit(args, builtIns),
};

const agents: Command = {
  name: 'agents',
  summary: 'prints the lines that connect Claude Code, Codex, Gemini CLI and OpenCode to the gateway',
  forms: [
    {
      operands: `[${Object.keys(agentSetUps).join('|')}]`,
      operandChoices: Object.keys(agentSetUps),
      options: requests.agentsOptions,
    },
  ],
  run: async (args, builtIns) => (await import('./agents/agents.ts')).agents(args, builtIns),
};

const store: Command = {
  name: 'store',
  summary: 'copies the database',
  forms: [
    {
      verb: 'backup',
      operands: 'FILE',
      summary: 'copies the SQLite database to a new file, while the gateway serves',
      options: configOption,
    },
    { verb: 'migrate', summary: 'copies the SQLite database to an empty Postgres', options: requests.migrateOptions },
  ],
  run: async ([verb, ...args], builtIns) => {
    if (verb === 'backup') return (await import('./store/backup.ts')).backup(args, builtIns);
    if (verb === 'migrate') return (await import('./store/migrate.ts')).migrate(args);
    throw new MisuseError('koine store needs a verb: backup or migrate.');
  },
};

const createImport = (gateways: string): Command => ({
  name: 'import',
  summary: `translates the configuration of another gateway (${gateways}), and lists what it could not import`,
  forms: [{ operands: `${gateways} FILE`, operandChoices: gateways.split('|'), options: configuration.importOptions }],
  run: async (args, builtIns) => (await import('./import/index.ts')).importConfig(args, builtIns),
});

const config: Command = {
  name: 'config',
  summary: 'prints the configuration without its secrets: as written, or every effective value and where it comes from',
  forms: [{ verb: 'print', options: configuration.printOptions }],
  run: async (args, builtIns) => (await import('./config.ts')).config(args, builtIns),
};

const diff: Command = {
  name: 'diff',
  summary: 'shows what differs between two configurations, or a running gateway and one, and what requires a restart',
  forms: [
    {
      operands: 'OLD NEW | [NEW] --live',
      options: configuration.diffOptions,
      note: 'Exit codes: 0 nothing differs, 1 something does, 2 they cannot be compared.',
    },
  ],
  run: async (args, builtIns) => (await import('./diff/diff.ts')).diff(args, builtIns),
};

export const version: Command = {
  name: 'version',
  summary: 'prints the versions of the gateway and of Node',
  forms: [{ options: {} }],
  run: async () => {
    console.log(`koine ${build.version} (commit ${build.commit}, node ${build.node})`);
    return 0;
  },
};

const init: Command = {
  name: 'init',
  summary: 'writes a first configuration, for the simulator and the providers whose keys are in the environment',
  forms: [{ options: configuration.initOptions }],
  run: async (args, builtIns) => (await import('./init/init.ts')).init(args, builtIns),
};

const check: Command = {
  name: 'check',
  summary: 'lists the problems of a configuration, with file, line and column',
  forms: [{ options: configuration.checkOptions }],
  run: async (args, builtIns) => (await import('./check/check.ts')).check(args, builtIns),
};

const catalog: Command = {
  name: 'catalog',
  summary: 'lists the models with their targets, limits and prices, and where each price comes from',
  forms: [
    { summary: 'lists the models with their targets, limits and prices', options: configuration.catalogOptions },
    {
      verb: 'sync',
      operands: 'PROVIDER',
      summary: "compares the models with the vendor's own list, and proposes YAML",
      options: configuration.syncOptions,
      note: 'Exit codes: 0 nothing differs, 1 models are new or gone, 2 misuse.',
    },
  ],
  run: async (args, builtIns) => (await import('./catalog/catalog.ts')).catalog(args, builtIns),
};

const doctor: Command = {
  name: 'doctor',
  summary: 'uses each credential once, by the cheapest call, and reports what works, what it may use and its limits',
  forms: [{ operands: '[PROVIDER...]', options: configuration.doctorOptions }],
  run: async (args, builtIns) => (await import('./doctor/doctor.ts')).doctor(args, builtIns),
};

const extensions: Command = {
  name: 'extensions',
  summary: 'prints the hash of an extension of your own, to pin as "integrity"',
  forms: [{ verb: 'hash', operands: 'USE', options: requests.hashOptions }],
  run: async (args, builtIns) => (await import('./extensions.ts')).extensions(args, builtIns),
};

const createPackage: Command = {
  name: 'new',
  summary:
    'writes the package of an extension, with its tests: a plugin, a provider with an OpenAI-compatible API, ' +
    'or a provider with a wire of its own',
  forms: [{ operands: 'plugin|provider|wire NAME', operandChoices: ['plugin', 'provider', 'wire'], options: {} }],
  run: async (args, builtIns) => (await import('./new/new.ts')).createPackage(args, builtIns),
};

const schema: Command = {
  name: 'schema',
  summary:
    'prints the JSON Schema of the configuration, or writes gateway.schema.json beside it, ' +
    'extensions of your own included',
  forms: [{ options: configuration.schemaOptions }],
  run: async (args, builtIns) => (await import('./schema.ts')).schema(args, builtIns),
};

const requestsCommand: Command = {
  name: 'requests',
  summary: 'finds requests of a running gateway, as the page Requests does, or shows one',
  forms: [{ operands: '[ID]', options: requests.requestsOptions }],
  run: async (args, builtIns) => (await import('./reports/requests.ts')).findRequests(args, builtIns),
};

const usage: Command = {
  name: 'usage',
  summary: 'reports usage and cost of a running gateway, as the page Usage does',
  forms: [{ options: requests.usageOptions }],
  run: async (args, builtIns) => (await import('./reports/usage.ts')).reportUsage(args, builtIns),
};

const completion: Command = {
  name: 'completion',
  summary: 'prints the completion of a shell',
  forms: [{ operands: shells.join('|'), operandChoices: shells, options: {} }],
  run: async (args, builtIns) =>
    (await import('./completion/completion.ts')).printCompletion(args, createCommands(builtIns), builtIns),
};

/** In the order of `koine --help`. Each imports what it needs when it runs. */
export const createCommands = ({ importers = {} }: BuiltIns): readonly Command[] => [
  init,
  createImport(Object.keys(importers).join('|')),
  serve,
  check,
  config,
  diff,
  catalog,
  doctor,
  keys,
  requestsCommand,
  usage,
  audit,
  agents,
  store,
  explain,
  createPackage,
  extensions,
  schema,
  record,
  completion,
  version,
];
