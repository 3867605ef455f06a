import type { JsonObject } from '../../core/api/index.ts';
import { isObject, omitUndefined } from '../../core/api/codec.ts';
import type { ConfigPath, ImportHelp } from '../../core/api/internal.ts';
import { holdsSecret, isAddress, isOpenAi, resolveAddress } from './address.ts';
import { freeName, plainName, variableName } from './names.ts';
import type { Note, Notes } from './notes.ts';
import { textOf } from './read.ts';
import { PLACEHOLDER_URL, type Variables } from './variables.ts';
import { vendors, type Vendor } from './vendors.ts';

/** A value of the source, and its position. */
export interface Located {
  readonly value: unknown;
  readonly at: ConfigPath;
}

/** The API that requests are sent to, as a source describes it. */
export interface Endpoint {
  /** One of {@link vendors}. */
  readonly vendor: string;
  /** The preferred name of the provider; absent: that of the vendor. */
  readonly name?: string;
  /** Without a value, the key of the vendor is read from its usual variable. */
  readonly apiKeys: readonly Located[];
  /** The variable for a key; absent: the usual one of the vendor. */
  readonly keyVariable?: string;
  readonly address: Located;
  /** What an address of the source lacks; absent: the usual suffix of the vendor. */
  readonly suffix?: string;
  /** The variable for an address that is not given; absent: the usual one of the vendor. */
  readonly addressVariable?: string;
  readonly headers?: Located;
  readonly organization?: unknown;
  readonly project?: unknown;
  /** Settings of the vendor alone, by their names here. */
  readonly settings?: Readonly<Record<string, Located>>;
  readonly timeouts?: JsonObject;
}

/** Collects the `providers` of a source, each once. */
export interface Providers {
  /** @returns the name of the provider, or the reason why there is none */
  find(endpoint: Endpoint): { readonly name: string; readonly use: string } | { readonly reason: string };
  readonly settings: Readonly<Record<string, JsonObject>>;
}

export const elsewhere =
  'Write a provider (providers/README.md), or use a gateway that offers its API in an OpenAI wire (use: ' +
  'openai-compatible).';

/** Dummy keys, for client libraries that require a key which the server ignores. */
export const DUMMY_KEY = new RegExp(
  String.raw`^(?:none|null|empty|dummy|fake|anything|not-?needed|no-?key|x+` +
    String.raw`|(?:fake|dummy)[-_ ]?(?:api[-_ ]?)?key|ollama|lm-studio|sk-1234)$`,
  'i',
);

const memberOf = ({ at }: Located): string => String(at.at(-1));

const hasMembers = (section: object): boolean => Object.keys(section).length > 0;

/** Notes about a provider, which are reported when its name is known. */
type HeldNote = readonly [report: Note, from: ConfigPath, text: string];

/** Settings without which requests go elsewhere. */
const PLACES: ReadonlySet<string | number> = new Set(['region', 'location', 'project', 'organization', 'baseUrl']);

/** One half of an access key of AWS, if the other one is missing. */
const findHalf = ({ accessKeyId, secretAccessKey }: NonNullable<Endpoint['settings']>): Located | undefined => {
  const [id, secret] = [textOf(accessKeyId?.value), textOf(secretAccessKey?.value)];
  return id === undefined
    ? secret === undefined
      ? undefined
      : secretAccessKey
    : secret === undefined
      ? accessKeyId
      : undefined;
};

class ProviderCollection implements Providers {
  readonly settings: Record<string, JsonObject> = {};
  readonly #names = new Map<string, string>();
  readonly #variables: Variables;
  readonly #help: Pick<ImportHelp, 'refused'>;
  readonly #notes: Pick<Notes, 'note' | 'fail'>;

  constructor(variables: Variables, help: Pick<ImportHelp, 'refused'>, notes: Pick<Notes, 'note' | 'fail'>) {
    this.#variables = variables;
    this.#help = help;
    this.#notes = notes;
  }

