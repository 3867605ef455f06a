import { isObject, type ImportHelp, type JsonObject, type Place } from '../../core/index.ts';
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
  readonly at: Place;
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
const modes: Readonly<Record<string, readonly string[] | undefined>> = { chat: undefined, completion: undefined, responses: GENERATION, embedding: EMBEDDING };

const paramsCarried = ['model', 'api_key', 'api_base', 'base_url', 'custom_llm_provider', 'litellm_credential_name', 'extra_headers', 'organization', 'weight', 'order', 'rpm', 'tpm', 'timeout', 'stream_timeout', 'max_budget', 'budget_duration', ...priceMembers];
const infoCarried = ['mode', 'id', 'max_output_tokens', 'max_tokens', 'supports_vision', ...priceMembers];

const readCapabilities = (info: JsonObject): JsonObject => {
  const maxOutput = countOf(info['max_output_tokens'] ?? info['max_tokens']);
  return { ...(maxOutput === undefined ? {} : { maxOutput }), ...(info['supports_vision'] === false ? { vision: false } : {}) };
};

const pick = <T extends object>(name: string, value: T | number | undefined): object => (value === undefined ? {} : { [name]: value });

interface Parts {
  readonly notes: Notes;
  readonly providers: Providers;
  readonly help: ImportHelp;
}

/** @returns nothing where it cannot be carried, which is noted */
const readEntry = (entry: JsonObject, at: Place, named: ReadonlySet<string>, { notes: { note, rest }, providers, help }: Parts): readonly Deployment[] => {
  const params = sectionOf(entry['litellm_params']);
  const info = sectionOf(entry['model_info']);
  const paramsAt: Place = [...at, 'litellm_params'];
  const group = textOf(entry['model_name']);
  const wanted = textOf(params['model']);
  const drop = (where: Place, reason: string): readonly Deployment[] => {
    note(where, `The deployment${group === undefined ? '' : ` of "${group}"`} is not carried over. ${reason}`);
    return [];
  };
  if (group === undefined || wanted === undefined) return drop(at, 'It needs model_name and litellm_params.model.');
  const mode = textOf(info['mode']) ?? (/embed/i.test(wanted) ? 'embedding' : /(?:^|\/)(?:dall-e|gpt-image|whisper|tts-)/.test(wanted) ? 'media' : 'chat');
  if (!Object.hasOwn(modes, mode)) return drop(info['mode'] === undefined ? [...paramsAt, 'model'] : [...at, 'model_info', 'mode'], 'This gateway generates text and embeds it; images, speech, transcription and ranking have no route here. Let clients call the vendor for them.');

  const [vendor, model] = splitModel(wanted, textOf(params['custom_llm_provider']));
  if (vendor === undefined) return drop([...paramsAt, 'model'], `"${wanted}" does not say whose model it is. Write it as <vendor>/<model>.`);
  const provider = providers.find(vendor, params, paramsAt);
  if ('reason' in provider) return drop([...paramsAt, 'model'], provider.reason);

  rest(params, paramsAt, paramsCarried, ['providers', provider.name]);
  rest(info, [...at, 'model_info'], infoCarried, ['providers', provider.name]);
  rest(entry, at, ['model_name', 'litellm_params', 'model_info']);
  for (const name of ['rpm', 'tpm'].filter((name) => params[name] !== undefined && params[name] !== null))
    note([...paramsAt, name], `${name} is carried over as the weight of the target among those of its model, not as a limit: what a vendor allows is learnt from its headers and its 429s.`, ['providers', provider.name]);
  const price = readPrice({ ...params, ...info }, mode === 'embedding', at, note);
  const budget = numberOf(params['max_budget']);
  const duration = textOf(params['budget_duration']);
  const prefix = vendors[vendor]?.modelPrefix ?? '';
  const deployment: Deployment = {
    group,
    at,
    provider: provider.name,
    model: model.startsWith('accounts/') ? model : `${prefix}${model}`,
    capabilities: readCapabilities(info),
    ...pick('wires', modes[mode] === undefined ? undefined : [...modes[mode]]),
    ...pick('price', price),
    ...pick('weight', numberOf(params['weight'] ?? params['rpm'] ?? params['tpm'])),
    ...pick('order', numberOf(params['order'])),
    ...pick('timeout', numberOf(params['timeout'])),
    ...pick('streamTimeout', numberOf(params['stream_timeout'])),
    ...pick('budget', budget === undefined ? undefined : { amount: budget, ...(duration === undefined ? {} : { duration }) }),
  };
  if (!wanted.includes('*')) return group.includes('*') ? drop([...at, 'model_name'], 'A name with * needs a model with *.') : [deployment];

  // What is named by an entry of its own goes before what a wildcard gives.
  const [before = '', after = ''] = model.split('*');
  const starters = help.starters(provider.use).flatMap(({ name, wires }) => {
    const stands = group.replace('*', name.slice(before.length));
    return after === '' && name.startsWith(before) && !named.has(stands) ? [{ ...deployment, group: stands, model: name, ...pick('wires', wires === undefined ? undefined : [...wires]) }] : [];
  });
  const written = starters.length === 0 ? 'Write the models that you use.' : `${starters.map((starter) => starter.model).join(', ')}: these are written in its place. Write the others that you use.`;
  note([...at, 'model_name'], `Every model is named here, there are no wildcards. ${written}`, ['providers', provider.name]);
  return starters;
};

/** All of `model_list`. */
export const readDeployments = (source: JsonObject, parts: Parts): readonly Deployment[] => {
  const entries = listOf(source['model_list']).flatMap((entry, index) => (isObject(entry) ? [{ entry, at: ['model_list', index] as Place }] : []));
  const named = new Set(entries.flatMap(({ entry }) => textOf(entry['model_name']) ?? []));
  return entries.flatMap(({ entry, at }) => readEntry(entry, at, named, parts));
};
