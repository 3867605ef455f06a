import { readList } from '../../canonical/json/read.ts';
import { compilePatterns } from '../../canonical/text/compile-patterns.ts';
import type { ShippedPrice, WrittenPrice } from '../../contracts/price.ts';
import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import { toNanoDollars } from '../units/limit-units.ts';
import type { Check, CheckContext } from './check.ts';
import { findShipped } from './values/hosted-tools.ts';
import { isTime, parseExpiry } from '../units/expiry.ts';
import { collectLimits, type FoundLimits } from './limits.ts';
import { collectOnce, entries, listModels, member, text } from './tolerant.ts';

const readPatterns = (patterns: unknown): readonly string[] =>
  readList(patterns).flatMap((pattern) => text(pattern) ?? []);

/** Providers ship list prices for most of their models. */
const isShipped = (target: unknown, providers: CheckContext['providers']): boolean =>
  findShipped(target, providers) !== undefined;

/** Units above 0 in the shipped price of which the price in the file has no figure. */
const listDropped = (price: unknown, shipped: ShippedPrice['price'] | undefined): readonly string[] => {
  const own = Array.isArray(price) ? price : [price];
  const units = [shipped ?? []].flat().flatMap((one: WrittenPrice) => Object.entries(one.units ?? {}));
  const names = units.flatMap(([unit, dollars]) => (typeof dollars === 'object' || dollars > 0 ? [unit] : []));
  return [...new Set(names)].filter((unit) => own.some((one) => member(member(one, 'units'), unit) === undefined));
};

/** A price in the file replaces the shipped one as a whole. */
export const checkDroppedUnits: Check = ({ data, providers }) =>
  listModels(data).flatMap(([id, model]): readonly Finding[] => {
    const dropped = readList(member(model, 'targets')).flatMap((target) => {
      const price = member(target, 'price') ?? member(model, 'price');
      return price === undefined ? [] : listDropped(price, findShipped(target, providers));
    });
    if (dropped.length === 0) return [];
    const path: Path = ['models', id];
    const names = [...new Set(dropped)].map((unit) => `units.${unit}`).join(' and ');
    const message =
      `The price of ${describePath(path)} replaces the shipped one, which has ${names}. Without them these cost ` +
      'nothing. Set them, 0 included.';
    return [{ path, on: 'key', severity: 'warning', rule: 'missing-price', message }];
  });

const findUnpriced = ({ data, providers }: Pick<CheckContext, 'data' | 'providers'>): readonly string[] =>
  listModels(data).flatMap(([id, model]) =>
    member(model, 'price') === undefined &&
    readList(member(model, 'targets')).some(
      (target) => member(target, 'price') === undefined && !isShipped(target, providers),
    )
      ? [id]
      : [],
  );

/** What an agent uses is bounded by nothing but limits of money. */
export const checkAgents: Check = ({ data, providers }) =>
  findUnpriced({ data, providers }).flatMap((id): readonly Finding[] => {
    const path: Path = ['models', id, 'capabilities', 'agent'];
    if (member(member(member(member(data, 'models'), id), 'capabilities'), 'agent') === undefined) return [];
    const message = `${describePath(path)} has no price. Set "price" of ${describePath(['models', id])}.`;
    return [{ path, on: 'key', rule: 'missing-price', message }];
  });

/** Whether the model itself says that it is used without a price: limits of cost do not refuse it then. */
const isAllowed = (data: unknown, id: string): boolean =>
  text(member(member(member(data, 'models'), id), 'unpriced')) === 'allow';

const checkCost = (limit: unknown, path: Path, unpriced: readonly string[]): readonly Finding[] => {
  const id =
    member(limit, 'cost') === undefined
      ? undefined
      : unpriced.find(compilePatterns(readPatterns(member(limit, 'models'))));
  if (id === undefined) return [];
  const effect =
    member(limit, 'enforce') === false
      ? 'what they cost there does not count'
      : 'they do not use it, and are refused if no other is left';
  const message =
    `${describePath(path)} limits cost, but a target of ${describePath(['models', id])} has no price. Requests under ` +
    `this limit: ${effect}. Set a price, or "unpriced: allow" of the model, or list the models that the limit is for.`;
  return [{ path, severity: 'warning', rule: 'missing-price', message }];
};

