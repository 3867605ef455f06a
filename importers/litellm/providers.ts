import { readObject, readList, isObject, type JsonObject, type ConfigPath } from '../../core/index.ts';
import { holdsSecret, isAddress, isOpenAi, resolveAddress } from './address.ts';
import type { Note } from './notes.ts';
import { textOf } from './read.ts';
import { PLACEHOLDER_URL, type Variables } from './variables.ts';
import { vendors, type Vendor } from './vendors.ts';

/** Collects the `providers` of deployments, each once. */
export interface Providers {
  /** @returns the name of the provider, or the reason why there is none */
  find(
    vendor: string,
    params: JsonObject,
    at: ConfigPath,
  ): { readonly name: string; readonly use: string } | { readonly reason: string };
  readonly settings: Readonly<Record<string, JsonObject>>;
}

const elsewhere =
  'Write a provider (providers/README.md), or use a gateway that offers its API in an OpenAI wire (use: ' +
  'openai-compatible).';

/** Dummy keys, for client libraries that require a key which the server ignores. */
const PLACEHOLDER = new RegExp(
  String.raw`^(?:none|null|empty|dummy|fake|anything|not-?needed|no-?key|x+` +
    String.raw`|(?:fake|dummy)[-_ ]?(?:api[-_ ]?)?key|ollama|lm-studio|sk-1234)$`,
  'i',
);

/** Reads `credential_list`, to which deployments refer by `litellm_credential_name`. */
export const readCredentials = (source: JsonObject): ReadonlyMap<string, JsonObject> =>
  new Map(
    readList(source['credential_list']).flatMap((entry) =>
      isObject(entry)
        ? [[textOf(entry['credential_name']) ?? '', readObject(entry['credential_values'])] as const]
        : [],
    ),
  );

const upperCase = (name: string): string => name.toUpperCase().replaceAll(/\W/g, '_');

/** The variable for the key of a vendor: the one that LiteLLM reads, or else one with the name of the vendor. */
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
    if (known === undefined) return { reason: `There is no provider for "${vendorName}/". ${elsewhere}` };
    const params = { ...credentials.get(textOf(written['litellm_credential_name']) ?? ''), ...written };
    const held: (readonly [from: ConfigPath, text: string])[] = [];
    const hold: Note = (from, text) => void held.push([from, text]);
    const base = params['api_base'] ?? params['base_url'];
    const address = resolveAddress(base, known, (url) =>
      holdsSecret(url)
        ? variables.requiredSecret(url, [...at, 'api_base'], `${upperCase(vendorName)}_API_BASE`, hold, PLACEHOLDER_URL)
        : variables.value(url, PLACEHOLDER_URL),
    );
    if (address !== undefined && !isAddress(address))
      return { reason: 'Its api_base is not a valid http:// or https:// address. Correct it.' };
    const isOwn = vendorName === 'openai' && address !== undefined && !isOpenAi(address);
    const use = isOwn ? 'openai-compatible' : known.use;
    if (use === 'openai-compatible' && address === undefined)
      return { reason: 'It has no api_base, so its address is unknown. Set one.' };
    // LiteLLM reads a missing key from the variable of the vendor. A self-hosted server must not get the key of a
    // vendor.
    const keyFallback = known.key === undefined || isOwn ? undefined : `os.environ/${known.key}`;
    const isPlaceholder = use === 'openai-compatible' && PLACEHOLDER.test(textOf(params['api_key']) ?? '');
    if (isPlaceholder) hold([...at, 'api_key'], 'This is a placeholder, so no key is sent.');
    const apiKey = isPlaceholder
      ? undefined
      : variables.secret(
          params['api_key'] ?? keyFallback,
          [...at, 'api_key'],
          isOwn ? 'LOCAL_API_KEY' : variableOf(vendorName, known),
          hold,
        );
    const headers = readHeaders(readObject(params['extra_headers']), [...at, 'extra_headers'], hold);
    const isNamed = address !== undefined && !(vendorName === 'openai' && isOpenAi(address));
    if (use !== 'openai-compatible' && Object.keys(headers).length > 0)
      hold([...at, 'extra_headers'], `The provider ${use} cannot send custom headers. They are left out.`);
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
