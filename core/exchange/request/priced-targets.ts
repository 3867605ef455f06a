import type { Model } from '../../catalog/catalog.ts';
import { toDollars } from '../../config/write/write-price.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Target } from '../../contracts/exchange.ts';
import type { Tenancy } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { findCostLimit, type CostLimit } from './tool-rules.ts';

/** By the targets of a model: plugins keep what they know of a list of targets by the list. */
const pricedOf = new WeakMap<Model['targets'], Model['targets']>();

const lacksPrice = ({ price }: Target): boolean => price === undefined;
const hasPrice = ({ price }: Target): boolean => price !== undefined;

const unpriced = (model: string, { scope, path, limit: { amount, per } }: CostLimit): GatewayError =>
  new GatewayError(
    'permission_denied',
    `The model '${model}' cannot be used: it has no price, and the ${scope} ${path.join('/')} has a limit of cost ` +
      `(USD ${toDollars(BigInt(amount))} per ${per}). Use a model with a price, or have the operator set ` +
      `models.${model}.price, or models.${model}.unpriced: allow, with which it is used although it has none.`,
    { param: 'model' },
  );

/**
 * The targets that a request can use. Under a limit of cost these are the ones with a price, because a limit cannot
 * reserve what is not known; a model whose own `unpriced` is `allow` keeps them all. A cost that a vendor reports is
 * known only after the call, so it is no price here.
 * @throws GatewayError `permission_denied` that names the model, the limit and the settings, if none is left
 */
export function listPricedTargets({ scopes }: Tenancy, caller: Caller, model: Model): Model['targets'] {
  const { id, targets, allowsUnpriced } = model;
  if (allowsUnpriced || !targets.some(lacksPrice)) return targets;
  const limit = findCostLimit(scopes(caller), id);
  if (limit === undefined) return targets;
  const priced = targets.filter(hasPrice);
  if (priced.length === 0) throw unpriced(id, limit);
  const known = pricedOf.get(targets);
  if (known?.length === priced.length && priced.every((target, index) => target === known[index])) return known;
  pricedOf.set(targets, priced);
  return priced;
}
