import type { JsonObject } from '../../core/api/index.ts';
import { omitUndefined, readObject, readList, isObject } from '../../core/api/codec.ts';
import type { ImportHelp, ConfigPath } from '../../core/api/internal.ts';
import { AUDIO, EMBEDDING, IMAGES, mediaOf, SPEECH } from '../shared/modes.ts';
import type { Notes } from '../shared/notes.ts';
import { priceMembersOf, readPrice } from '../shared/price.ts';
import type { Providers } from '../shared/providers.ts';
import { countOf, numberOf, textOf } from '../shared/read.ts';
import { settingsOf, vendors } from '../shared/vendors.ts';
import { readEndpoint, type Credentials } from './credentials.ts';
import { defaultsCarried, readDefaults } from './defaults.ts';
import { normalizeName } from '../shared/names.ts';
import { splitModel } from './split-model.ts';

/** One entry of `model_list`. A wildcard has one `*` in its group and in its model. */
export interface Deployment {
  /** `model_name`: the name that clients use. */
  readonly group: string;
  /** The entry in the source. */
  readonly at: ConfigPath;
  readonly provider: string;
  readonly model: string;
  readonly wires?: readonly string[];
  readonly price?: JsonObject;
  readonly capabilities: JsonObject;
  /** Members of requests, where the client does not set them. */
  readonly defaults?: JsonObject;
  readonly weight?: number;
  readonly order?: number;
  /** Seconds. */
  readonly timeout?: number;
  readonly streamTimeout?: number;
  readonly budget?: { readonly amount: number; readonly duration?: string };
}

const GENERATION = ['chat-completions', 'completions', 'messages', 'generate-content', 'interactions', 'responses'];
const modes: Readonly<Record<string, readonly string[] | undefined>> = {
  chat: undefined,
  completion: undefined,
  responses: GENERATION,
  embedding: EMBEDDING,
  moderation: ['moderations'],
  image_generation: IMAGES,
  image_edit: IMAGES,
  rerank: ['rerank', 'cohere-rerank'],
  audio_transcription: AUDIO,
  audio_speech: SPEECH,
};

const NO_ROUTE = 'This gateway does not serve its mode. Clients must call the vendor for it.';

const AS_WEIGHT =
  'is imported as the weight of the target, not as a limit: ' +
  'the limits of a vendor are learned from its headers and 429s.';

const paramsCarried = [
  'model',
  'api_key',
  'api_base',
  'base_url',
  'custom_llm_provider',
  'litellm_credential_name',
  'extra_headers',
  'organization',
  'weight',
  'order',
  'rpm',
  'tpm',
  'timeout',
  'stream_timeout',
  'max_budget',
  'budget_duration',
  ...defaultsCarried,
];
const infoCarried = ['mode', 'id', 'max_output_tokens', 'max_tokens', 'supports_vision'];

const readCapabilities = (info: JsonObject): JsonObject =>
  omitUndefined({
    maxOutput: countOf(info['max_output_tokens'] ?? info['max_tokens']),
    vision: info['supports_vision'] === false ? false : undefined,
  });

const readNonNegative = (value: unknown): number | undefined => {
  const number = numberOf(value);
  return number === undefined || number < 0 ? undefined : number;
};

const readFigures = (
  params: JsonObject,
): Pick<Deployment, 'weight' | 'order' | 'timeout' | 'streamTimeout' | 'budget'> => {
  const amount = numberOf(params['max_budget']);
  return omitUndefined({
    weight: readNonNegative(params['weight'] ?? params['rpm'] ?? params['tpm']),
    order: numberOf(params['order']),
    timeout: numberOf(params['timeout']),
    streamTimeout: numberOf(params['stream_timeout']),
    budget: amount === undefined ? undefined : omitUndefined({ amount, duration: textOf(params['budget_duration']) }),
  });
};

/** The mode of a deployment: as it is set, or else by the name of the model. */
const modeOf = (info: JsonObject, model: string): string => textOf(info['mode']) ?? mediaOf(model) ?? 'chat';

interface Parts {
  readonly notes: Notes;
  readonly providers: Providers;
  readonly credentials: Credentials;
  readonly help: ImportHelp;
}

const addModels = 'Add the other models that you use, or a wildcard (docs/operate/configuration.md).';

/**
 * The models that replace a wildcard without a vendor in its name, as `claude-*`, without those that have an entry of
 * their own: ids have a vendor here, and the aliases that keep such names are single names.
 */