  find(endpoint: Endpoint): ReturnType<Providers['find']> {
    const vendor = Object.hasOwn(vendors, endpoint.vendor) ? vendors[endpoint.vendor] : undefined;
    if (vendor === undefined) return { reason: `There is no provider for "${endpoint.vendor}/". ${elsewhere}` };
    const held: HeldNote[] = [];
    const { note, fail } = this.#notes;
    const hold: Note = (from, text) => void held.push([note, from, text]);
    const holdError: Note = (from, text) => void held.push([fail, from, text]);
    const address = this.#readAddress(endpoint, vendor, hold);
    const member = memberOf(endpoint.address);
    if (address !== undefined && !isAddress(address))
      return { reason: `Its ${member} is not a valid http:// or https:// address. Correct it.` };
    const isSelfHosted = endpoint.vendor === 'openai' && address !== undefined && !isOpenAi(address);
    const use = isSelfHosted ? 'openai-compatible' : vendor.use;
    if (use === 'openai-compatible' && address === undefined)
      return { reason: `It has no ${member}, so its address is unknown. Set one.` };
    const settings = this.#readSettings(endpoint, hold);
    // A provider has either of them, and files of other gateways often have a key that means nothing.
    const keys = 'credentials' in settings ? [] : this.#readKeys(endpoint, { vendor, isSelfHosted }, hold);
    const hasAddress = address !== undefined && !(endpoint.vendor === 'openai' && isOpenAi(address));
    const config = this.#dropRefused(use, endpoint, [hold, holdError], {
      baseUrl: hasAddress ? address : undefined,
      ...(keys.length > 1 ? { apiKeys: keys } : { apiKey: keys[0] }),
      organization: use === 'openai' ? this.#variables.value(endpoint.organization, 'stand-in') : undefined,
      project: use === 'openai' ? this.#variables.value(endpoint.project, 'stand-in') : undefined,
      ...settings,
      headers: this.#readHeaders(endpoint, use, isSelfHosted || vendor.isCompatible === true, hold),
    });
    const { timeouts } = endpoint;
    const name = this.#nameFor(
      plainName(endpoint.name ?? (isSelfHosted ? 'local' : use === 'google' ? 'google' : endpoint.vendor)),
      omitUndefined({ use, config: hasMembers(config) ? config : undefined, timeouts }),
    );
    for (const [report, from, text] of held) report(from, text, ['providers', name]);
    return { name, use };
  }

  /** Leaves out what `koine check` would refuse, since the rest of the file would not load because of it. */
  #dropRefused(
    use: string,
    { settings, headers, address }: Endpoint,
    [note, fail]: readonly [note: Note, fail: Note],
    given: JsonObject,
  ): JsonObject {
    const config = omitUndefined(given);
    for (const [member = '', name] of this.#help.refused(use, config)) {
      const { at } = settings?.[member] ?? (member === 'headers' && headers !== undefined ? headers : address);
      const within = config[member];
      if (name === undefined || !isObject(within)) Reflect.deleteProperty(config, member);
      else Reflect.deleteProperty(within, name);
      const report = PLACES.has(member) ? fail : note;
      report(at, `The value for ${[member, name ?? []].flat().join('.').slice(0, 100)} is not valid, and is left out.`);
    }
    return config;
  }

  /** The name of a provider with these settings, which is added unless there is one. */
  #nameFor(preferred: string, provider: JsonObject): string {
    const identity = JSON.stringify(provider);
    const known = this.#names.get(identity);
    if (known !== undefined) return known;
    const name = freeName(preferred, (taken) => Object.hasOwn(this.settings, taken));
    this.#names.set(identity, name);
    this.settings[name] = provider;
    return name;
  }

  #readAddress(
    { vendor: name, address: { value, at }, addressVariable, suffix }: Endpoint,
    vendor: Vendor,
    note: Note,
  ): string | undefined {
    const variable = `${variableName(name)}_API_BASE`;
    const given = holdsSecret(value)
      ? this.#variables.requiredSecret(value, at, variable, note, PLACEHOLDER_URL)
      : this.#variables.value(value, PLACEHOLDER_URL);
    const written = given === undefined || suffix === undefined ? vendor : { ...vendor, suffix };
    return resolveAddress(given, written, (base) => this.#variables.require(addressVariable ?? base, PLACEHOLDER_URL));
  }

  /** A self-hosted server must not get the key of a vendor. */
  #readKeys(
    { vendor: name, apiKeys, keyVariable }: Endpoint,
    { vendor, isSelfHosted }: { readonly vendor: Vendor; readonly isSelfHosted: boolean },
    note: Note,
  ): readonly string[] {
    const usual = isSelfHosted ? 'LOCAL_API_KEY' : (vendor.key ?? `${variableName(name)}_API_KEY`);
    return apiKeys.flatMap(({ value, at }) => {
      if ((vendor.isCompatible === true || isSelfHosted) && DUMMY_KEY.test(textOf(value) ?? '')) {
        note(at, 'This is a placeholder, so no key is sent.');
        return [];
      }
      const given = this.#variables.secret(value, at, keyVariable ?? usual, note);
      if (given !== undefined) return [given];
      if (keyVariable !== undefined) return [this.#variables.optional(keyVariable)];
      return vendor.key === undefined || isSelfHosted ? [] : [this.#variables.optional(vendor.key)];
    });
  }

  #readSettings({ settings = {} }: Endpoint, note: Note): JsonObject {
    const half = findHalf(settings);
    if (half !== undefined)
      note(half.at, 'An access key has an id and a secret, and one of them is missing. The other one is left out.');
    return Object.fromEntries(
      Object.entries(settings).flatMap(([name, located]) => {
        const { value, at } = located;
        if (located === half) return [];
        // Credentials are the name of a file, or its content.
        const isFile = name === 'credentials' && /^[^{]*\.json$/.test(textOf(value) ?? '');
        const isSecret = /key|token|credentials/i.test(name) && !isFile;
        const text = isSecret
          ? this.#variables.secret(value, at, memberOf({ value, at }).toUpperCase(), note)
          : this.#variables.value(value, name === 'baseUrl' ? PLACEHOLDER_URL : 'stand-in');
        return text === undefined ? [] : [[name, text] as const];
      }),
    );
  }

  #readHeaders({ headers }: Endpoint, use: string, isCompatible: boolean, note: Note): JsonObject | undefined {
    if (headers === undefined || typeof headers.value !== 'object' || headers.value === null) return undefined;
    const { value: given, at } = headers;
    if (!hasMembers(given)) return undefined;
    if (!isCompatible) {
      note(at, `The provider ${use} cannot send custom headers. They are left out.`);
      return undefined;
    }
    const written = Object.entries(given).flatMap(([name, value]) => {
      const text = /key|token|auth|secret|password|credential|cookie/i.test(name)
        ? this.#variables.secret(value, [...at, name], variableName(name), note)
        : this.#variables.value(value, 'stand-in');
      return text === undefined ? [] : [[name, text] as const];
    });
    return written.length === 0 ? undefined : Object.fromEntries(written);
  }
}

export function createProviders(
  variables: Variables,
  help: Pick<ImportHelp, 'refused'>,
  notes: Pick<Notes, 'note' | 'fail'>,
): Providers {
  return new ProviderCollection(variables, help, notes);
}
