import { isObject } from '../../canonical/json/members.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import type { Extension, ExtensionKind } from '../../extensions/extension.ts';
import type { ResponsesConfig } from '../responses-config.ts';
import type { Draft } from './draft.ts';
import { definitions } from './definitions.ts';
import { createPluginSchema, createProviderSchema } from './extension.ts';
import { toolKinds } from './hosted-tools.ts';
import { limits } from './limit.ts';
import { modelSchema, unpricedPolicy } from './model.ts';
import { organizationSchema } from './organization.ts';
import { routeSchema, standardRoutes } from './route.ts';
import { namedEntries, optional, section, setting } from './section.ts';
import { adminSchema } from './admin.ts';
import { alertsSchema } from './alerts.ts';
import { accessLogSchema, attributionSchema, serverSchema, storeSchema, streamSchema } from './server.ts';

/** The name of a product in the header `user-agent`, without its version. */
const PRODUCT = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;

type AnyExtension = Extension<ExtensionKind>;

/** The definition of a schema, which several extensions can share, has the name of the first of them. */
const nameOf = ({ kind, definition }: AnyExtension, all: readonly AnyExtension[]): string => {
  const { name } = all.find((other) => other.definition.schema === definition.schema)?.definition ?? definition;
  return `${kind}-${name}`;
};

/** Rewrites the references of an extension's schema, which is no longer the root of its document. */
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

/** The schema of an extension as a definition of the composed one. `$id` and `$schema` would start a new document. */
const embedSchema = (extension: AnyExtension, name: string): JsonObject => {
  const { $schema: _dialect, $id: _id, ...own } = extension.definition.schema;
  const moved = relocateReferences(own, `#/definitions/${name}`);
  return isObject(moved) ? moved : {};
};

const hasRequired = ({ definition: { schema } }: AnyExtension): boolean =>
  Array.isArray(schema['required']) && schema['required'].length > 0;

/** Extensions that share a schema are one case: each case makes the compiled schema longer. */
const groupBySchema = (extensions: readonly AnyExtension[]): readonly (readonly AnyExtension[])[] => [
  ...Map.groupBy(extensions, ({ definition }) => definition.schema).values(),
];

/** Uses one `if` per schema: only the one in use reports errors. `oneOf` would report those of all. */
const selectConfig = (entry: JsonObject, extensions: readonly AnyExtension[]): JsonObject =>
  extensions.length === 0
    ? entry
    : {
        ...entry,
        allOf: groupBySchema(extensions).flatMap((group) => {
          const [extension] = group;
          if (extension === undefined) return [];
          const uses = group.map(({ use }) => use);
          const $ref = `#/definitions/${nameOf(extension, extensions)}`;
          return {
            if: { properties: { use: uses.length === 1 ? { const: uses[0] } : { enum: uses } }, required: ['use'] },
            // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
            then: hasRequired(extension)
              ? { required: ['config'], properties: { config: { $ref } } }
              : { properties: { config: { $ref, default: {} } } },
          };
        }),
      };

const responsesSchema = optional(
  section('Responses of the wire responses.', {
    items: optional(
      section(
        'What the gateway keeps of translated responses, so that item_reference and previous_response_id work on any ' +
          'target. Requests with store: false keep nothing.',
        {
          for: setting('For how long. 0s: not at all.', { $ref: '#/definitions/duration', default: '30m' }),
          size: setting('How much memory of a host it takes at most. With Redis it is in Redis.', {
            $ref: '#/definitions/size',
            default: '64mb',
          }),
        } satisfies Record<keyof ResponsesConfig['items'], JsonObject>,
      ),
    ),
  } satisfies Record<keyof ResponsesConfig, JsonObject>),
);

