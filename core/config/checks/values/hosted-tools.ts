import { readList } from '../../../canonical/json/read.ts';
import { compilePatterns } from '../../../canonical/text/compile-patterns.ts';
import type { ShippedPrice, WrittenPrice } from '../../../contracts/price.ts';
import { describePath } from '../../describe-path.ts';
import type { Finding, Path } from '../../problem.ts';
import { findShippedPrice } from '../../resolve/shipped-price.ts';
import type { CheckContext } from '../check.ts';
import { collectLimits, type FoundLimits } from '../limits.ts';
import { entries, listModels, member, text } from '../tolerant.ts';

/** Whether a setting `hostedTools` lists the tools that can run. */
const hasList = (level: unknown): boolean => {
  const setting = member(level, 'hostedTools');
  return Array.isArray(setting) || member(setting, 'allow') !== undefined;
};

/** The texts of a list that are not empty. */
export const textsOf = (list: unknown): readonly string[] => readList(list).flatMap((entry) => text(entry) ?? []);

const isCostLimit = (limit: unknown): boolean =>
  member(limit, 'cost') !== undefined && member(limit, 'enforce') !== false;

/** The levels below the file, down to keys. */
const below = ['organizations', 'projects', 'keys'] as const;

/** Whether a list restricts the level, or every level below it. */
const isListed = (level: unknown, depth: number): boolean => {
  if (hasList(level)) return true;
  const name = below[depth];
  const inner = name === undefined ? [] : entries(member(level, name));
  return inner.length > 0 && inner.every(([, one]) => isListed(one, depth + 1));
};

/** Whether a list restricts all callers of these limits. */
const isRestricted = (data: unknown, path: Path): boolean => {
  let level = data;
  for (const [depth, name] of below.entries()) {
    const [found, key] = [path[2 * depth], path[2 * depth + 1]];
    if (found !== name || typeof key !== 'string') return isListed(level, depth);
    level = member(member(level, name), key);
    if (hasList(level)) return true;
  }
  return false;
};

/** The targets of a model whose vendors search the web, which shows that they run tools. */
const searchingTargets = (model: unknown, providers: CheckContext['providers']): readonly unknown[] => {
  const own = member(member(model, 'capabilities'), 'webSearch');
  return readList(member(model, 'targets')).filter((target) => {
    const name = text(member(target, 'model')) ?? '';
    const provider = text(member(target, 'provider')) ?? '';
    const families = Object.hasOwn(providers, provider) ? (providers[provider]?.definition.models ?? []) : [];
    const [family] = families
      .filter(({ prefix }) => name.startsWith(prefix))
      .toSorted((one, other) => other.prefix.length - one.prefix.length);
    return (own ?? family?.capabilities.webSearch ?? false) !== false;
  });
};

interface ReachedLimit extends Pick<FoundLimits, 'path'> {
  reaches(model: string): boolean;
}

/** The limits of cost that refuse requests. */
const listCostLimits = (data: unknown): readonly ReachedLimit[] =>
  collectLimits(data).flatMap(({ path, list, models }) => {
    const own = compilePatterns(textsOf(models));
    return readList(list).flatMap((limit, index): readonly ReachedLimit[] => {
      const limited = compilePatterns(textsOf(member(limit, 'models')));
      return isCostLimit(limit) ? [{ path: [...path, index], reaches: (id) => own(id) && limited(id) }] : [];
    });
  });

/** A hosted tool costs more than its tokens: under a limit of cost, the tools that can run should be listed. */
export function* checkHostedTools({ data, providers }: CheckContext): Iterable<Finding> {
  const models = listModels(data)
    .filter(([, model]) => !hasList(model) && searchingTargets(model, providers).length > 0)
    .map(([id]) => id);
  const routes = readList(member(data, 'routes'));
  if (models.length === 0 || (routes.length > 0 && routes.every(hasList))) return;
  for (const { path, reaches } of listCostLimits(data)) {
    const id = models.find(reaches);
    if (id === undefined || isRestricted(data, path)) continue;
    const message =
      `${describePath(path)} limits cost, and its callers can use every tool that runs at the vendor of ` +
      `${describePath(['models', id])}. Such a tool costs more than its tokens. List those that can run in ` +
      'hostedTools, for example hostedTools: [web_search].';
    yield { path, severity: 'warning', rule: 'unlisted-hosted-tools', message };
  }
}

const hasUnits = (price: unknown): boolean =>
  (Array.isArray(price) ? price : [price]).every((one) => member(member(one, 'units'), 'webSearches') !== undefined);

/** The price that the provider ships for the model of the target. */
export const findShipped = (
  target: unknown,
  providers: CheckContext['providers'],
): WrittenPrice | ShippedPrice['price'] | undefined => {
  const [provider, model] = [text(member(target, 'provider')) ?? '', text(member(target, 'model')) ?? ''];
  const prices = Object.hasOwn(providers, provider) ? providers[provider]?.definition.prices : undefined;
  return prices && findShippedPrice(prices, model)?.price;
};

/** Under a limit of cost, a search without a price is refused. */
export function* checkSearchPrices({ data, providers }: CheckContext): Iterable<Finding> {
  const limits = listCostLimits(data);
  if (limits.length === 0) return;
  for (const [id, model] of listModels(data)) {
    const path: Path = ['models', id];
    const unpriced = textsOf(member(model, 'unpricedTools') ?? member(data, 'unpricedTools'));
    if (unpriced.includes('web_search') || !limits.some(({ reaches }) => reaches(id))) continue;
    const isMissing = searchingTargets(model, providers).some((target) => {
      const price = member(target, 'price') ?? member(model, 'price') ?? findShipped(target, providers);
      return price !== undefined && !hasUnits(price);
    });
    if (!isMissing) continue;
    const message =
      `${describePath(path)} has a web search at its vendor, and its price has no units.webSearches: under a limit ` +
      'of cost, requests with a search are refused. Set units.webSearches, or list web_search in unpricedTools.';
    yield { path, on: 'key', severity: 'warning', rule: 'missing-price', message };
  }
}
