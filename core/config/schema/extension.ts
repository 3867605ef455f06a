import type { JsonObject } from '../../canonical/wire.ts';
import { INTEGRITY_PATTERN } from '../../extensions/integrity.ts';
import type { PluginConfig, ProviderConfig } from '../gateway-config.ts';
import { clientTls } from './client-tls.ts';
import { priceFactor } from './price.ts';
import { optional, section, setting } from './section.ts';
import { providerTimeouts } from './timeouts.ts';

const use = (names: readonly string[]): JsonObject =>
  setting(
    'A built-in by name, a path that starts with ./, ../ or / (relative to this file), or an npm package that ' +
      'is installed beside this file.',
    { type: 'string', minLength: 1, examples: names },
  );

const integrity = setting(
  'The hash of the files of the extension, as printed by "koine extensions hash". ' +
    'With another hash the extension is not loaded. ' +
    'For a path, the hash covers the entry file and the files that it reaches by relative paths; ' +
    'for a package, all its files. Default: not checked. Extensions have all permissions of the gateway.',
  { type: 'string', pattern: INTEGRITY_PATTERN, examples: ['sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='] },
);

const config = setting('Settings of the extension.', { type: 'object', default: {} });

const fetchMedia = optional(
  section('Media that clients reference by URL, for models that accept bytes only.', {
    enabled: setting(
      'true: the gateway fetches the media, from public https addresses only, up to 5 MB per image and 12 MB ' +
        'per request. false: such requests are refused.',
      { type: 'boolean', default: false },
    ),
    allow: setting(
      'Origins that are allowed although they are not public, do not use https or are not on port 443, such as ' +
        'your own file servers.',
      {
        type: 'array',
        items: { type: 'string' },
        default: [],
        examples: [['http://files.internal:9000']],
      },
    ),
  } satisfies Record<keyof ProviderConfig['fetchMedia'], JsonObject>),
);

const proxy = setting(
  'The proxy of the connections to this provider, e.g. http://proxy.internal:3128, with name:password@ before the ' +
    'host if it needs them. environment: as HTTPS_PROXY, HTTP_PROXY and NO_PROXY say. ' +
    'Default: none; these variables are ignored.',
  { type: 'string', minLength: 1, examples: ['environment', 'http://proxy.internal:3128'] },
);

const tls = clientTls('TLS of the connections to this provider. Default: as public servers need it.');

const allowMetadata = setting(
  'Cloud metadata addresses (169.254.0.0/16 and similar, which serve the credentials of a machine) that this ' +
    'provider can use, as names or addresses. Any other is refused, including names that resolve to one.',
  { type: 'array', items: { type: 'string', minLength: 1 }, default: [], examples: [['169.254.10.1']] },
);

const members = (description: string): JsonObject =>
  setting(description, {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    default: [],
    examples: [['models', 'provider']],
  });
const refuseMembers = members(
  'Additional request members that are refused with 400 because this provider selects models, providers or ' +
    'addresses by them, which would bypass the catalog and its prices. Letter case and underscores are ignored.',
);
const acceptMembers = members('Request members that are passed on although this provider refuses them by default.');

const timeout = setting('The time limit of each hook, not counting the time it waits for the rest of the exchange.', {
  $ref: '#/definitions/duration',
  default: '5s',
});
const onError = setting(
  'What to do with a request when a hook throws, times out or returns an invalid result. fail: ' +
    'respond with 500. skip: continue without the hook. Requests that the plugin refuses on purpose stay refused.',
  { enum: ['fail', 'skip'], default: 'fail' },
);

/** @param builtIns names that editors suggest */
export const createProviderSchema = (builtIns: readonly string[]): JsonObject =>
  section(
    'An API that requests are sent to.',
    {
      use: use(builtIns),
      integrity,
      config,
      timeouts: providerTimeouts,
      fetchMedia,
      proxy,
      tls,
      allowMetadata,
      refuseMembers,
      acceptMembers,
      priceFactor: priceFactor('the prices of all models at this provider'),
    } satisfies Record<keyof ProviderConfig, JsonObject>,
    ['use'],
  );

export const createPluginSchema = (builtIns: readonly string[]): JsonObject =>
  section(
    'A plugin that takes part in every exchange.',
    { use: use(builtIns), integrity, config, timeout, onError } satisfies Record<keyof PluginConfig, JsonObject>,
    ['use'],
  );
