import type { InitModel, PluginInit } from '../../contracts/extension.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import { SCHEMA_FILE } from '../schema.ts';
import type { Choices } from './ask.ts';
import { listShared, SHARED, writeSharedModels } from './shared-models.ts';
import type { Starter } from './starters.ts';

/** Every model of the first configuration; the first one is for the example. */
export const listModels = (starters: readonly Starter[]): readonly string[] =>
  starters.flatMap(({ name, models }) => models.map((model) => `${name}/${model.name}`));

const writeProvider = ({ name, variable }: Starter): string =>
  variable === undefined
    ? `  # Needs no key. To remove it, delete it here and its models below.\n  ${name}:\n    use: ${name}`
    : `  # If ${variable} is not set, its models are unavailable.\n` +
      `  ${name}:\n    use: ${name}\n    config: { apiKey: "\${${variable}:-}" }`;

const writeModel = (provider: string, { name, wires }: InitModel): string =>
  [
    `  ${provider}/${name}:`,
    `    targets: [{ provider: ${provider}, model: ${name} }]`,
    ...(wires === undefined ? [] : [`    wires: [${wires.join(', ')}]`]),
  ].join('\n');

const writeAliases = (starters: readonly Starter[]): string => {
  // Several vendors can have a model of the same name: the first of them has the alias.
  const aliases = new Map(listShared(starters).map(({ name }) => [name, `${SHARED}/${name}`]));
  for (const { name, models, variable } of starters)
    for (const model of variable === undefined ? [] : models)
      if (!aliases.has(model.name)) aliases.set(model.name, `${name}/${model.name}`);
  const lines = [...aliases].map(([alias, model]) => `  ${alias}: ${model}`);
  return lines.length === 0 ? `# aliases:\n#   fast: ${listModels(starters)[0]}` : ['aliases:', ...lines].join('\n');
};

const writeModels = (starters: readonly Starter[]): string =>
  [
    ...starters.flatMap(({ name, models }) => models.map((model) => writeModel(name, model))),
    ...writeSharedModels(listShared(starters)),
  ].join('\n');

const writePlugins = ({ plugin }: BuiltIns): string => {
  const written = Object.entries(plugin).flatMap(
    ([name, { init }]): readonly (PluginInit & { readonly name: string })[] =>
      init === undefined ? [] : [{ name, ...init }],
  );
  return written
    .toSorted((one, other) => one.position - other.position)
    .map(({ name, comment }) => `  # ${comment}\n  - use: ${name}`)
    .join('\n');
};

const writeRedis = (redis: Choices['redis']): string =>
  redis === undefined ? 'REDIS_URL:-' : redis === 'none' ? 'REDIS_URL' : redis;

/** One organization, so that its projects can share what is stored at vendors. */
const writeOrganizations = (projects: Choices['projects']): string =>
  projects === undefined
    ? `# Keys of clients. With no key here and none in the database, the first start creates one and prints it once;
# "koine keys create" creates more.
# organizations:
#   acme:
#     projects:
#       web:
#         keys:
#           alice: { key: "\${ALICE_KEY}" }`
    : `# Who uses the gateway. The first start creates a key in the project default, and prints it once;
# "koine keys create --project NAME --name PERSON" creates more. Limits of projects are shared by their keys.
organizations:
  default:
    # limits: [{ cost: 50, per: day }]   # USD; models need a price
    projects:
${projects.map((project) => `      ${JSON.stringify(project)}: {}`).join('\n')}`;

const writeHead = ({ projects, redis, postgres }: Omit<Choices, 'starters'>): string =>
  `# yaml-language-server: $schema=./${SCHEMA_FILE}
#
# The configuration of this gateway. "koine check" lists its problems, with line and column; unknown keys are errors.
# Durations: 250ms, 30s, 5m, 1h. Sizes: 512kb, 32mb. \${VAR} must be set; \${VAR:-default} need not be;
# \${file:./secret} is the content of a file. Relative paths are relative to this file.

# The address for clients. With another host than loopback, other machines can reach it.
server:
  host: ${projects === undefined ? '127.0.0.1' : '0.0.0.0'}
  port: 8787
  # workers: auto   # threads that serve the port: one per processor

# The address for operators: keys, explanations, metrics. Another host than loopback needs a token.
admin:
  host: 127.0.0.1
  port: 8788
  token: "\${KOINE_ADMIN_TOKEN:-}"

# Where keys are kept, as hashes. With Redis, limits hold across all gateways that share it.
store:
  database: ${postgres === undefined ? 'sqlite:./data/koine.db' : `"\${${postgres}}"`}
  ${redis === 'none' ? '# ' : ''}redis: "\${${writeRedis(redis)}}"
`;

/** A first `gateway.yaml`. Secrets are in it only as the names of their variables. */
export const writeFirstConfig = ({ starters, ...others }: Choices, builtIns: BuiltIns): string => `${writeHead(others)}
# Where requests are sent.
providers:
${starters.map(writeProvider).join('\n')}

# The catalog: <provider>/<name>, and the targets of its requests; the next target is used when one fails. Limits of
# money need a price in USD per million tokens, such as (example figures) price: { input: 1.00, output: 2.00 }.
models:
${writeModels(starters)}

# Other names for models.
${writeAliases(starters)}

# The limits of each key, unless its project, its organization or the key itself sets others.
limits:
  - { requests: 600, per: 1m }
  - { tokens: 4000000, per: 1m }
  - { concurrent: 32 }
  # - { cost: 50, per: day }   # USD; models need a price

# Clients may use what is stored at a provider with its credentials: files, caches, conversations. With a second
# organization, remove this: each project then uses only what it has created.
vendorState: allow

${writeOrganizations(others.projects)}

# The plugins of every exchange, in this order.
plugins:
${writePlugins(builtIns)}
`;
