import { describeRates, toDollars } from '../../catalog/describe-price.ts';
import { priceUsage } from '../../catalog/price-usage.ts';
import type { Estimate, Exchange, Target } from '../../contracts/exchange.ts';
import type { Price } from '../../contracts/price.ts';
import { chooseWire } from '../../dispatch/choose-wire.ts';
import { toGatewayError } from '../../errors.ts';

const estimateCost = (price: Price, { inputTokens, outputTokens }: Estimate): number =>
  toDollars(priceUsage(price, { inputUncached: inputTokens, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: outputTokens, reasoning: 0, source: 'estimated' }));

const describeWire = (exchange: Exchange, target: Target): { readonly wire?: string; readonly skipped?: string } => {
  try {
    const wire = chooseWire(exchange, target);
    const isSpoken = target.endpoint.speaks.some((speech) => speech.operation === exchange.operation && speech.wire === wire);
    return isSpoken ? { wire } : { wire, skipped: `${target.provider} does not speak ${wire} for this` };
  } catch (thrown) {
    return { skipped: toGatewayError(thrown).message };
  }
};

/** A target as the exchange would find it: `skipped` says why it would not be called. Prices in USD per million tokens, costs in USD. */
export const describeTarget = (exchange: Exchange, target: Target): object => {
  const { id, price, unavailable } = target;
  return {
    target: id,
    ...describeWire(exchange, target),
    ...(unavailable === undefined ? {} : { skipped: unavailable }),
    ...(price === undefined ? { price: 'unknown' } : { price: describeRates(price), estimatedCost: estimateCost(price, exchange.estimate) }),
  };
};
