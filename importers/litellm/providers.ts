import { isObject, type JsonObject, type ConfigPath } from '../../core/index.ts';
import { holdsSecret, isAddress, isOpenAi, resolveAddress } from './address.ts';
import type { Note } from './notes.ts';
import { listOf, sectionOf, textOf } from './read.ts';
import { URL_STAND_IN, type Variables } from './variables.ts';
import { vendors, type Vendor } from './vendors.ts';

/** The `providers` that deployments need, each once. */
export interface Providers {
  /** @returns the name of the provider, or why there is none */
  find(
    vendor: string,
    params: JsonObject,
    at: ConfigPath,
  ): { readonly name: string; readonly use: string } | { readonly reason: string };
  readonly settings: Readonly<Record<string, JsonObject>>;
}

const elsewhere =
  'A provider of your own (providers/README.md) or a gateway that speaks its API in a wire of OpenAI (use: openai-compatible) can call it.';

/** What stands where a client library insists on a key and the server does not. */
const PLACEHOLDER =
  /^(?:none|null|empty|dummy|fake|anything|not-?needed|no-?key|x+|(?:fake|dummy)[-_ ]?(?:api[-_ ]?)?key|ollama|lm-studio|sk-1234)$/i;

/** `credential_list`: what deployments refer to by `litellm_credential_name`. */
export const readCredentials = (source: JsonObject): ReadonlyMap<string, JsonObject> =>
  new Map(
    listOf(source['credential_list']).flatMap((entry) =>
      isObject(entry) ? [[textOf(entry['credential_name']) ?? '', sectionOf(entry['credential_values'])] as const] : [],
    ),
  );

const upperCase = (name: string): string => name.toUpperCase().replaceAll(/\W/g, '_');

/** `OPENAI_API_KEY` for the first key of a vendor whose variable is known, else by its name. */
const variableOf = (vendor: string, { key }: Vendor): string => key ?? `${upperCase(vendor)}_API_KEY`;

interface Parts {
  readonly variables: Variables;
  readonly note: Note;
  readonly credentials: ReadonlyMap<string, JsonObject>;
}

export function createProviders({ variables, note, credentials }: Parts): Providers {
  const settings: Record<string, JsonObject> = {};
  const names = new Map<string, string>();

  const nameFor = (wished: string, provider: JsonObject): string => {
    const identity = JSON.stringify(provider);
    const known = names.get(identity);
    if (known !== undefined) return known;
    let name = wished;
    for (let number = 2; name in settings; number += 1) name = `${wished}-${number}`;
    names.set(identity, name);
    settings[name] = provider;
    return name;
  };

  const readHeaders = (headers: JsonObject, at: ConfigPath, note: Note): JsonObject =>
    Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) => {
        const text = /key|token|auth|secret|password|credential|cookie/i.test(name)
          ? variables.secret(value, [...at, name], upperCase(name), note)
          : variables.value(value, 'stand-in');
        return text === undefined ? [] : [[name, text]];
      }),
    );

  const find: Providers['find'] = (vendorName, written, at) => {
    const known = Object.hasOwn(vendors, vendorName) ? vendors[vendorName] : undefined;
    if (known === undefined) return { reason: `There is no provider here for "${vendorName}/". ${elsewhere}` };
    const params = { ...credentials.get(textOf(written['litellm_credential_name']) ?? ''), ...written };
    const held: (readonly [from: ConfigPath, text: string])[] = [];
    const hold: Note = (from, text) => void held.push([from, text]);
    const base = params['api_base'] ?? params['base_url'];
    const address = resolveAddress(base, known, (url) =>
      holdsSecret(url)
        ? variables.needed(url, [...at, 'api_base'], `${upperCase(vendorName)}_API_BASE`, hold, URL_STAND_IN)
        : variables.value(url, URL_STAND_IN),
    );
    if (address !== undefined && !isAddress(address))
      return { reason: 'Its api_base is no address that begins with http:// or https://. Correct it.' };
    const isOwn = vendorName === 'openai' && address !== undefined && !isOpenAi(address);
    const use = isOwn ? 'openai-compatible' : known.use;
    if (use === 'openai-compatible' && address === undefined)
      return { reason: 'It has no api_base, so where it is cannot be known. Give it one.' };
    // What is not given is read by LiteLLM from the variable of the vendor; a server of one's own is not sent the key of a vendor.
    const keyFallback = known.key === undefined || isOwn ? undefined : `os.environ/${known.key}`;
    const isPlaceholder = use === 'openai-compatible' && PLACEHOLDER.test(textOf(params['api_key']) ?? '');
    if (isPlaceholder) hold([...at, 'api_key'], 'A server that asks for no key is sent none.');
    const apiKey = isPlaceholder
      ? undefined
      : variables.secret(
          params['api_key'] ?? keyFallback,
          [...at, 'api_key'],
          isOwn ? 'LOCAL_API_KEY' : variableOf(vendorName, known),
          hold,
        );
    const headers = readHeaders(sectionOf(params['extra_headers']), [...at, 'extra_headers'], hold);
    const isNamed = address !== undefined && !(vendorName === 'openai' && isOpenAi(address));
    if (use !== 'openai-compatible' && Object.keys(headers).length > 0)
      hold([...at, 'extra_headers'], `The provider ${use} sends no headers of yours. They are left out.`);
    const organization = use === 'openai' ? variables.value(params['organization'], 'stand-in') : undefined;
    const config = {
      ...(isNamed ? { baseUrl: address } : {}),
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(organization === undefined ? {} : { organization }),
      ...(use === 'openai-compatible' && Object.keys(headers).length > 0 ? { headers } : {}),
    };
    const wished = isOwn ? 'local' : use === 'google' ? 'google' : vendorName;
    const name = nameFor(wished, { use, ...(Object.keys(config).length === 0 ? {} : { config }) });
    for (const [from, text] of held) note(from, text, ['providers', name]);
    return { name, use };
  };
  return { find, settings };
}
