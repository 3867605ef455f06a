import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import { build } from '../services/build.ts';
import { DEFAULT_CONFIG, MisuseError, parseOptions, parsePort, type Command } from './command.ts';

const serve: Command = {
  name: 'serve',
  summary: `runs the gateway; without --config and ${DEFAULT_CONFIG} it first writes a ${DEFAULT_CONFIG}`,
  usage: '[--config FILE] [--port PORT] [--admin-port PORT]',
  run: async (args, builtIns) => {
    const values = parseOptions(args, {
      config: { type: 'string' },
      port: { type: 'string' },
      'admin-port': { type: 'string' },
    });
    const port = parsePort('port', values.port);
    const adminPort = parsePort('admin-port', values['admin-port']);
    const { findConfig } = await import('./init/find-config.ts');
    const config = await findConfig(values.config, builtIns);
    const { serve: run } = await import('./serve.ts');
    const ports = omitUndefined({ port, adminPort });
    return run({ config, ...ports }, builtIns);
  },
};

const record: Command = {
  name: 'record',
  summary: "records fixtures from a provider's server, each with its origin",
  usage:
    '--provider NAME --model NAME --out FOLDER [--server "NAME VERSION"] [--cases NAME,...] [--repeatable] ' +
    '[--config FILE]',
  run: async (args, builtIns) => {
    const { provider, model, out, cases, ...options } = parseOptions(args, {
      provider: { type: 'string' },
      model: { type: 'string' },
      out: { type: 'string' },
      server: { type: 'string' },
      cases: { type: 'string' },
      repeatable: { type: 'boolean' },
      config: { type: 'string', default: DEFAULT_CONFIG },
    });
    if (provider === undefined || model === undefined || out === undefined)
      throw new MisuseError('--provider, --model and --out are required: they select what to record, and where to.');
    const { findCases, record: run } = await import('./record.ts');
    const values = { ...options, provider, model, out, cases: findCases(cases?.split(',')) };
    return run(omitUndefined(values), builtIns);
  },
};

const explain: Command = {
  name: 'explain',
  summary:
    'shows what the gateway would do with a request: key, route, plugins, every limit that applies, targets, price, ' +
    'and the call that would be made',
  usage:
    '--key NAME --model MODEL [--wire WIRE] [--operation generate|embed|count-tokens|compact] [--stream] ' +
    '[--user NAME] [--tags NAME=VALUE,...] [--body FILE] [--all] [--organization NAME] [--project NAME] ' +
    '[--format text|json] [--config FILE]',
  run: async (args, builtIns) => {
    const { explain: run } = await import('./explain/explain.ts');
    return run(args, builtIns);
  },
};

const keys: Command = {
  name: 'keys',
  summary:
    'creates, lists, changes, rotates and revokes keys in the database; a running gateway follows within a second',
  usage:
    'create --name NAME [--organization NAME] [--project NAME] [--models PATTERN,...] [--limit requests=60/1m]... ' +
    `[--expires 2027-01-31] [--losses allow|warn|reject] [--vendor-state allow|owned|refuse] [--cost-headers off|on]
       [--hosted-tools TOOL,...|drop|refuse] [--tags NAME=VALUE,...] [--metadata NAME=VALUE]... [--owner NAME]
       koine keys import FILE.csv [--out SECRETS.csv] [--skip-existing]
       koine keys edit NAME [--organization NAME] [--project NAME] | --id ID | --prefix PREFIX
       [--name NEW] [settings as for create] [--remove-limit cost/month]... [--remove expires,limits,tags,...]
       [--disable | --enable]
       koine keys list [--organization NAME] [--project NAME] [--owner NAME] [--find TEXT]
       [--state active,expiring,...] [--sort created|-created|name|-name] [--limit COUNT] [--format text|json]
       koine keys rotate --id ID | --prefix PREFIX [--overlap 24h]
       koine keys revoke --id ID | --prefix PREFIX
       koine keys hash < SECRET
       each but hash with [--config FILE]`,
  run: async (args, builtIns) => {
    const { keys: run } = await import('./keys/keys.ts');
    return run(args, builtIns);
  },
};

const audit: Command = {
  name: 'audit',
  summary: 'verify: reports the first entry of the audit log that was changed, removed, inserted or moved',
  usage: `verify [--head DIGEST] [--format text|json] [--config FILE]

Exit codes: 0 the audit log is whole, 1 it is not, 2 misuse. --head: also the entry with this digest must be there,
which an earlier run has printed`,
  run: async (args, builtIns) => (await import('./audit/audit.ts')).audit(args, builtIns),
};

const agents: Command = {
  name: 'agents',
  summary: 'prints the lines that connect Claude Code, Codex, Gemini CLI and OpenCode to the gateway',
  usage: '[claude|codex|gemini|opencode] [--url https://gateway.example] [--model MODEL] [--config FILE]',
  run: async (args, builtIns) => (await import('./agents/agents.ts')).agents(args, builtIns),
};

