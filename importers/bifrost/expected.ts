import type { JsonObject } from '../../core/api/index.ts';
import { isObject, readList, readObject } from '../../core/api/codec.ts';
import type { Destination, Expectation } from '../../core/api/internal.ts';
import { ANY_MODEL, listDestinations } from '../shared/destinations.ts';
import { createNotes } from '../shared/notes.ts';
import { textOf } from '../shared/read.ts';
import type { Variables } from '../shared/variables.ts';
import { vendors } from '../shared/vendors.ts';
import { withoutProvider } from './access.ts';
import { describeEndpoint, modelAt, readKeys, vendorOf } from './backends.ts';
import type { VendorKey } from './keys.ts';
import type { PlacedKey } from './owners.ts';
import { namesOf } from './pinned.ts';
import type { Rule, RuleTarget } from './rules.ts';

interface Provider {
  readonly entry: JsonObject;
  readonly keys: readonly VendorKey[];
}

interface Parts {
  readonly variables: Variables;
  readonly isOld: boolean;
  readonly rules: readonly Rule[];
  /** Names of models that other sections use, by provider. */
  readonly mentioned: ReadonlyMap<string, ReadonlySet<string>>;
  /** The virtual keys. */
  readonly keys: readonly PlacedKey[];
}

/** Whether a virtual key may use a key of a provider for a model. */
type Allows = (provider: string, model: string, key: VendorKey) => boolean;

const allowsConfig = (config: JsonObject, model: string, key: VendorKey, isOld: boolean): boolean => {
  const provider = textOf(config['provider']) ?? '';
  const models = readList(config['allowed_models']).flatMap((name) => textOf(name) ?? []);
  const pins = readList(config['key_ids'] ?? config['keys']).flatMap(namesOf);
  const isAll = models.includes('*') || (models.length === 0 && (isOld || config['allowed_models'] === undefined));
  return (
    (isAll || models.some((name) => withoutProvider(name, provider) === model)) &&
    (pins.length === 0 || pins.includes('*') || pins.some((pin) => key.names.includes(pin)))
  );
};

const allowsOf =
  (written: JsonObject, isOld: boolean): Allows =>
  (provider, model, key) => {
    const configs = readList(written['provider_configs']).filter(isObject);
    if (written['is_active'] === false) return false;
    if (configs.length === 0) return isOld;
    return configs.some((config) => config['provider'] === provider && allowsConfig(config, model, key, isOld));
  };

class Source {
  readonly #providers: ReadonlyMap<string, Provider>;
  readonly #parts: Parts;

  constructor(source: JsonObject, parts: Parts) {
    this.#parts = parts;
    this.#providers = new Map(
      Object.entries(readObject(source['providers'])).flatMap(([name, entry]) =>
        isObject(entry) ? [[name, this.#readProvider(name, entry)] as const] : [],
      ),
    );
  }

  #readProvider(name: string, entry: JsonObject): Provider {
    const vendor = vendorOf({ name, entry });
    const use = (Object.hasOwn(vendors, vendor) ? vendors[vendor]?.use : undefined) ?? '';
    return { entry, keys: readKeys(entry, [], { notes: createNotes(() => ''), isOld: this.#parts.isOld, use }) };
  }

  /** The names of models of each provider. */
  *names(): Iterable<readonly [provider: string, model: string]> {
    for (const [provider, { keys }] of this.#providers) {
      const listed = keys.flatMap(({ models = [], aliases }) => [...models, ...Object.keys(aliases)]);
      const any = keys.some(({ models }) => models === undefined) ? [ANY_MODEL] : [];
      const ruled = this.#parts.rules
        .map(({ model }) => model)
        .filter((model) => keys.some((key) => modelAt({ key }, model) !== undefined));
      const names = new Set([...listed, ...(this.#parts.mentioned.get(provider) ?? []), ...ruled, ...any]);
      for (const name of names) yield [provider, name];
    }
  }

  /** Where a request for a model of a provider is sent: as a rule says, or to the keys of the provider. */
  destinationsOf(provider: string, model: string, allows: Allows): readonly Destination[] {
    const { targets, fallbacks } = this.#parts.rules.find((rule) => rule.model === model) ?? {
      targets: [{ weight: 1 }],
      fallbacks: [],
    };
    const mayUse = (key: VendorKey): boolean => allows(provider, model, key);
    const keys = this.#providers.get(provider)?.keys ?? [];
    const isAllowed = keys.some(mayUse);
    return isAllowed
      ? [...targets, ...fallbacks].flatMap((target: RuleTarget) => {
          const isSame = (target.provider ?? provider) === provider && (target.model ?? model) === model;
          return this.#targetsAt({ provider, model, ...target }, isSame ? mayUse : () => true);
        })
      : [];
  }

  #targetsAt(
    { provider = '', model = '', keyId }: RuleTarget,
    mayUse: (key: VendorKey) => boolean,
  ): readonly Destination[] {
    const { entry = {}, keys = [] } = this.#providers.get(provider) ?? {};
    const written = { name: provider, entry, at: [] };
    return keys.flatMap((key) => {
      const served = modelAt({ key }, model);
      const isUsed = mayUse(key) && (keyId === undefined || key.names.includes(keyId));
      if (served === undefined || !isUsed) return [];
      return listDestinations(describeEndpoint(written, [key], vendorOf(written)), served, this.#parts.variables);
    });
  }
}

/** Names of models as clients write them, with and without a provider, for each virtual key. */
export function readExpected(given: JsonObject, parts: Parts): readonly Expectation[] {
  const source = new Source(given, parts);
  const names = [...source.names()];
  const byModel = Map.groupBy(
    names.filter(([, model]) => model !== ANY_MODEL),
    ([, model]) => model,
  );
  const expect = (allows: Allows, key?: Pick<Expectation, 'key'>): readonly Expectation[] => [
    ...names.map(([provider, model]) => ({
      name: `${provider}/${model}`,
      destinations: source.destinationsOf(provider, model, allows),
      ...key,
    })),
    ...[...byModel].map(([name, models]) => ({
      name,
      destinations: models.flatMap(([provider]) => source.destinationsOf(provider, name, allows)),
      ...key,
    })),
  ];
  return parts.keys.length === 0
    ? expect(() => true)
    : parts.keys.flatMap(({ key, place }) => expect(allowsOf(key, parts.isOld), { key: place }));
}
