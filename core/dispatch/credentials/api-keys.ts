import { hash } from 'node:crypto';
import { basename } from 'node:path';
import type { JsonObject } from '../../canonical/wire.ts';
import { DURATION_PATTERN, parseDuration } from '../../config/units/duration.ts';
import type { Credential } from '../../contracts/extension.ts';
import type { Services } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { type Renewal, createRenewal } from '../../extensions/renewal.ts';
import { createRenewedCredential, versionSecret } from '../../extensions/renewed-credential.ts';
import { isSecretSource, type SecretSource } from '../../services/secret-sources/source.ts';
import { loadSecret } from '../../services/secret-sources/load-secret.ts';

const READ_EVERY = '10s';
const RUN_EVERY = '5m';

/** Arguments of a program can be secret. */
const describe = ({ file, exec = [] }: SecretSource): string =>
  file === undefined ? `The secret of the program ${basename(exec[0] ?? '')}` : `The secret of the file ${file}`;

/** Without `every`, a program that prints when the secret ends runs again before that. */
const renewAt = ({ file, every }: SecretSource, now: number, endsAt: number): number => {
  if (every === undefined && file === undefined && endsAt !== Number.POSITIVE_INFINITY) return endsAt;
  return now + parseDuration(every ?? (file === undefined ? RUN_EVERY : READ_EVERY));
};

/**
 * Keeps the secret of a source up to date. Equal sources share one renewal, which survives reloads and is closed when
 * no running configuration uses it.
 */
function createSecretRenewal(source: SecretSource, services: Services): Renewal<string> {
  const { folder, clock, log, shared } = services;
  const name = describe(source);
  let last: string | undefined;
  const create = (): Renewal<string> =>
    createRenewal(
      async (signal) => {
        const { secret, endsAt } = await loadSecret(source, folder, signal);
        if (last !== undefined && last !== secret) log.info({}, `${name} has changed, and the new one is used`);
        last = secret;
        return { value: secret, endsAt, renewAt: renewAt(source, clock.now(), endsAt) };
      },
      services,
      name,
    );
  const key = `core/secret ${hash('sha256', JSON.stringify([folder, source]))}`;
  return shared(key, create, (renewal) => renewal.close());
}

/** The settings of a provider with API keys. */
export interface ApiKeySettings {
  readonly apiKey?: string | SecretSource;
  readonly apiKeys?: readonly (string | SecretSource)[];
}

/** The credentials of a provider with API keys, and what is made of their secrets. */
export interface ApiKeys {
  readonly credentials: readonly Credential[];
  /**
   * Prepares what a call needs, such as headers, once per secret. `get` returns that of the current secret: a file or a
   * program can renew it at any time.
   * @example
   * const byCredential = keys.prepare((secret) => ({ authorization: `Bearer ${secret}` }));
   */
  prepare<T>(make: (secret: string, credential: string) => T): PreparedKeys<T>;
}

/** By the id of the credential; undefined if there is none, or no secret of it has been loaded. */
export interface PreparedKeys<T> {
  get(credential: string): T | undefined;
}

/** An API key of the settings. */
export const apiKeySchema: JsonObject = {
  type: ['string', 'object'],
  additionalProperties: false,
  properties: {
    file: {
      type: 'string',
      minLength: 1,
      description:
        'A file that contains the secret. It is read again, so the secret can change at any time. Default: none.',
      examples: ['/run/secrets/vendor-key'],
    },
    exec: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      description: 'A program that prints the secret, and its arguments. It is run without a shell. Default: none.',
      examples: [['vault', 'read', '-field=key', 'secret/vendor']],
    },
    every: {
      type: 'string',
      pattern: DURATION_PATTERN,
      description:
        'How often the file is read (default 10s) or the program is run (default 5m; if it prints when the secret ' +
        'ends, before that). It is also renewed when the vendor refuses it.',
      examples: ['10s', '5m'],
    },
  },
};

