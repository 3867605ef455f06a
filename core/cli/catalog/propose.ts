import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { Operation, WireName } from '../../canonical/wire.ts';
import { findFamily } from '../../catalog/capabilities.ts';
import { describePrice, type DescribedPrice } from '../../catalog/describe-price.ts';
import { listTargetPrices, priceAt } from '../../catalog/target-prices.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { OfferedModel } from '../../contracts/extension.ts';
import { compareOffer } from '../../diagnostics/vendors/compare-offer.ts';
import { listTargets } from '../../diagnostics/vendors/open-vendor.ts';

/** An entry for `models`, as it is written in the file. */
export interface ProposedEntry {
  readonly targets: readonly { readonly provider: string; readonly model: string }[];
  readonly wires?: readonly WireName[];
  /** What the vendor's list says and the provider does not ship. */
  readonly capabilities?: { readonly contextTokens?: number; readonly maxOutput?: number };
}

export interface ProposedModel {
  readonly model: string;
  readonly price: DescribedPrice | 'unknown';
  readonly entry: ProposedEntry;
  readonly ends?: string;
}

/** A name at the vendor that is in targets. */
export interface UsedName {
  readonly name: string;
  /** The models of the configuration with such a target. */
  readonly models: readonly string[];
  readonly ends?: string;
}

export interface Proposal {
  readonly provider: string;
  /** How many models the vendor lists. */
  readonly listed: number;
  readonly new: readonly ProposedModel[];
  readonly gone: readonly UsedName[];
  readonly ending: readonly UsedName[];
  /** Models of wildcards for which no price is known. */
  readonly unpriced: readonly string[];
  /** Versions with a date, and models for which the gateway has no operation. */
  readonly dated: readonly string[];
  readonly others: readonly string[];
}

const priceOf = ({ config, extensions }: LoadedConfig, provider: string, model: string): ProposedModel['price'] => {
  const shipped = extensions.providers[provider]?.definition.prices ?? [];
  const prices = listTargetPrices({
    target: { model },
    shipped,
    provider: config.providers[provider],
    model: undefined,
  });
  const price = priceAt(prices, Date.now());
  return price === undefined ? 'unknown' : describePrice(price);
};

/** The client wires of an operation. */
const wiresFor = ({ registry }: LoadedConfig, operation: Operation): readonly WireName[] =>
  registry.codecs
    .filter((codec) => codec.operation === operation && codec.client !== undefined)
    .map(({ wire }) => wire);

/** As in the other entries of the provider: whether its models are on a wire that is not open by default. */
const findWires = (loaded: LoadedConfig, provider: string): readonly WireName[] | undefined => {
  const generating = new Set(wiresFor(loaded, 'generate'));
  return Object.values(loaded.config.models).find(
    ({ targets, wires }) =>
      targets[0]?.provider === provider && (wires === undefined || wires.some((wire) => generating.has(wire))),
  )?.wires;
};

const propose = (loaded: LoadedConfig, provider: string, offered: OfferedModel): ProposedModel => {
  const { name, operations = ['generate'], contextTokens, maxOutput, ends } = offered;
  const known = findFamily(loaded.extensions.providers[provider]?.definition.models ?? [], name);
  const capabilities = omitUndefined({
    contextTokens: known.contextTokens === undefined ? contextTokens : undefined,
    maxOutput: known.maxOutput === undefined ? maxOutput : undefined,
  });
  const wires = operations.includes('generate')
    ? findWires(loaded, provider)
    : operations.flatMap((operation) => wiresFor(loaded, operation));
  return omitUndefined({
    model: `${provider}/${name}`,
    price: priceOf(loaded, provider, name),
    entry: omitUndefined({
      targets: [{ provider, model: name }],
      wires,
      capabilities: Object.keys(capabilities).length === 0 ? undefined : capabilities,
    }),
    ends,
  });
};

const listUses = ({ config }: LoadedConfig, provider: string, name: string): readonly string[] =>
  Object.entries(config.models)
    .filter(([, { targets }]) => targets.some((target) => target.provider === provider && target.model === name))
    .map(([id]) => id);

/** The vendor's list against the configuration. @param all also proposes versions with a date */
export function createProposal(
  loaded: LoadedConfig,
  provider: string,
  models: readonly OfferedModel[],
  all: boolean,
): Proposal {
  const { fresh, covered, dated, others, gone, ending } = compareOffer(models, listTargets(loaded, provider));
  const taken = new Set(Object.keys(loaded.config.models));
  const added = all ? models.filter(({ name }) => dated.includes(name)) : [];
  return {
    provider,
    listed: models.length,
    new: [...fresh, ...added]
      .filter(({ name }) => !taken.has(`${provider}/${name}`))
      .map((model) => propose(loaded, provider, model)),
    gone: gone.map((name) => ({ name, models: listUses(loaded, provider, name) })),
    ending: ending.map(({ name, ends }) => ({ name, ends, models: listUses(loaded, provider, name) })),
    unpriced: covered.map(({ name }) => name).filter((name) => priceOf(loaded, provider, name) === 'unknown'),
    dated: all ? [] : dated,
    others,
  };
}