const expandWildcard = (
  deployment: Deployment,
  use: string,
  named: ReadonlySet<string>,
  { notes: { note }, help }: Parts,
): readonly Deployment[] => {
  const { group, model, provider, at } = deployment;
  const [before = '', after = ''] = model.split('*');
  const expanded = help.starters(use).flatMap(({ name, wires }): readonly Deployment[] => {
    const stands = group.replace('*', name.slice(before.length));
    return after === '' && name.startsWith(before) && !named.has(stands)
      ? [{ ...deployment, group: stands, model: name, ...(wires === undefined ? {} : { wires }) }]
      : [];
  });
  const replaced = expanded.length === 0 ? '' : `It is replaced by ${expanded.map((one) => one.model).join(', ')}. `;
  note([...at, 'model_name'], `${replaced}${addModels}`, ['providers', provider]);
  return expanded;
};

const ONE_STAR = 'A wildcard has one * in its model_name and one in its model.';

/** Whether both names have one `*`, or none. */
const isWildcardPair = (group: string, model: string): boolean => {
  const [stars = 0, others] = [group, model].map((name) => name.split('*').length - 1);
  return stars === others && stars < 2;
};

/** Notes the members of an entry that its deployment does not carry. @param to where the deployment is in the result */
const noteMembers = (
  entry: JsonObject,
  at: ConfigPath,
  { vendor, mode }: { readonly vendor: string; readonly mode: string },
  to: ConfigPath,
  { note, noteUnsupported }: Parts['notes'],
): void => {
  const params = readObject(entry['litellm_params']);
  const paramsAt: ConfigPath = [...at, 'litellm_params'];
  const prices = priceMembersOf(mode);
  noteUnsupported(params, paramsAt, [...paramsCarried, ...prices, ...Object.keys(settingsOf(vendor))], to);
  noteUnsupported(readObject(entry['model_info']), [...at, 'model_info'], [...infoCarried, ...prices], to);
  noteUnsupported(entry, at, ['model_name', 'litellm_params', 'model_info']);
  for (const name of ['rpm', 'tpm'].filter((limit) => numberOf(params[limit]) !== undefined))
    note([...paramsAt, name], `${name} ${AS_WEIGHT}`, to);
};

/** @returns an empty list, with a note, when the entry cannot be imported */
const readEntry = (
  entry: JsonObject,
  at: ConfigPath,
  named: ReadonlySet<string>,
  parts: Parts,
): readonly Deployment[] => {
  const { note } = parts.notes;
  const [params, info] = [readObject(entry['litellm_params']), readObject(entry['model_info'])];
  const [paramsAt, infoAt]: readonly [ConfigPath, ConfigPath] = [
    [...at, 'litellm_params'],
    [...at, 'model_info'],
  ];
  const [group, written] = [textOf(entry['model_name']), textOf(params['model'])];
  const drop = (where: ConfigPath, reason: string): readonly Deployment[] => {
    note(where, `The deployment${group === undefined ? '' : ` of "${group}"`} is not imported. ${reason}`);
    return [];
  };
  if (group === undefined || written === undefined) return drop(at, 'It has no model_name or no litellm_params.model.');
  if (normalizeName(group) === '')
    return drop([...at, 'model_name'], 'Nothing of its model_name can be in a name here.');
  const mode = modeOf(info, written);
  if (!Object.hasOwn(modes, mode)) return drop([...infoAt, 'mode'], NO_ROUTE);
  const [vendor, model] = splitModel(written, textOf(params['custom_llm_provider']));
  if (vendor === undefined)
    return drop([...paramsAt, 'model'], `"${written}" does not name a vendor. Write it as <vendor>/<model>.`);
  if (model === '') return drop([...paramsAt, 'model'], `"${written}" names no model. Write it as ${vendor}/<model>.`);
  if (!isWildcardPair(group, written)) return drop([...at, 'model_name'], ONE_STAR);
  const provider = parts.providers.find(readEndpoint(vendor, params, paramsAt, parts.credentials));
  if ('reason' in provider) return drop([...paramsAt, 'model'], provider.reason);

  noteMembers(entry, at, { vendor, mode }, ['providers', provider.name], parts.notes);
  const deployment: Deployment = omitUndefined({
    group,
    at,
    provider: provider.name,
    model: model.startsWith('accounts/') ? model : `${vendors[vendor]?.modelPrefix ?? ''}${model}`,
    capabilities: readCapabilities(info),
    defaults: mode === 'embedding' ? undefined : readDefaults(params),
    wires: modes[mode],
    price: readPrice({ ...params, ...info }, mode, at, note),
    ...readFigures(params),
  });
  return written.includes('*') && !group.includes('/')
    ? expandWildcard(deployment, provider.use, named, parts)
    : [deployment];
};

/** Reads `model_list`. */
export function readDeployments(source: JsonObject, parts: Parts): readonly Deployment[] {
  const entries = readList(source['model_list']).flatMap((entry, index) =>
    isObject(entry) ? [{ entry, at: ['model_list', index] as ConfigPath }] : [],
  );
  const named = new Set(entries.flatMap(({ entry }) => textOf(entry['model_name']) ?? []));
  return entries.flatMap(({ entry, at }) => readEntry(entry, at, named, parts));
}
