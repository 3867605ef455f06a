import type { JsonObject } from '../../canonical/wire.ts';
import { INTEGRITY_PATTERN } from '../../extensions/integrity.ts';
import type { PluginConfig, ProviderConfig } from '../gateway-config.ts';
import { optional, section, setting } from './section.ts';
import { providerTimeouts } from './timeouts.ts';

const use = (names: readonly string[]): JsonObject =>
  setting(
    'The name of a built-in, a path that starts with ./, ../ or / (relative to this file), or an npm package ' +
      'installed beside this file.',
    {
      type: 'string',
      minLength: 1,
      examples: names,
    },
  );

const integrity = setting(
  'The hash that the files of an extension of your own must have, as "koine extensions hash" prints it. ' +
    'It covers the entry file and the files that it reaches by relative paths, or all files of a package. ' +
    'Others are not loaded: an extension has all rights of the gateway. Left out: not checked.',
  { type: 'string', pattern: INTEGRITY_PATTERN, examples: ['sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='] },
);

const config = setting('Settings of its own; the extension that is used says which.', { type: 'object', default: {} });

const fetchMedia = optional(
  section('Media that clients name by URL, for models that take bytes only. Off, such a request is refused.', {
    enabled: setting(
      'true: the gateway fetches them itself, from public https addresses only, up to 5 MB an image and 12 MB ' +
        'a request.',
      { type: 'boolean', default: false },
    ),
    allow: setting(
      'Origins that may be fetched from as well although they are not public, not https or not on port 443: ' +
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

const allowMetadata = setting(
  'Names and addresses that this provider may have although clouds hand out the credentials of a machine there ' +
    '(169.254.0.0/16 and the like). Any other provider there is refused, also where a name leads there.',
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
  'Further members of requests that are refused (400) because this provider chooses models, providers or ' +
    'addresses by them, past the catalog and its prices. Letter case and underscores are ignored.',
);
const acceptMembers = members('Members that are passed on although this provider names them as such.');

const timeout = setting('How long each of its hooks may take, waiting for others not counted.', {
  $ref: '#/definitions/duration',
  default: '5s',
});
const onError = setting(
  'What becomes of a request when a hook of it throws, is late or answers what it may not. fail: 500; skip: ' +
    'the request goes on without it. What it refuses on purpose stays refused.',
  {
    enum: ['fail', 'skip'],
    default: 'fail',
  },
);

/** @param builtIns offered by editors */
export const createProviderSchema = (builtIns: readonly string[]): JsonObject =>
  section(
    'Somewhere to send requests to.',
    {
      use: use(builtIns),
      integrity,
      config,
      timeouts: providerTimeouts,
      fetchMedia,
      allowMetadata,
      refuseMembers,
      acceptMembers,
    } satisfies Record<keyof ProviderConfig, JsonObject>,
    ['use'],
  );

export const createPluginSchema = (builtIns: readonly string[]): JsonObject =>
  section(
    'Takes part in every exchange.',
    { use: use(builtIns), integrity, config, timeout, onError } satisfies Record<keyof PluginConfig, JsonObject>,
    ['use'],
  );
