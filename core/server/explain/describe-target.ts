import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { operations } from '../../canonical/operation/operations.ts';
import { toDollars, writePrice, writeRates } from '../../config/write/write-price.ts';
import { isSecretName } from '../../config/secrets/option-secrets.ts';
import { priceEstimate } from '../../catalog/price-usage.ts';
import type { Estimate } from '../../contracts/price.ts';
import type { Exchange } from '../../contracts/exchange.ts';
import type { Target } from '../../contracts/target.ts';
import type { UpstreamRequest } from '../../contracts/extension.ts';
import { parseExactJson } from '../../framing/exact-json.ts';
import type { Standing } from '../../contracts/attempt.ts';
import type { Obstacle } from '../../lanes/native/plan.ts';
import type { ExplainedRequest, ExplainedTarget } from './explanation.ts';
import type { CallPlan, PlanCall } from './plan-call.ts';

const estimateCost = (target: Target, { inputTokens, outputTokens, hosted }: Estimate): number =>
  toDollars(priceEstimate(target, inputTokens, outputTokens, hosted));

/** Vendors do not charge for counting tokens. */
const describeCost = (
  { operation, estimate }: Exchange,
  target: Target,
): Pick<ExplainedTarget, 'price' | 'estimatedCost'> => {
  const { price } = target;
  if (price === undefined) return { price: 'unknown' };
  return {
    price: omitUndefined({
      ...writeRates(price),
      units: writePrice(price).units,
      factor: price.factor === undefined ? undefined : Number(price.factor) / 1e12,
    }),
    ...(operations[operation].isFree === true ? {} : { estimatedCost: estimateCost(target, estimate) }),
  };
};

const obstacles: Readonly<Record<Exclude<Obstacle, 'other-wire'>, string>> = {
  'changed-request': 'the request was changed on its way',
  'plugin-fits': 'a plugin changes requests to this target',
  guarded: 'a plugin inspects the response',
  'stateless': 'the request refers to something stored at the vendor, and this server stores nothing',
  'several-calls': 'several choices are requested, and the target gives one per call',
  'no-stream': 'a stream is requested, and the target responds as a whole: the gateway writes the stream',
  'no-plan': "what must change cannot be changed in the client's own bytes",
};
const describeLane = (
  { route }: Exchange,
  { wire = '', lane, obstacle }: CallPlan,
): Pick<ExplainedTarget, 'wire' | 'lane' | 'why'> => {
  const known = wire === '' ? {} : { wire };
  if (lane === undefined) return known;
  if (obstacle === undefined) return { ...known, lane, why: `client and target speak ${wire}` };
  return {
    ...known,
    lane,
    why: obstacle === 'other-wire' ? `the client speaks ${route.wire}, the target ${wire}` : obstacles[obstacle],
  };
};

const describeStanding = ({ target: _target, ...standing }: Standing): Omit<Standing, 'target'> => standing;
const describeCooldown = ({ credential, reason = 'it is cooling down', until }: Standing): string =>
  `${credential}: ${reason}${until === undefined ? '' : `, until ${until}`}`;

/** All reasons to skip the target, though one is enough: the operator should not find them one by one. */
const listReasons = (
  { unavailable }: Target,
  standings: readonly Standing[],
  { error }: CallPlan,
): readonly string[] => {
  const isCoolingDown = standings.length > 0 && standings.every(({ state }) => state === 'resting');
  const isRefused = error?.failure === 'unsuitable' || error?.failure === 'caller-fault';
  return [
    ...(unavailable === undefined ? [] : [unavailable]),
    ...(isCoolingDown ? standings.map(describeCooldown) : []),
    ...(isRefused ? [error.message] : []),
  ];
};

const describeUnsent = ({ unavailable }: Target, { lane, error }: CallPlan): string => {
  if (unavailable !== undefined) return 'there is no credential to send it with';
  if (error !== undefined) return error.message;
  return lane === undefined
    ? 'the target does not count tokens: the gateway returns its own estimate, and nothing is sent'
    : 'nothing is sent';
};

const MASK = '***';
/** Query parameters such as `sig` and `X-Amz-Signature` authorize any holder of the address. */
const isSecret = (name: string): boolean => isSecretName(name) || /^sig$|signature|auth/i.test(name);

const maskQuery = (path: string): string =>
  path.replaceAll(/(?<=[?&])([^=&#]+)=[^&#]*/g, (member, name: string) =>
    isSecret(name) ? `${name}=${MASK}` : member,
  );

/** The call that would be made. Credentials in headers and query are masked; `createRedact` masks other secrets. */
export function describeRequest({ origin, path, headers, body }: UpstreamRequest): ExplainedRequest {
  const text = new TextDecoder().decode(body);
  return {
    method: 'POST',
    url: origin + maskQuery(path),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, isSecret(name) ? MASK : value])),
    body: parseExactJson(text) ?? text,
  };
}

/** A target as the exchange would use it, with the call that would be made to it. */
export async function describeTarget(
  exchange: Exchange,
  target: Target,
  all: readonly Standing[],
  planCall: PlanCall,
): Promise<ExplainedTarget> {
  const standings = all.filter((standing) => standing.target === target.id);
  const plan = await planCall(exchange, target, standings[0]?.credential ?? target.credentials[0] ?? '');
  const reasons = listReasons(target, standings, plan);
  const { losses, request } = plan;
  return {
    target: target.id,
    ...describeLane(exchange, plan),
    losses,
    credentials: standings.map(describeStanding),
    ...(reasons.length === 0 ? {} : { skipped: reasons }),
    ...describeCost(exchange, target),
    ...(request === undefined ? { unsent: describeUnsent(target, plan) } : { upstream: describeRequest(request) }),
  };
}
