import type { JsonObject } from '../../core/api/index.ts';
import { isObject, readList, readObject } from '../../core/api/codec.ts';
import type { Destination, Expectation } from '../../core/api/internal.ts';
import { ANY_MODEL, listDestinations } from '../shared/destinations.ts';
import { numberOf, textOf } from '../shared/read.ts';
import type { Variables } from '../shared/variables.ts';
import { modelsOf } from './conditions.ts';
import { modelOf, readEndpoint, splitModel } from './endpoint.ts';

/** What targets take over from the one that contains them. */
interface Outer {
  readonly model?: unknown;
  readonly customHost?: unknown;
}

/** The targets that a request can be sent to. @param name its model; undefined: one that no condition names */
const select = (target: JsonObject, name: string | undefined): readonly JsonObject[] => {
  const targets = readList(target['targets']).filter(isObject);
  const strategy = readObject(target['strategy']);
  if (strategy['mode'] === 'single') return targets.slice(0, 1);
  if (strategy['mode'] === 'loadbalance') return targets.filter(({ weight }) => (numberOf(weight) ?? 1) > 0);
  if (strategy['mode'] !== 'conditional') return targets;
  const conditions = readList(strategy['conditions']).map(readObject);
  const chosen = conditions.find(({ query }) => name !== undefined && modelsOf(readObject(query)).includes(name));
  const wanted = chosen?.['then'] ?? strategy['default'];
  return targets.filter((one) => one['name'] === wanted).slice(0, 1);
};

/** The targets without targets of their own, with what they take over. */
const leavesOf = (
  target: JsonObject,
  name: string | undefined,
  outer: Outer = {},
): readonly (readonly [JsonObject, Outer])[] => {
  const own = { model: modelOf(target) ?? outer.model, customHost: target['custom_host'] ?? outer.customHost };
  if (!isObject(target['strategy']) && !Array.isArray(target['targets'])) return [[target, own]];
  return select(target, name).flatMap((one) => leavesOf(one, name, own));
};

const namesIn = (target: JsonObject): readonly string[] => [
  ...readList(readObject(target['strategy'])['conditions']).flatMap((condition) =>
    modelsOf(readObject(readObject(condition)['query'])),
  ),
  ...readList(target['targets']).flatMap((one) => namesIn(readObject(one))),
];

const modelAt = (target: JsonObject, { model }: Outer): string | undefined =>
  textOf(target['deployment_id']) ?? splitModel(textOf(model)).model;

const destinationsOf = (
  target: JsonObject,
  outer: Outer,
  name: string,
  variables: Variables,
): readonly Destination[] => {
  // The address of a passthrough comes with each request.
  if (target['passthrough'] === true) return [];
  const host = textOf(outer.customHost);
  const inherited = host === undefined ? undefined : { value: host, at: [] };
  const endpoint = readEndpoint(target, textOf(outer.model), [], inherited, () => undefined);
  const model = modelAt(target, outer) ?? name;
  return 'reason' in endpoint ? [{ provider: 'unknown', model }] : listDestinations(endpoint, model, variables);
};

/**
 * Names that clients use with a config: those of its conditions, and any other. If each target sets a model, the name
 * of a request has no effect: then it is the model of the first target.
 */
export function readExpected(source: JsonObject, variables: Variables): readonly Expectation[] {
  const others = leavesOf(source, undefined);
  const isOpen = others.some(([target, outer]) => modelAt(target, outer) === undefined);
  const first = others.flatMap(([target, outer]) => modelAt(target, outer) ?? []).slice(0, 1);
  const names = new Set([...namesIn(source), ...first, ...(isOpen ? [ANY_MODEL] : [])]);
  return [...names].map((name) => ({
    name,
    destinations: leavesOf(source, name).flatMap(([target, outer]) => destinationsOf(target, outer, name, variables)),
  }));
}
