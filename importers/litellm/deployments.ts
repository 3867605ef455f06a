import { isObject, type ImportHelp, type JsonObject, type ConfigPath } from '../../core/index.ts';
import type { Notes } from './notes.ts';
import { priceMembers, readPrice } from './price.ts';
import type { Providers } from './providers.ts';
import { countOf, listOf, numberOf, sectionOf, textOf } from './read.ts';
import { splitModel, vendors } from './vendors.ts';

/** One entry of `model_list`, or one model of a wildcard. */
export interface Deployment {
  /** `model_name`: what clients ask for. */
  readonly group: string;
  /** The entry in the source. */
  readonly at: ConfigPath;
  readonly provider: string;
  readonly model: string;
  readonly wires?: readonly string[];
  readonly price?: JsonObject;
  readonly capabilities: JsonObject;
  readonly weight?: number;
  readonly order?: number;
  /** Seconds. */
  readonly timeout?: number;
  readonly streamTimeout?: number;
  readonly budget?: { readonly amount: number; readonly duration?: string };
}

const EMBEDDING = ['embeddings', 'embed-content'];
const GENERATION = ['chat-completions', 'messages', 'generate-content', 'responses'];
const modes: Readonly<Record<string, readonly string[] | undefined>> = {
  chat: undefined,
  completion: undefined,
  responses: GENERATION,
  embedding: EMBEDDING,
};

const NO_ROUTE =
  'This gateway generates text and embeds it; images, speech, transcription and ranking have no route here. Let clients call the vendor for them.';
const AS_WEIGHT =
  'is carried over as the weight of the target among those of its model, not as a limit: what a vendor allows is learnt from its headers and its 429s.';

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
  ...priceMembers,
];
const infoCarried = ['mode', 'id', 'max_output_tokens', 'max_tokens', 'supports_vision', ...priceMembers];

const readCapabilities = (info: JsonObject): JsonObject => {
  const maxOutput = countOf(info['max_output_tokens'] ?? info['max_tokens']);
  return {
    ...(maxOutput === undefined ? {} : { maxOutput }),
    ...(info['supports_vision'] === false ? { vision: false } : {}),
  };
};

/** A member that is there only where there is something to say. */
const given = <Name extends string, Value>(name: Name, value: Value | undefined): Partial<Record<Name, Value>> =>
  (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, Value>>;

const atLeastNothing = (value: unknown): number | undefined => {
  const number = numberOf(value);
  return number === undefined || number < 0 ? undefined : number;
};

const readFigures = (
  params: JsonObject,
): Pick<Deployment, 'weight' | 'order' | 'timeout' | 'streamTimeout' | 'budget'> => {
  const amount = numberOf(params['max_budget']);
  return {
    ...given('weight', atLeastNothing(params['weight'] ?? params['rpm'] ?? params['tpm'])),
    ...given('order', numberOf(params['order'])),
    ...given('timeout', numberOf(params['timeout'])),
    ...given('streamTimeout', numberOf(params['stream_timeout'])),
    ...given(
      'budget',
      amount === undefined ? undefined : { amount, ...given('duration', textOf(params['budget_duration'])) },
    ),
  };
};

/** What it is for, by its own word or by the name of the model. */
const modeOf = (info: JsonObject, model: string): string =>
  textOf(info['mode']) ??
  (/embed/i.test(model) ? 'embedding' : /(?:^|\/)(?:dall-e|gpt-image|whisper|tts-)/.test(model) ? 'media' : 'chat');

interface Parts {
  readonly notes: Notes;
  readonly providers: Providers;
  readonly help: ImportHelp;
}

/** The models that stand for a wildcard. What an entry of its own names is not among them. */
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
      ? [{ ...deployment, group: stands, model: name, ...given('wires', wires) }]
      : [];
  });
  const written =
    expanded.length === 0
      ? 'Write the models that you use.'
      : `${expanded.map((one) => one.model).join(', ')}: these are written in its place. Write the others that you use.`;
  note([...at, 'model_name'], `Every model is named here, there are no wildcards. ${written}`, ['providers', provider]);
  return expanded;
};

/** @returns nothing where it cannot be carried, which is noted */
const readEntry = (
  entry: JsonObject,
  at: ConfigPath,
  named: ReadonlySet<string>,
  parts: Parts,
): readonly Deployment[] => {
  const {
    notes: { note, rest },
    providers,
  } = parts;
  const [params, info] = [sectionOf(entry['litellm_params']), sectionOf(entry['model_info'])];
  const [paramsAt, infoAt]: readonly [ConfigPath, ConfigPath] = [
    [...at, 'litellm_params'],
    [...at, 'model_info'],
  ];
  const [group, written] = [textOf(entry['model_name']), textOf(params['model'])];
  const drop = (where: ConfigPath, reason: string): readonly Deployment[] => {
    note(where, `The deployment${group === undefined ? '' : ` of "${group}"`} is not carried over. ${reason}`);
    return [];
  };
  if (group === undefined || written === undefined) return drop(at, 'It needs model_name and litellm_params.model.');
  const mode = modeOf(info, written);
  if (!Object.hasOwn(modes, mode))
    return drop(info['mode'] === undefined ? [...paramsAt, 'model'] : [...infoAt, 'mode'], NO_ROUTE);
  const [vendor, model] = splitModel(written, textOf(params['custom_llm_provider']));
  if (vendor === undefined)
    return drop([...paramsAt, 'model'], `"${written}" does not say whose model it is. Write it as <vendor>/<model>.`);
  if (group.includes('*') && !written.includes('*'))
    return drop([...at, 'model_name'], 'A name with * needs a model with *.');
  const provider = providers.find(vendor, params, paramsAt);
  if ('reason' in provider) return drop([...paramsAt, 'model'], provider.reason);

  const to: ConfigPath = ['providers', provider.name];
  rest(params, paramsAt, paramsCarried, to);
  rest(info, infoAt, infoCarried, to);
  rest(entry, at, ['model_name', 'litellm_params', 'model_info']);
  for (const name of ['rpm', 'tpm'].filter((limit) => numberOf(params[limit]) !== undefined))
    note([...paramsAt, name], `${name} ${AS_WEIGHT}`, to);
  const deployment: Deployment = {
    group,
    at,
    provider: provider.name,
    model: model.startsWith('accounts/') ? model : `${vendors[vendor]?.modelPrefix ?? ''}${model}`,
    capabilities: readCapabilities(info),
    ...given('wires', modes[mode]),
    ...given('price', readPrice({ ...params, ...info }, mode === 'embedding', at, note)),
    ...readFigures(params),
  };
  return written.includes('*') ? expandWildcard(deployment, provider.use, named, parts) : [deployment];
};

/** All of `model_list`. */
export function readDeployments(source: JsonObject, parts: Parts): readonly Deployment[] {
  const entries = listOf(source['model_list']).flatMap((entry, index) =>
    isObject(entry) ? [{ entry, at: ['model_list', index] as ConfigPath }] : [],
  );
  const named = new Set(entries.flatMap(({ entry }) => textOf(entry['model_name']) ?? []));
  return entries.flatMap(({ entry, at }) => readEntry(entry, at, named, parts));
}
