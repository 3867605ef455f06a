import type { GatewayConfig } from '../gateway-config.ts';
import { maskUrlSecrets } from './mask-secrets.ts';
import { collectTexts } from './secret-paths.ts';
import { findOptionSecrets } from './option-secrets.ts';

/** The parts of a configuration that may hold secrets. */
type ConfigWithSecrets = Pick<
  GatewayConfig,
  'admin' | 'alerts' | 'attribution' | 'store' | 'organizations' | 'providers' | 'plugins'
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

/** The keys of clients. Projects that an earlier configuration has as well are left out. */
function* listKeys(
  organizations: GatewayConfig['organizations'],
  before: GatewayConfig['organizations'],
): Generator<string> {
  for (const [organization, { projects }] of Object.entries(organizations)) {
    const earlier = Object.hasOwn(before, organization) ? before[organization]?.projects : undefined;
    for (const [name, project] of Object.entries(projects)) {
      if (earlier !== undefined && Object.hasOwn(earlier, name) && earlier[name] === project) continue;
      for (const { key } of Object.values(project.keys)) if (key !== undefined) yield key;
    }
  }
}

/**
 * Every secret of a configuration, in lists: the admin token, keys of clients, passwords of the stores, and the values
 * in the settings of extensions that have the name of a secret or are part of a URL.
 * @param before an earlier configuration, whose keys of clients may be left out
 */
export function* listSecrets(
  { admin, alerts, attribution, store, organizations, providers, plugins }: ConfigWithSecrets,
  before: Pick<GatewayConfig, 'organizations'> = { organizations: {} },
): Generator<readonly string[]> {
  const ofProviders = Object.values(providers).flatMap(({ config }) => findOptionSecrets(config));
  const ofPlugins = plugins.flatMap(({ config }) => findOptionSecrets(config)).filter(isDistinct);
  const tlsKeys = [store.redis, ...Object.values(providers)].flatMap((peer) => peer?.tls?.key ?? []);
  const found = [
    admin.token ?? '',
    admin.oidc?.clientSecret ?? '',
    admin.scim?.token ?? '',
    alerts.webhook?.secret ?? '',
    alerts.email?.password ?? '',
    attribution.secret ?? '',
    store.redis?.password ?? '',
    store.redis?.sentinel?.password ?? '',
    ...tlsKeys,
    ...ofProviders,
    ...ofPlugins,
  ];
  yield [
    ...found,
    ...found.map(withoutScheme),
    ...findUrlSecrets([store, alerts, providers, plugins]).filter(isDistinct),
  ];
  for (const key of listKeys(organizations, before.organizations)) yield [key, withoutScheme(key)];
}

/** All of {@link listSecrets} in one list. */
export const collectSecrets = (config: ConfigWithSecrets): readonly string[] => [...listSecrets(config)].flat();