const properties = {
  include: setting(
    'Further files of this configuration, as paths or patterns (models/*.yaml) relative to this file. ' +
      'Mappings are merged by key, and lists are concatenated. A key can be in one file only. ' +
      'Included files cannot include others.',
    {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
    },
  ),
  server: serverSchema,
  admin: adminSchema,
  store: storeSchema,
  alerts: alertsSchema,
  accessLog: accessLogSchema,
  attribution: attributionSchema,
  stream: streamSchema,
  responses: responsesSchema,
  providers: namedEntries('The APIs that requests are sent to, by names of your choice.', {
    $ref: '#/definitions/provider',
  }),
  models: namedEntries(
    'The catalog: models as <provider>/<name>, and where requests for them go. ' +
      'An id can have one "*", which stands for the same text as "*" in the model of a target.',
    modelSchema,
    {
      $ref: '#/definitions/modelId',
    },
  ),
  aliases: namedEntries(
    'Other names for models.',
    setting('The model, or another alias.', { type: 'string', minLength: 1 }),
    { $ref: '#/definitions/alias' },
  ),
  vendorState: setting(
    'Whether requests can refer to objects stored at a provider, for routes that do not set it: owned, allow or ' +
      'refuse. allow is for files with one organization, whose callers may share all that is stored with the ' +
      'credentials of the gateway. Default: owned.',
    { enum: ['allow', 'owned', 'refuse'] },
  ),
  unpriced: setting(
    'What to do with models that have no price, neither here nor from their provider: ' +
      'allow uses them, warn also logs them at startup, reject does not use them. ' +
      'Their cost is recorded as unknown, never as 0. Under a limit of cost only models that have ' +
      'unpriced: allow themselves are used without a price.',
    { ...unpricedPolicy, default: 'warn' },
  ),
  unpricedTools: {
    ...toolKinds(
      'Hosted tools that can be used under a limit of cost although they have no price. What they cost does not ' +
        'count. Other tools without a price are refused there.',
    ),
    default: [],
  },
  codingAgents: setting(
    'The coding agents whose hosted tools are dropped where they are not allowed, or where a target does not have ' +
      'them, unless a setting hostedTools says otherwise: products in the header user-agent. codex also stands for ' +
      'codex_exec and codex-tui.',
    {
      type: 'array',
      uniqueItems: true,
      items: { type: 'string', pattern: PRODUCT.source },
      default: ['claude-cli', 'codex', 'GeminiCLI', 'opencode', 'QwenCode'],
    },
  ),
  limits: {
    ...limits('Limits of each key, unless its organization, its project or the key itself sets others.'),
    default: [],
  },
  organizations: namedEntries(
    'Organizations with their projects and keys. ' +
      'If there is no key at all, the first start creates one and prints it once.',
    organizationSchema,
  ),
  routes: setting('The paths that clients can call.', { type: 'array', items: routeSchema, default: standardRoutes }),
  plugins: setting('Plugins that take part in every exchange, in this order.', {
    type: 'array',
    items: { $ref: '#/definitions/plugin' },
    default: [],
  }),
} satisfies Record<keyof Draft, JsonObject>;

/** The draft-07 schema of the whole file: the settings of the gateway and of the given extensions. */
export function composeSchema(extensions: readonly AnyExtension[]): JsonObject {
  const [providers, plugins] = (['provider', 'plugin'] as const).map((kind) =>
    extensions.filter((extension) => extension.kind === kind),
  );
  const builtIns = (list: readonly AnyExtension[] = []): readonly string[] =>
    list.filter(({ source }) => source === 'built-in').map(({ use }) => use);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'gateway.yaml',
    ...section('The configuration of a Koine gateway.', properties),
    definitions: {
      ...definitions,
      provider: selectConfig(createProviderSchema(builtIns(providers)), providers ?? []),
      plugin: selectConfig(createPluginSchema(builtIns(plugins)), plugins ?? []),
      ...Object.fromEntries(
        extensions.map((extension) => {
          const name = nameOf(extension, extensions);
          return [name, embedSchema(extension, name)];
        }),
      ),
    },
  };
}
