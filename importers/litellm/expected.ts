import type { JsonObject } from '../../core/api/index.ts';
import { isObject, readList, readObject } from '../../core/api/codec.ts';
import type { Destination, Expectation, KeyPlace } from '../../core/api/internal.ts';
import { ANY_MODEL, fillStar, listDestinations, matchStar } from '../shared/destinations.ts';
import { textOf } from '../shared/read.ts';
import type { Variables } from '../shared/variables.ts';
import { listAliased } from './aliases.ts';
import { readCredentials, readEndpoint } from './credentials.ts';
import type { Setting } from './setting.ts';
import { splitModel } from './split-model.ts';

type Groups = ReadonlyMap<string, readonly Destination[]>;

/** Every `model_name` with its deployments, whether or not they were imported. */
const readGroups = (source: JsonObject, variables: Variables): Groups => {
  const credentials = readCredentials(source);
  const groups = new Map<string, Destination[]>();
  for (const entry of readList(source['model_list'])) {
    const params = readObject(readObject(entry)['litellm_params']);
    const [name, written] = [textOf(readObject(entry)['model_name']), textOf(params['model'])];
    if (name === undefined || written === undefined) continue;
    const [vendor = 'unknown', model] = splitModel(written, textOf(params['custom_llm_provider']));
    const endpoint = readEndpoint(vendor, params, [], credentials);
    const destinations = listDestinations(endpoint, model, variables);
    groups.set(name, [...(groups.get(name) ?? []), ...destinations]);
  }
  return groups;
};

/** A name of `model_list`, or one that a wildcard of it matches; the longest wins. */
const find = (groups: Groups, name: string): readonly Destination[] => {
  const exact = groups.get(name);
  if (exact !== undefined) return exact;
  const [pattern] = [...groups.keys()]
    .filter((candidate) => matchStar(candidate, name) !== undefined)
    .toSorted((one, other) => other.length - one.length);
  const star = pattern === undefined ? undefined : matchStar(pattern, name);
  return pattern === undefined || star === undefined
    ? []
    : (groups.get(pattern) ?? []).map((destination) => fillStar(destination, star));
};

const namesIn = (list: unknown): readonly string[] =>
  (Array.isArray(list) ? list : [list]).flatMap((item: unknown) => textOf(isObject(item) ? item['model'] : item) ?? []);

/** The names of the fallbacks of each group. https://docs.litellm.ai/docs/proxy/reliability */
const readFallbackNames = (setting: Setting): ((name: string) => readonly string[]) => {
  const table = readList(setting('fallbacks')?.[1]).filter(isObject);
  const of = (name: string): unknown => table.find((entry) => Object.hasOwn(entry, name))?.[name];
  const forAll = [...namesIn(of('*')), ...namesIn(setting('default_fallbacks')?.[1])];
  return (name) => {
    const own = of(name);
    return own === undefined ? forAll : namesIn(own);
  };
};

/** Every name that clients of the proxy can use, and where it is sent. */
export function readExpected(
  source: JsonObject,
  setting: Setting,
  variables: Variables,
  key: KeyPlace | undefined,
): readonly Expectation[] {
  const groups = readGroups(source, variables);
  const fallbacks = readFallbackNames(setting);
  const aliases = listAliased(setting('model_group_alias')?.[1]);
  const names = [...new Set([...groups.keys(), ...aliases.keys()])];
  return names.map((written) => {
    const name = written.replace('*', ANY_MODEL);
    const group = aliases.get(name) ?? name;
    const destinations = [group, ...fallbacks(group)].flatMap((one) => find(groups, one));
    return { name, destinations, ...(key === undefined ? {} : { key }) };
  });
}
