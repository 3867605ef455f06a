import { isObject } from '../../canonical/json/members.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import type { Extension, ExtensionKind } from '../../extensions/extension.ts';
import type { GatewayConfig } from '../gateway-config.ts';
import { definitions } from './definitions.ts';
import { createPluginSchema, createProviderSchema } from './extension.ts';
import { limits } from './limit.ts';
import { modelSchema, unpricedPolicy } from './model.ts';
import { organizationSchema } from './organization.ts';
import { routeSchema, standardRoutes } from './route.ts';
import { namedEntries, section, setting } from './section.ts';
import { accessLogSchema, adminSchema, serverSchema, storeSchema, streamSchema } from './server.ts';

type AnyExtension = Extension<ExtensionKind>;

const nameOf = ({ kind, definition }: AnyExtension): string => `${kind}-${definition.name}`;

/** References of an extension's schema start at its own root, which is no longer the root. */
const relocateReferences = (value: unknown, root: string): unknown => {
  if (Array.isArray(value)) return value.map((item) => relocateReferences(item, root));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === '$ref' && typeof member === 'string' && member.startsWith('#')
        ? `${root}${member.slice(1)}`
        : relocateReferences(member, root),
    ]),
  );
};

/**
 * Where an extension's schema stands in the composed one. Its `$id` and `$schema` would start a document of their own.
 */
const embedSchema = (extension: AnyExtension): JsonObject => {
  const { $schema: _dialect, $id: _id, ...own } = extension.definition.schema;
  const moved = relocateReferences(own, `#/definitions/${nameOf(extension)}`);
  return isObject(moved) ? moved : {};
};

/** Settings that must be given have no default. */
const defaultOf = ({ definition: { schema } }: AnyExtension): JsonObject =>
  Array.isArray(schema['required']) && schema['required'].length > 0 ? {} : { default: {} };

/** One `if` per extension gives errors of the one that is used only; `oneOf` would report them all. */
const selectConfig = (entry: JsonObject, extensions: readonly AnyExtension[]): JsonObject =>
  extensions.length === 0
    ? entry
    : {
        ...entry,
        allOf: extensions.map((extension) => ({
          if: { properties: { use: { const: extension.use } }, required: ['use'] },
          // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
          then: { properties: { config: { $ref: `#/definitions/${nameOf(extension)}`, ...defaultOf(extension) } } },
        })),
      };

/** One draft-07 schema of the whole file: the gateway's own settings and those of the given extensions. */
export function composeSchema(extensions: readonly AnyExtension[]): JsonObject {
  const [providers, plugins] = (['provider', 'plugin'] as const).map((kind) =>
    extensions.filter((extension) => extension.kind === kind),
  );
  const builtIns = (list: readonly AnyExtension[] = []): readonly string[] =>
    list.filter(({ source }) => source === 'built-in').map(({ use }) => use);
  const properties = {
    include: setting(
      'Files that belong to this one, as paths or patterns (models/*.yaml) relative to it. ' +
        'Sections are put together; a key stands in one file only. They include no others.',
      {
        type: 'array',
        items: { type: 'string', minLength: 1 },
        default: [],
      },
    ),
    server: serverSchema,
    admin: adminSchema,
    store: storeSchema,
    accessLog: accessLogSchema,
    stream: streamSchema,
    providers: namedEntries('Somewhere to send requests to, by names of your own.', { $ref: '#/definitions/provider' }),
    models: namedEntries('The catalog: <provider>/<name> and where requests for it go.', modelSchema, {
      $ref: '#/definitions/modelId',
    }),
    aliases: namedEntries(
      'Other names for models.',
      setting('The model, or another alias.', { type: 'string', minLength: 1 }),
      { $ref: '#/definitions/alias' },
    ),
    unpriced: setting(
      'Models whose price nobody says, neither here nor the provider: ' +
        'allow uses them, warn names them in the log at start as well, reject does not use them. ' +
        'What they cost is never counted as 0, but as unknown.',
      {
        ...unpricedPolicy,
        default: 'warn',
      },
    ),
    limits: {
      ...limits('What each key gets, unless its project, its organization or the key itself says otherwise.'),
      default: [],
    },
    organizations: namedEntries(
      'Who may call, and with which keys. With none, the first start makes a key and prints it once.',
      organizationSchema,
    ),
    routes: setting('What clients may call.', { type: 'array', items: routeSchema, default: standardRoutes }),
    plugins: setting('What takes part in every exchange, in this order.', {
      type: 'array',
      items: { $ref: '#/definitions/plugin' },
      default: [],
    }),
  } satisfies Record<keyof GatewayConfig | 'include', JsonObject>;
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'gateway.yaml',
    ...section('The configuration of a Koine gateway.', properties),
    definitions: {
      ...definitions,
      provider: selectConfig(createProviderSchema(builtIns(providers)), providers ?? []),
      plugin: selectConfig(createPluginSchema(builtIns(plugins)), plugins ?? []),
      ...Object.fromEntries(extensions.map((extension) => [nameOf(extension), embedSchema(extension)])),
    },
  };
}
