import type { JsonObject } from '../../core/api/index.ts';
import { isObject, omitUndefined, readList, readObject } from '../../core/api/codec.ts';
import type { ConfigPath } from '../../core/api/internal.ts';
import { writeSeconds } from '../shared/durations.ts';
import type { Note, Notes } from '../shared/notes.ts';
import type { Endpoint, Providers } from '../shared/providers.ts';
import { numberOf, textOf } from '../shared/read.ts';
import { vendors } from '../shared/vendors.ts';
import { readKey, type KeyParts, type VendorKey } from './keys.ts';
import { pinnedByRules } from './pinned.ts';
import { plainText } from './plain-text.ts';
import { isLocal, sharedName, suffixOf } from './vendors.ts';

/** Keys of a Bifrost provider that serve the same models: one of our providers. */
export interface Backend {
  /** The name in Bifrost, with which clients begin the names of models. */
  readonly of: string;
  readonly at: ConfigPath;
  readonly provider: string;
  readonly use: string;
  readonly vendor: string;
  readonly weight: number;
  readonly key: VendorKey;
  /** What selects its keys. */
  readonly names: readonly string[];
}

interface Parts {
  /** The keys that rules name. */
  readonly pinned: ReadonlySet<string>;
  readonly notes: Notes;
  readonly providers: Providers;
  readonly isOld: boolean;
}

const carried = ['keys', 'network_config', 'custom_provider_config', 'description'];
const networkCarried = [
  'base_url',
  'extra_headers',
  'default_request_timeout_in_seconds',
  'stream_idle_timeout_in_seconds',
  'max_retries',
  'retry_backoff_initial',
  'retry_backoff_max',
  'retry_backoff_initial_ms',
  'retry_backoff_max_ms',
];

const readTimeouts = (network: JsonObject): JsonObject | undefined => {
  const [total, idle] = ['default_request_timeout_in_seconds', 'stream_idle_timeout_in_seconds'].map((name) => {
    const seconds = numberOf(network[name]);
    return seconds === undefined || seconds <= 0 ? undefined : writeSeconds(seconds);
  });
  const timeouts = omitUndefined({ firstByte: total, idle });
  return Object.keys(timeouts).length === 0 ? undefined : timeouts;
};

/** Keys that differ only in their secret are one provider with several keys, unless one is pinned. */
const groupKeys = (
  keys: readonly VendorKey[],
  pinned: ReadonlySet<string>,
): readonly (readonly [VendorKey, ...VendorKey[]])[] =>
  [
    ...Map.groupBy(keys, ({ weight, models, excluded, aliases, served, address, settings, names }) => {
      const cloud = Object.entries(settings).map(([name, { value }]) => [name, value]);
      const pin = names.filter((name) => pinned.has(name));
      return JSON.stringify([weight, models, excluded, aliases, served, address?.value, cloud, pin]);
    }).values(),
  ].flatMap(([first, ...others]) => (first === undefined ? [] : [[first, ...others] as const]));

/** Without `keys`, a local server is used without one. */
export const readKeys = (entry: JsonObject, at: ConfigPath, parts: KeyParts): readonly VendorKey[] =>
  Array.isArray(entry['keys'])
    ? readList(entry['keys']).flatMap((key, index) =>
        isObject(key) ? (readKey(key, [...at, 'keys', index], parts) ?? []) : [],
      )
    : [{ at, value: undefined, weight: 1, excluded: [], aliases: {}, settings: {}, names: [] }];

const noteMissing = (vendor: string, { value, at }: VendorKey, note: Note, to: ConfigPath): void => {
  const variable = vendors[vendor]?.key;
  if (value !== undefined || isLocal(vendor) || variable === undefined) return;
  note(
    [...at, 'value'],
    vendor === 'azure'
      ? `Identities of Azure are not supported. Set ${variable} to a key of the resource.`
      : `It has no value. Set ${variable} to the key.`,
    to,
  );
};

