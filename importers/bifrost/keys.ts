import type { JsonObject } from '../../core/api/index.ts';
import { isObject, omitUndefined, readList, readObject } from '../../core/api/codec.ts';
import type { ConfigPath } from '../../core/api/internal.ts';
import type { Notes } from '../shared/notes.ts';
import type { Located } from '../shared/providers.ts';
import { always } from '../shared/reasons.ts';
import { numberOf, textOf } from '../shared/read.ts';
import { cloudSection, readCloud } from './clouds.ts';
import { namesOf } from './pinned.ts';
import { plainText } from './plain-text.ts';

/** One of the `keys` of a provider. */
export interface VendorKey {
  readonly at: ConfigPath;
  readonly value: string | undefined;
  readonly weight: number;
  /** Names of models; absent: all. */
  readonly models?: readonly string[];
  readonly excluded: readonly string[];
  /** Models at the vendor, by the name that clients use. */
  readonly aliases: Readonly<Record<string, string>>;
  /** The only model of the server. */
  readonly served?: string;
  readonly address?: Located;
  /** The settings of a cloud: region, project, credentials. */
  readonly settings: Readonly<Record<string, Located>>;
  /** What other sections name it by. */
  readonly names: readonly string[];
}

const carried = [
  'id',
  'name',
  'description',
  'value',
  'models',
  'blacklisted_models',
  'weight',
  'aliases',
  'enabled',
  'azure_key_config',
  'ollama_key_config',
  'vllm_key_config',
  'sgl_key_config',
];

const readNames = (list: unknown): readonly string[] => readList(list).flatMap((name) => textOf(name) ?? []);

/** The name of a model at a provider, which cannot have a wildcard. */
const modelOf = (value: unknown): string | undefined => {
  const name = textOf(value);
  return name?.includes('*') === true ? undefined : name;
};

const readAliases = (entry: JsonObject, sections: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    [
      entry['aliases'],
      ...['azure_key_config', ...sections].map((section) => readObject(entry[section])['deployments']),
    ].flatMap((table) =>
      Object.entries(readObject(table)).flatMap(([name, written]) => {
        const model = modelOf(isObject(written) ? written['model_id'] : written);
        return model === undefined ? [] : [[name, model] as const];
      }),
    ),
  );

const readAddress = (entry: JsonObject, at: ConfigPath): Located | undefined => {
  for (const [section, member] of [
    ['azure_key_config', 'endpoint'],
    ['ollama_key_config', 'url'],
    ['vllm_key_config', 'url'],
    ['sgl_key_config', 'url'],
  ] as const) {
    const value = plainText(readObject(entry[section])[member]);
    if (value !== undefined) return { value, at: [...at, section, member] };
  }
  return undefined;
};

/** What keys are read for. */
export interface KeyParts {
  readonly notes: Notes;
  /** In version 1 an empty list of models means all of them. */
  readonly isOld: boolean;
  /** The built-in provider. */
  readonly use: string;
}

export function readKey(entry: JsonObject, at: ConfigPath, { notes, isOld, use }: KeyParts): VendorKey | undefined {
  const { note, noteUnsupported } = notes;
  const sections = [cloudSection(use) ?? []].flat();
  const drop = (member: string, reason: string): undefined => {
    note([...at, member], `The key is not imported. ${reason}`);
  };
  if (entry['enabled'] === false) return drop('enabled', 'It is disabled.');
  const models = readNames(entry['models']);
  if (Array.isArray(entry['models']) && models.length === 0 && !isOld) return drop('models', 'It serves no model.');
  noteUnsupported(entry, at, [...carried, ...sections]);
  const azure = readObject(entry['azure_key_config']);
  noteUnsupported(azure, [...at, 'azure_key_config'], ['endpoint', 'deployments', 'api_version']);
  if (azure['api_version'] !== undefined)
    note([...at, 'azure_key_config', 'api_version'], always('The imported address accepts every version.'));
  return omitUndefined({
    at,
    value: plainText(entry['value']),
    weight: Math.max(0, numberOf(entry['weight']) ?? 1),
    models: models.length === 0 || models.includes('*') ? undefined : models,
    excluded: readNames(entry['blacklisted_models']),
    aliases: readAliases(entry, sections),
    served: modelOf(readObject(entry['vllm_key_config'])['model_name']),
    address: readAddress(entry, at),
    settings: readCloud(entry, at, use, notes),
    names: namesOf(entry),
  });
}
