import { excerpt } from '../canonical/text/redact.ts';
import { operations } from '../canonical/operation/operations.ts';
import type { ImageKind, UsageUnit } from '../canonical/usage.ts';
import type { Operation, WireName } from '../canonical/wire.ts';
import { priceImageAtMost } from '../catalog/price-images.ts';
import { hasTokenRates } from '../catalog/price-usage.ts';
import { allowsModel } from '../catalog/model-pattern.ts';
import type { Catalog, Model } from '../catalog/catalog.ts';
import type { Caller } from '../contracts/caller.ts';
import type { Price } from '../contracts/price.ts';
import type { Tenancy } from '../contracts/services.ts';
import { toDollars } from '../config/write/write-price.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { findCostLimit, type CostLimit } from './request/tool-rules.ts';

/**
 * The model that the client named, with aliases resolved. The key's allow-list is checked with the resolved id.
 * @throws GatewayError `model_not_found`, the same for unknown and forbidden models, so that names cannot be probed
 */
export function selectModel(catalog: Catalog, name: string, caller: Caller, wire: WireName): Model {
  const model = catalog.find(name);
  if (model === undefined || !allowsModel(caller.models, model.id)) {
    throw new GatewayError(
      'model_not_found',
      `The model '${excerpt(name, 128)}' does not exist or this key may not use it. ` +
        'GET /v1/models lists what it may use.',
      { param: 'model' },
    );
  }
  if (!model.serves(wire)) {
    throw new GatewayError(
      'model_not_found',
      `The model '${model.id}' is not offered on the wire '${wire}', only on ${model.entry.wires.join(', ')}. ` +
        'Use one of these, or have the operator add the wire to ' +
        `models.${model.id}.wires in the configuration of the gateway.`,
      { param: 'model', status: 400 },
    );
  }
  return model;
}

/** By the targets of a model: plugins keep what they know of a list of targets by the list. */
const pricedOf = new WeakMap<Model['targets'], Model['targets']>();

/** A price of an operation that is billed by a unit has a figure for it, or for tokens. */
const pricesUnit = (price: Price, unit: UsageUnit, image: ImageKind | undefined): boolean => {
  const images = unit === 'images' ? price.units?.images : undefined;
  if (typeof images === 'object') return priceImageAtMost(images, image) !== undefined;
  return price.units?.[unit] !== undefined || hasTokenRates(price);
};

/** The size and quality of the images of a request, whose words come from the client. */
const describeKind = ({ size, quality }: ImageKind = {}): string => {
  const words = [
    ...(size === undefined ? [] : [`size '${excerpt(size, 32)}'`]),
    ...(quality === undefined ? [] : [`quality '${excerpt(quality, 32)}'`]),
  ];
  return words.length === 0 ? '' : ` of ${words.join(' and ')}`;
};

const unpriced = (
  model: string,
  { scope, path, limit: { amount, per } }: CostLimit,
  unit: UsageUnit | undefined,
  image: ImageKind | undefined,
): GatewayError => {
  const what = unit === undefined ? '' : ` of ${unit}${describeKind(image)} (units.${unit})`;
  return new GatewayError(
    'permission_denied',
    `The model '${model}' cannot be used: it has no price${what}, ` +
      `and the ${scope} ${path.join('/')} has a limit of cost ` +
      `(USD ${toDollars(BigInt(amount))} per ${per}). Use a model with a price, or have the operator set ` +
      `models.${model}.price, or models.${model}.unpriced: allow, with which it is used although it has none.`,
    { param: 'model' },
  );
};

/**
 * The targets that a request can use. Under a limit of cost these are the ones with a price, because a limit cannot
 * reserve what is not known; a model whose own `unpriced` is `allow` keeps them all. A cost that a vendor reports is
 * known only after the call, so it is no price here.
 * @param image its size and quality, which its price can depend on
 * @throws GatewayError `permission_denied` that names the model, the limit and the settings, if none is left
 */
export function listPricedTargets(
  { scopes }: Tenancy,
  caller: Caller,
  model: Model,
  operation: Operation = 'generate',
  image?: ImageKind,
): Model['targets'] {
  const { id, targets, allowsUnpriced } = model;
  if (allowsUnpriced) return targets;
  // The unit in which calls of the operation can be billed as a whole.
  const unit = operation === 'generate' ? undefined : operations[operation].units?.[0];
  let arePriced = true;
  for (const { price } of targets)
    if (price === undefined || (unit !== undefined && !pricesUnit(price, unit, image))) arePriced = false;
  if (arePriced) return targets;
  const limit = findCostLimit(scopes(caller), id);
  if (limit === undefined) return targets;
  const priced = targets.filter(
    ({ price }) => price !== undefined && (unit === undefined || pricesUnit(price, unit, image)),
  );
  if (priced.length === 0) {
    const isWithout = targets.every(({ price }) => price === undefined);
    throw unpriced(id, limit, isWithout ? undefined : unit, image);
  }
  const known = pricedOf.get(targets);
  if (known?.length === priced.length && priced.every((target, index) => target === known[index])) return known;
  pricedOf.set(targets, priced);
  return priced;
}
