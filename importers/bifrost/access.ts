import type { JsonObject } from '../../core/api/index.ts';
import { isObject, omitUndefined, readList } from '../../core/api/codec.ts';
import type { ConfigPath } from '../../core/api/internal.ts';
import { normalizeName } from '../shared/names.ts';
import type { Notes } from '../shared/notes.ts';
import { textOf } from '../shared/read.ts';
import { selecting, type Catalog } from './catalog.ts';
import { isPinned, PINNED } from './pinned.ts';

const configCarried = [
  'id',
  'provider',
  'allowed_models',
  'weight',
  'key_ids',
  'keys',
  'budget_id',
  'budgets',
  'rate_limit_id',
  'rate_limits',
];

interface Parts {
  readonly notes: Notes;
  readonly catalog: Catalog;
  /** The keys of each provider, as the file has them. */
  readonly providers: JsonObject;
  /** In version 1 an empty list allows everything. */
  readonly isOld: boolean;
}

/** The name of a model, which can be written with its provider. */
export const withoutProvider = (name: string, provider: string): string =>
  name.startsWith(`${provider}/`) ? name.slice(provider.length + 1) : name;

/** The models that a provider config allows, whether or not they were imported. */
export const allowedBy = (config: JsonObject, isOld: boolean): readonly string[] => {
  const provider = textOf(config['provider']) ?? '';
  const allowed = readList(config['allowed_models']).flatMap((name) => textOf(name) ?? []);
  const isAll = allowed.includes('*') || (allowed.length === 0 && (isOld || config['allowed_models'] === undefined));
  return isAll
    ? [`${provider}/*`]
    : allowed.map((name) => `${provider}/${normalizeName(withoutProvider(name, provider))}`);
};

/** What a virtual key may use: `models` and `disabled` of the key. */
export function readAccess(
  key: JsonObject,
  { at, to }: { readonly at: ConfigPath; readonly to: ConfigPath },
  { notes, isOld, catalog, providers }: Parts,
): JsonObject {
  const configs = readList(key['provider_configs']).filter(isObject);
  for (const [index, config] of configs.entries()) {
    const where = [...at, 'provider_configs', index];
    notes.noteUnsupported(config, where, configCarried, to);
    if (isPinned(config, providers)) notes.fail(where, PINNED, to);
  }
  if (new Set(configs.map((config) => config['weight'])).size > 1)
    notes.note(
      [...at, 'provider_configs'],
      'Weights are set for each model, in the plugin failover, and not for each key. These are left out.',
      to,
    );
  const written = [...new Set(configs.flatMap((config) => allowedBy(config, isOld)))];
  const allowed = selecting(catalog, written);
  const missing = written.filter((pattern) => !allowed.includes(pattern));
  if (missing.length > 0)
    notes.note(
      [...at, 'provider_configs'],
      `These are not in the catalog, so they are left out of its models: ${missing.join(', ')}.`,
      to,
    );
  const isAnyPinned = configs.some((config) => isPinned(config, providers));
  // An empty list would allow every model.
  const isDenied = allowed.length === 0 && (configs.length > 0 || !isOld);
  if (isDenied) notes.note([...at, 'provider_configs'], 'It allows no model, so the key is imported as disabled.', to);
  return omitUndefined({
    models: allowed.length === 0 ? undefined : allowed,
    disabled: isDenied || isAnyPinned || key['is_active'] === false ? true : undefined,
  });
}