/** One of `providers`. */
interface Written {
  readonly name: string;
  readonly entry: JsonObject;
  readonly at: ConfigPath;
}

export const vendorOf = ({ name, entry }: Pick<Written, 'name' | 'entry'>): string =>
  sharedName(textOf(readObject(entry['custom_provider_config'])['base_provider_type']) ?? name);

/** The API that some keys of a provider are for. */
export function describeEndpoint(
  { name, entry, at }: Written,
  keys: readonly [VendorKey, ...VendorKey[]],
  vendor: string,
): Endpoint {
  const network = readObject(entry['network_config']);
  const [key] = keys;
  const isKeyless = readObject(entry['custom_provider_config'])['is_key_less'] === true;
  const hasNoKey = isKeyless || (isLocal(vendor) && key.value === undefined);
  return omitUndefined({
    vendor,
    name,
    apiKeys: hasNoKey ? [] : keys.map((one) => ({ value: one.value, at: [...one.at, 'value'] })),
    address: key.address ?? { value: plainText(network['base_url']), at: [...at, 'network_config', 'base_url'] },
    suffix: suffixOf(vendor),
    headers: { value: network['extra_headers'], at: [...at, 'network_config', 'extra_headers'] },
    timeouts: readTimeouts(network),
    settings: key.settings,
  });
}

/** Reads one of `providers`. */
function readProvider(name: string, entry: JsonObject, parts: Parts): readonly Backend[] {
  const { note, noteUnsupported } = parts.notes;
  const at: ConfigPath = ['providers', name];
  const network = readObject(entry['network_config']);
  const custom = readObject(entry['custom_provider_config']);
  const vendor = vendorOf({ name, entry });
  if (!Object.hasOwn(vendors, vendor)) {
    const { reason } = parts.providers.find({ vendor, apiKeys: [], address: { value: undefined, at } }) as {
      readonly reason: string;
    };
    note(at, `The provider is not imported. ${reason}`);
    return [];
  }
  noteUnsupported(entry, at, carried);
  noteUnsupported(network, [...at, 'network_config'], networkCarried);
  noteUnsupported(custom, [...at, 'custom_provider_config'], ['base_provider_type', 'is_key_less']);
  return groupKeys(readKeys(entry, at, { ...parts, use: vendors[vendor]?.use ?? '' }), parts.pinned).flatMap(
    (keys): readonly Backend[] => {
      const [key] = keys;
      const endpoint = describeEndpoint({ name, entry, at }, keys, vendor);
      const provider = parts.providers.find(endpoint);
      if ('reason' in provider) {
        note(key.at, `The key is not imported. ${provider.reason}`);
        return [];
      }
      if (endpoint.apiKeys.length > 0)
        for (const one of keys) noteMissing(vendor, one, note, ['providers', provider.name]);
      const names = keys.flatMap((one) => one.names);
      return [
        {
          of: name,
          at,
          provider: provider.name,
          use: provider.use,
          vendor,
          weight: key.weight * keys.length,
          key,
          names,
        },
      ];
    },
  );
}

/** Reads `providers`. */
export function readBackends(source: JsonObject, given: Omit<Parts, 'pinned'>): readonly Backend[] {
  const parts = { ...given, pinned: pinnedByRules(source) };
  return Object.entries(readObject(source['providers'])).flatMap(([name, entry]) =>
    isObject(entry) ? readProvider(name, entry, parts) : [],
  );
}

/** The model that a backend calls for a name; undefined where it does not serve it. */
export const modelAt = ({ key }: Pick<Backend, 'key'>, name: string): string | undefined => {
  const isServed =
    (key.models === undefined || key.models.includes(name) || Object.hasOwn(key.aliases, name)) &&
    !key.excluded.includes(name);
  return isServed
    ? ((Object.hasOwn(key.aliases, name) ? key.aliases[name] : undefined) ?? key.served ?? name)
    : undefined;
};
