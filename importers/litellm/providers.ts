import { omitUndefined, readObject, readList, isObject, type JsonObject, type ConfigPath } from '../../core/index.ts';
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
const DUMMY_KEY = new RegExp(
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

/** Notes about a provider, which are reported when its name is known. */
type HeldNote = readonly [from: ConfigPath, text: string];

class ProviderCollection implements Providers {
  readonly settings: Record<string, JsonObject> = {};
  readonly #names = new Map<string, string>();
  readonly #variables: Variables;
  readonly #note: Note;
  readonly #credentials: ReadonlyMap<string, JsonObject>;

  constructor({ variables, note, credentials }: Parts) {
    this.#variables = variables;
    this.#note = note;
    this.#credentials = credentials;
  }

  find(vendorName: string, written: JsonObject, at: ConfigPath): ReturnType<Providers['find']> {
    const vendor = Object.hasOwn(vendors, vendorName) ? vendors[vendorName] : undefined;
    if (vendor === undefined) return { reason: `There is no provider for "${vendorName}/". ${elsewhere}` };
    const params = { ...this.#credentials.get(textOf(written['litellm_credential_name']) ?? ''), ...written };
    const held: HeldNote[] = [];
    const hold: Note = (from, text) => void held.push([from, text]);
    const address = this.#readAddress(vendorName, vendor, params, at, hold);
    if (address !== undefined && !isAddress(address))
      return { reason: 'Its api_base is not a valid http:// or https:// address. Correct it.' };
    const isSelfHosted = vendorName === 'openai' && address !== undefined && !isOpenAi(address);
    const use = isSelfHosted ? 'openai-compatible' : vendor.use;
    if (use === 'openai-compatible' && address === undefined)
      return { reason: 'It has no api_base, so its address is unknown. Set one.' };
    // LiteLLM reads a missing key from the variable of the vendor. A self-hosted server must not get the key of a
    // vendor.
    const fallback = vendor.key === undefined || isSelfHosted ? undefined : `os.environ/${vendor.key}`;
    const variable = isSelfHosted ? 'LOCAL_API_KEY' : variableOf(vendorName, vendor);
    const isDummy = use === 'openai-compatible' && DUMMY_KEY.test(textOf(params['api_key']) ?? '');
    if (isDummy) hold([...at, 'api_key'], 'This is a placeholder, so no key is sent.');
    const apiKey = isDummy
      ? undefined
      : this.#variables.secret(params['api_key'] ?? fallback, [...at, 'api_key'], variable, hold);
    const headers = this.#readHeaders(readObject(params['extra_headers']), [...at, 'extra_headers'], hold);
    const hasHeaders = Object.keys(headers).length > 0;
    if (use !== 'openai-compatible' && hasHeaders)
      hold([...at, 'extra_headers'], `The provider ${use} cannot send custom headers. They are left out.`);
    const hasAddress = address !== undefined && !(vendorName === 'openai' && isOpenAi(address));
    const config = omitUndefined({
      baseUrl: hasAddress ? address : undefined,
      apiKey,
      organization: use === 'openai' ? this.#variables.value(params['organization'], 'stand-in') : undefined,
      headers: use === 'openai-compatible' && hasHeaders ? headers : undefined,
    });
    const preferred = isSelfHosted ? 'local' : use === 'google' ? 'google' : vendorName;
    const name = this.#nameFor(preferred, { use, ...(Object.keys(config).length === 0 ? {} : { config }) });
    for (const [from, text] of held) this.#note(from, text, ['providers', name]);
    return { name, use };
  }

  /** The name of a provider with these settings, which is added unless there is one. */
  #nameFor(preferred: string, provider: JsonObject): string {
    const identity = JSON.stringify(provider);
    const known = this.#names.get(identity);
    if (known !== undefined) return known;
    let name = preferred;
    for (let number = 2; name in this.settings; number += 1) name = `${preferred}-${number}`;
    this.#names.set(identity, name);
    this.settings[name] = provider;
    return name;
  }

  #readAddress(vendorName: string, vendor: Vendor, params: JsonObject, at: ConfigPath, note: Note): string | undefined {
    const variable = `${upperCase(vendorName)}_API_BASE`;
    return resolveAddress(params['api_base'] ?? params['base_url'], vendor, (url) =>
      holdsSecret(url)
        ? this.#variables.requiredSecret(url, [...at, 'api_base'], variable, note, PLACEHOLDER_URL)
        : this.#variables.value(url, PLACEHOLDER_URL),
    );
  }

  #readHeaders(headers: JsonObject, at: ConfigPath, note: Note): JsonObject {
    return Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) => {
        const text = /key|token|auth|secret|password|credential|cookie/i.test(name)
          ? this.#variables.secret(value, [...at, name], upperCase(name), note)
          : this.#variables.value(value, 'stand-in');
        return text === undefined ? [] : [[name, text]];
      }),
    );
  }
}

export function createProviders(parts: Parts): Providers {
  return new ProviderCollection(parts);
}