const store: Command = {
  name: 'store',
  summary:
    'backup: copies the SQLite database to a new file, while the gateway serves; ' +
    'migrate: copies it to an empty Postgres',
  usage: `backup FILE [--config FILE]
       koine store migrate --from sqlite:./data/koine.db --to postgres://user@host/database`,
  run: async ([verb, ...args], builtIns) => {
    if (verb === 'backup') return (await import('./store/backup.ts')).backup(args, builtIns);
    if (verb === 'migrate') return (await import('./store/migrate.ts')).migrate(args);
    throw new MisuseError('koine store needs a verb: backup or migrate.');
  },
};

const importing: Command = {
  name: 'import',
  summary: 'translates the configuration of another gateway, and lists what it could not import',
  usage: 'GATEWAY FILE [--out FILE] [--force]',
  run: async (args, builtIns) => {
    const { importConfig } = await import('./import/index.ts');
    return importConfig(args, builtIns);
  },
};

const config: Command = {
  name: 'config',
  summary: 'prints the configuration without its secrets: as written, or every effective value and where it comes from',
  usage: 'print [--effective] [--format yaml|json] [--config FILE]',
  run: async (args, builtIns) => {
    const { config: run } = await import('./config.ts');
    return run(args, builtIns);
  },
};

const diff: Command = {
  name: 'diff',
  summary: 'shows what differs between two configurations, or a running gateway and one, and what requires a restart',
  usage: `OLD NEW [--format text|json]
       koine diff [NEW] --live [--admin URL] [--token TOKEN] [--format text|json]

Exit codes: 0 nothing differs, 1 something does, 2 they cannot be compared`,
  run: async (args, builtIns) => {
    const { diff: run } = await import('./diff/diff.ts');
    return run(args, builtIns);
  },
};

export const version: Command = {
  name: 'version',
  summary: 'prints the versions of the gateway and of Node',
  usage: '',
  run: async () => {
    console.log(`koine ${build.version} (commit ${build.commit}, node ${build.node})`);
    return 0;
  },
};

const init: Command = {
  name: 'init',
  summary: 'writes a first configuration, for the simulator and the providers whose keys are in the environment',
  usage: '[--config FILE] [--force]',
  run: async (args, builtIns) => (await import('./init/init.ts')).init(args, builtIns),
};

const check: Command = {
  name: 'check',
  summary:
    'lists the problems of a configuration, with file, line and column; --audit adds advice for a security review, ' +
    '--live connects to Redis, Postgres and the services of plugins',
  usage: '[--config FILE] [--format text|json|github|sarif] [--audit] [--live]',
  run: async (args, builtIns) => (await import('./check/check.ts')).check(args, builtIns),
};

const catalog: Command = {
  name: 'catalog',
  summary:
    'lists the models with their targets, limits and prices (USD per million tokens), ' +
    "and where each price comes from; sync compares them with a vendor's own list of models, and proposes YAML",
  usage: `[--all | --changes] [--config FILE] [--format text|json]
       koine catalog sync PROVIDER [--all] [--write] [--timeout 15s] [--config FILE] [--format text|json]

Exit codes of sync: 0 nothing differs, 1 models are new or gone, 2 misuse`,
  run: async (args, builtIns) => (await import('./catalog/catalog.ts')).catalog(args, builtIns),
};

const doctor: Command = {
  name: 'doctor',
  summary:
    'uses each credential once, by the cheapest call, and reports what works, what it may use and its limits; ' +
    '--generate also generates 16 tokens with each',
  usage: '[PROVIDER...] [--generate] [--timeout 15s] [--config FILE] [--format text|json]',
  run: async (args, builtIns) => (await import('./doctor/doctor.ts')).doctor(args, builtIns),
};

const extensions: Command = {
  name: 'extensions',
  summary:
    'hash: prints the hash of an extension of your own, to pin as "integrity"; --files lists the files that it covers',
  usage: 'hash USE [--files] [--config FILE]',
  run: async (args, builtIns) => (await import('./extensions.ts')).extensions(args, builtIns),
};

const createPackage: Command = {
  name: 'new',
  summary:
    'writes the package of an extension, with its tests: a plugin, a provider with an OpenAI-compatible API, ' +
    'or a provider with a wire of its own',
  usage: 'plugin|provider|wire NAME',
  run: async (args, builtIns) => (await import('./new/new.ts')).createPackage(args, builtIns),
};

const schema: Command = {
  name: 'schema',
  summary:
    'prints the JSON Schema of the configuration, or writes gateway.schema.json beside it, ' +
    'extensions of your own included',
  usage: '[--config FILE] [--write]',
  run: async (args, builtIns) => (await import('./schema.ts')).schema(args, builtIns),
};

/** In the order of `koine --help`. Each imports what it needs when it runs. */
export const ownCommands: readonly Command[] = [
  init,
  importing,
  serve,
  check,
  config,
  diff,
  catalog,
  doctor,
  keys,
  audit,
  agents,
  store,
  explain,
  createPackage,
  extensions,
  schema,
  record,
  version,
];
