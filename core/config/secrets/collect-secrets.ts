import type { GatewayConfig } from '../gateway-config.ts';
import { maskUrlSecrets } from './mask-secrets.ts';
import { collectTexts } from './secret-paths.ts';
import { findOptionSecrets } from './option-secrets.ts';

/** The parts of a configuration that may hold secrets. */
type ConfigWithSecrets = Pick<
  GatewayConfig,
  'admin' | 'attribution' | 'store' | 'organizations' | 'providers' | 'plugins'
>;

/** A single word: masking it in every text would mask ordinary sentences. */
const WORD = /^[a-z]{1,15}$/i;
const isDistinct = (secret: string): boolean => !WORD.test(secret);

const decodeText = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Passwords and keys in URLs, as written and decoded. */
const findUrlSecrets = (data: unknown): readonly string[] => {
  const found: string[] = [];
  const keep = (secret: string): string => {
    found.push(secret, decodeText(secret));
    return '';
  };
  for (const [, text] of collectTexts(data)) maskUrlSecrets(text, keep);
  return found;
};

/** In `Bearer abc` the token alone is a secret as well. */
const withoutScheme = (secret: string): string => secret.replace(/^[a-z]+ +/i, '');

const keysOf = (organizations: GatewayConfig['organizations']): readonly string[] =>
  Object.values(organizations)
    .flatMap(({ projects }) => Object.values(projects))
    .flatMap(({ keys }) => Object.values(keys))
    .flatMap(({ key }) => key ?? []);

/**
 * * Every secret of a configuration: the admin token, keys of clients, passwords of the stores, and the values in the
 * settings of extensions that have the name of a secret or are part of a URL.
 */
export function collectSecrets({
  admin,
  attribution,
  store,
  organizations,
  providers,
  plugins,
}: ConfigWithSecrets): readonly string[] {
  const ofProviders = Object.values(providers).flatMap(({ config }) => findOptionSecrets(config));
  const ofPlugins = plugins.flatMap(({ config }) => findOptionSecrets(config)).filter(isDistinct);
  const tlsKeys = [store.redis, ...Object.values(providers)].flatMap((peer) => peer?.tls?.key ?? []);
  const found = [
    admin.token ?? '',
    admin.oidc?.clientSecret ?? '',
    admin.scim?.token ?? '',
    attribution.secret ?? '',
    store.redis?.password ?? '',
    store.redis?.sentinel?.password ?? '',
    ...keysOf(organizations),
    ...tlsKeys,
    ...ofProviders,
    ...ofPlugins,
  ];
  return [...found, ...found.map(withoutScheme), ...findUrlSecrets([store, providers, plugins]).filter(isDistinct)];
}