/** The JSON Schemas of {@link ApiKeySettings}. @param apiKey describes how the key is sent */
export const createApiKeySchemas = (apiKey: string): JsonObject => ({
  apiKey: {
    ...apiKeySchema,
    description:
      `${apiKey} Text, {file: path} or {exec: [program, argument]}. ` +
      'While it is empty, the models of this provider are unavailable.',
    default: '',
  },
  apiKeys: {
    type: 'array',
    items: apiKeySchema,
    description: 'More API keys, used in rotation after `apiKey`. They appear in logs as key-1, key-2 and so on.',
    default: [],
  },
});

const unavailable = 'no API key is set: give this provider config.apiKey (or config.apiKeys) in gateway.yaml';

/** A credential, and its secret as it is now. */
interface Key {
  readonly credential: Credential;
  readonly secret: string | undefined;
}

/** Keeps the result for the last input. */
const keepLast = <T>(compute: (secret: string) => T): ((secret: string) => T) => {
  let last: { readonly secret: string; readonly result: T } | undefined;
  return (secret) => {
    if (last?.secret !== secret) last = { secret, result: compute(secret) };
    return last.result;
  };
};

const readWritten = (id: string, text: string, salt: string): Key => {
  const secret = text.trim();
  return { secret, credential: { id, version: versionSecret(salt + secret) } };
};

const readSource = (id: string, renewal: Renewal<string>, salt: string): Key => ({
  get secret() {
    return renewal.current;
  },
  credential: createRenewedCredential(id, renewal, (secret) => salt + secret),
});

/**
 * Credentials of secrets from anywhere, by their ids.
 * @param salt is part of the version of each credential: other settings that are secret as well
 */
export function createKeys(
  secrets: ReadonlyMap<string, string | SecretSource>,
  services: Services,
  salt = '',
): ApiKeys {
  const keys = [...secrets].map(([id, secret]) =>
    isSecretSource(secret)
      ? readSource(id, createSecretRenewal(secret, services), salt)
      : readWritten(id, secret, salt),
  );
  const isRenewed = keys.some(({ credential }) => credential.renew !== undefined);
  return {
    credentials: keys.map(({ credential }) => credential),
    prepare: (make) => {
      if (!isRenewed)
        return new Map(keys.map(({ credential: { id }, secret = '' }) => [id, make(secret, id)] as const));
      const makers = new Map(
        keys.map((key) => [key.credential.id, { key, makeOf: keepLast((secret) => make(secret, key.credential.id)) }]),
      );
      return {
        get: (id) => {
          const maker = makers.get(id);
          return maker?.key.secret === undefined ? undefined : maker.makeOf(maker.key.secret);
        },
      };
    },
  };
}

/**
 * Names the keys `key-1`, `key-2`, …, `apiKey` first. An empty key keeps its number, so that ids do not shift when an
 * environment variable is not set; its credential is unavailable. Keys from files and programs are renewed as long as a
 * running configuration uses them.
 * @example const keys = readApiKeys(options, services);
 */
export function readApiKeys({ apiKey = '', apiKeys = [] }: ApiKeySettings, services: Services): ApiKeys {
  const listed = apiKey === '' && apiKeys.length > 0 ? apiKeys : [apiKey, ...apiKeys];
  const secrets = new Map<string, string | SecretSource>(listed.map((secret, index) => [`key-${index + 1}`, secret]));
  const keys = createKeys(secrets, services);
  const isEmpty = (id: string): boolean => {
    const secret = secrets.get(id);
    return typeof secret === 'string' && secret.trim() === '';
  };
  return {
    ...keys,
    credentials: keys.credentials.map((credential) =>
      isEmpty(credential.id) ? { id: credential.id, unavailable } : credential,
    ),
  };
}

/** The error of a call with a credential that the provider does not have. */
export const missingCredential = (credential: string): GatewayError =>
  new GatewayError('upstream_credential', `The provider has no credential '${credential}'.`);
