import { describeRates, toDollars } from '../../catalog/describe-price.ts';
import { priceUsage } from '../../catalog/price-usage.ts';
import type { Estimate, Exchange, Target } from '../../contracts/exchange.ts';
import type { Standing } from '../../contracts/plugin.ts';
import type { Price } from '../../contracts/price.ts';
import type { Obstacle } from '../../lanes/native/plan.ts';
import { describeRequest } from './describe-request.ts';
import type { ExplainedTarget } from './explanation.ts';
import type { Rehearsal, Rehearse } from './rehearse.ts';

const estimateCost = (price: Price, { inputTokens, outputTokens }: Estimate): number =>
  toDollars(
    priceUsage(price, {
      inputUncached: inputTokens,
      cacheRead: 0,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      output: outputTokens,
      reasoning: 0,
      source: 'estimated',
    }),
  );

/** Vendors count tokens for nothing. */
const describeCost = (
  { operation, estimate }: Exchange,
  { price }: Target,
): Pick<ExplainedTarget, 'price' | 'estimatedCost'> => {
  if (price === undefined) return { price: 'unknown' };
  return {
    price: { ...describeRates(price) },
    ...(operation === 'count-tokens' ? {} : { estimatedCost: estimateCost(price, estimate) }),
  };
};

const obstacles: Readonly<Record<Exclude<Obstacle, 'other-wire'>, string>> = {
  'changed-request': 'the request was changed on its way',
  'plugin-fits': 'a plugin bends requests to this target',
  'several-calls': 'several answers are wanted, and the target gives one per call',
  'no-plan': "what the request asks for cannot be done to the client's own bytes",
};
const describeLane = (
  { route }: Exchange,
  { wire = '', lane, obstacle }: Rehearsal,
): Pick<ExplainedTarget, 'wire' | 'lane' | 'why'> => {
  const spoken = wire === '' ? {} : { wire };
  if (lane === undefined) return spoken;
  if (obstacle === undefined) return { ...spoken, lane, why: `client and target speak ${wire}` };
  return {
    ...spoken,
    lane,
    why: obstacle === 'other-wire' ? `the client speaks ${route.wire}, the target ${wire}` : obstacles[obstacle],
  };
};

const describeStanding = ({ target: _target, ...standing }: Standing): Omit<Standing, 'target'> => standing;
const describeRest = ({ credential, reason = 'it rests', until }: Standing): string =>
  `${credential}: ${reason}${until === undefined ? '' : `, until ${until}`}`;

/** Whatever it is, one reason is enough; all of them spare the operator the next surprise. */
const listReasons = (
  { unavailable }: Target,
  standings: readonly Standing[],
  { error }: Rehearsal,
): readonly string[] => {
  const isResting = standings.length > 0 && standings.every(({ state }) => state === 'resting');
  const isRefused = error?.failure === 'unsuitable' || error?.failure === 'caller-fault';
  return [
    ...(unavailable === undefined ? [] : [unavailable]),
    ...(isResting ? standings.map(describeRest) : []),
    ...(isRefused ? [error.message] : []),
  ];
};

const describeUnsent = ({ unavailable }: Target, { lane, error }: Rehearsal): string => {
  if (unavailable !== undefined) return 'there is no credential to send it with';
  if (error !== undefined) return error.message;
  return lane === undefined
    ? 'the target does not count tokens: the estimate of the gateway is the answer, and nothing is sent'
    : 'nothing is sent';
};

/** A target as the exchange would find it, and the call that would be made to it. */
export async function describeTarget(
  exchange: Exchange,
  target: Target,
  all: readonly Standing[],
  rehearse: Rehearse,
): Promise<ExplainedTarget> {
  const standings = all.filter((standing) => standing.target === target.id);
  const rehearsal = await rehearse(exchange, target, standings[0]?.credential ?? target.credentials[0] ?? '');
  const reasons = listReasons(target, standings, rehearsal);
  const { losses, request } = rehearsal;
  return {
    target: target.id,
    ...describeLane(exchange, rehearsal),
    losses,
    credentials: standings.map(describeStanding),
    ...(reasons.length === 0 ? {} : { skipped: reasons }),
    ...describeCost(exchange, target),
    ...(request === undefined ? { unsent: describeUnsent(target, rehearsal) } : { upstream: describeRequest(request) }),
  };
}
