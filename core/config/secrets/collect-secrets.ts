import type { GatewayConfig } from '../gateway-config.ts';
import { maskUrlSecrets } from './mask-secrets.ts';
import { collectTexts } from './secret-paths.ts';
import { findOptionSecrets } from './option-secrets.ts';

/** The parts of a configuration that may hold secrets. */
type Secretive = Pick<GatewayConfig, 'admin' | 'store' | 'organizations' | 'providers' | 'plugins'>;

/** A word of letters alone: looked for in every text, it would be found in sentences. */
const WORD = /^[a-z]{1,15}$/i;
const isDistinct = (secret: string): boolean => !WORD.test(secret);

const decodeText = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Passwords in addresses and keys in their queries, as written and decoded. */
const secretsInAddresses = (data: unknown): readonly string[] => {
  const found: string[] = [];
  const keep = (secret: string): string => {
    found.push(secret, decodeText(secret));
    return '';
  };
  for (const [, text] of collectTexts(data)) maskUrlSecrets(text, keep);
  return found;
};

/** `Bearer abc`: the token alone is a secret as well. */
const withoutScheme = (secret: string): string => secret.replace(/^[a-z]+ +/i, '');

const keysOf = (organizations: GatewayConfig['organizations']): readonly string[] =>
  Object.values(organizations)
    .flatMap(({ projects }) => Object.values(projects))
    .flatMap(({ keys }) => Object.values(keys))
    .flatMap(({ key }) => key ?? []);

/**
 * Every secret of a configuration: the admin token, keys of clients, passwords of the stores, and what the settings of
 * extensions hold under a name for secrets or in an address.
 */
export function collectSecrets({ admin, store, organizations, providers, plugins }: Secretive): readonly string[] {
  const ofProviders = Object.values(providers).flatMap(({ config }) => findOptionSecrets(config));
  const ofPlugins = plugins.flatMap(({ config }) => findOptionSecrets(config)).filter(isDistinct);
  const found = [admin.token ?? '', ...keysOf(organizations), ...ofProviders, ...ofPlugins];
  return [...found, ...found.map(withoutScheme), ...secretsInAddresses([store, providers, plugins]).filter(isDistinct)];
}