/** Models under a limit of cost must have a price. */
export const checkMissingPrices: Check = ({ data, providers }) => {
  const unpriced = findUnpriced({ data, providers }).filter((id) => !isAllowed(data, id));
  return collectLimits(data).flatMap(({ list, path, models }: FoundLimits) => {
    if (!readList(list).some((limit) => member(limit, 'cost') !== undefined)) return [];
    const reachable = unpriced.filter(compilePatterns(readPatterns(models)));
    return readList(list).flatMap((limit, index) => checkCost(limit, [...path, index], reachable));
  });
};

/** Reported only when the file sets `unpriced`; every start of the gateway logs these models anyway. */
export const checkUnpriced: Check = ({ data, providers, isWritten }) =>
  findUnpriced({ data, providers }).flatMap((id): readonly Finding[] => {
    const path: Path = ['models', id];
    const policy = text(member(member(member(data, 'models'), id), 'unpriced')) ?? text(member(data, 'unpriced'));
    if (policy === 'allow' || !(isWritten([...path, 'unpriced']) || isWritten(['unpriced']))) return [];
    const effect =
      policy === 'reject'
        ? 'Targets without a price are not used'
        : 'Under a limit of cost they are not used, and elsewhere their cost is unknown';
    return [
      {
        path,
        on: 'key',
        severity: 'warning',
        rule: 'missing-price',
        message:
          `Some targets of ${describePath(path)} have no price, neither here nor from their provider. ${effect}. ` +
          'Set a price, or set "unpriced: allow".',
      },
    ];
  });

/** Amounts in USD, and below members that are objects or lists those of the objects in them. Factors are no amounts. */
const checkAmounts = (value: unknown, path: Path): readonly Finding[] => {
  if (Array.isArray(value)) return value.flatMap((one, index) => checkAmounts(one, [...path, index]));
  const isNamed = path.at(-1) === 'tiers' || path.at(-1) === 'regions';
  return entries(value).flatMap(([name, dollars]): readonly Finding[] => {
    if (typeof dollars === 'object') return checkAmounts(dollars, [...path, name]);
    if (isNamed || typeof dollars !== 'number' || dollars <= 0 || toNanoDollars(dollars) > 0) return [];
    const at = [...path, name];
    const message = `${describePath(at)} is less than a nano-dollar. It must be 0, or at least 0.000000001.`;
    return [{ path: at, rule: 'out-of-range', message }];
  });
};

const readDate = (price: unknown, name: 'from' | 'until'): number | undefined => {
  const date = text(member(price, name));
  return date !== undefined && /^\d{4}-\d{2}-\d{2}/.test(date) && isTime(date) ? parseExpiry(date) : undefined;
};

const checkDates = (price: unknown, path: Path): readonly Finding[] => {
  const invalid = (name: string, message: string): readonly Finding[] => [
    { path: [...path, name], rule: 'invalid-value', message: `${describePath([...path, name])} ${message}` },
  ];
  for (const name of ['from', 'until'] as const) {
    const date = text(member(price, name));
    if (date !== undefined && /^\d{4}-\d{2}-\d{2}/.test(date) && !isTime(date))
      return invalid(name, 'is not a valid date or time.');
  }
  const [from = -Infinity, until = Infinity] = [readDate(price, 'from'), readDate(price, 'until')];
  return until > from
    ? []
    : invalid('until', 'is not after "from", so the price is never valid. Set a later date, or remove the price.');
};

const checkPrice = (price: unknown, path: Path): readonly Finding[] => [
  ...checkAmounts(price, path),
  ...(Array.isArray(price)
    ? price.flatMap((one, index) => checkDates(one, [...path, index]))
    : checkDates(price, path)),
];

/** The prices of the file, of models and of their targets. */
export const listPrices = collectOnce((data): readonly { readonly path: Path; readonly price: unknown }[] =>
  listModels(data).flatMap(([id, model]) => {
    const own = member(model, 'price');
    const ofTargets = readList(member(model, 'targets')).flatMap((target, index) => {
      const price = member(target, 'price');
      return price === undefined ? [] : [{ path: ['models', id, 'targets', index, 'price'], price }];
    });
    return own === undefined ? ofTargets : [{ path: ['models', id, 'price'], price: own }, ...ofTargets];
  }),
);

/** A price above 0 must not be rounded to 0, and must be valid at some time. */
export const checkPrices: Check = ({ data }) => listPrices(data).flatMap(({ price, path }) => checkPrice(price, path));
