import { readList } from '../../canonical/json/read.ts';
import { compilePatterns } from '../../canonical/text/compile-patterns.ts';
import type { ShippedPrice, WrittenPrice } from '../../contracts/price.ts';
import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import { toNanoDollars } from '../units/limit-units.ts';
import type { CheckContext } from './check.ts';
import { findShipped, textsOf } from './values/hosted-tools.ts';
import { isTime, parseExpiry } from '../units/expiry.ts';
import { collectLimits } from './limits.ts';
import { collectOnce, entries, listModels, member, text } from './tolerant.ts';

/** Units above 0 in the shipped price of which the price in the file has no figure. */
const listDropped = (price: unknown, shipped: ShippedPrice['price'] | undefined): readonly string[] => {
  const own = Array.isArray(price) ? price : [price];
  const units = [shipped ?? []].flat().flatMap((one: WrittenPrice) => Object.entries(one.units ?? {}));
  const names = units.flatMap(([unit, dollars]) => (typeof dollars === 'object' || dollars > 0 ? [unit] : []));
  return [...new Set(names)].filter((unit) => own.some((one) => member(member(one, 'units'), unit) === undefined));
};

/** A price in the file replaces the shipped one as a whole. */
export function* checkDroppedUnits({ data, providers }: CheckContext): Iterable<Finding> {
  for (const [id, model] of listModels(data)) {
    const dropped = readList(member(model, 'targets')).flatMap((target) => {
      const price = member(target, 'price') ?? member(model, 'price');
      return price === undefined ? [] : listDropped(price, findShipped(target, providers));
    });
    if (dropped.length === 0) continue;
    const path: Path = ['models', id];
    const names = [...new Set(dropped)].map((unit) => `units.${unit}`).join(' and ');
    const message =
      `The price of ${describePath(path)} replaces the shipped one, which has ${names}. Without them these cost ` +
      'nothing. Set them, 0 included.';
    yield { path, on: 'key', severity: 'warning', rule: 'missing-price', message };
  }
}

const findUnpriced = ({ data, providers }: CheckContext): ReturnType<typeof listModels> =>
  listModels(data).filter(
    ([, model]) =>
      member(model, 'price') === undefined &&
      readList(member(model, 'targets')).some(
        (target) => member(target, 'price') === undefined && findShipped(target, providers) === undefined,
      ),
  );

/** What an agent uses is bounded by nothing but limits of money. */
export function* checkAgents(context: CheckContext): Iterable<Finding> {
  for (const [id, model] of findUnpriced(context)) {
    const path: Path = ['models', id, 'capabilities', 'agent'];
    if (member(member(model, 'capabilities'), 'agent') === undefined) continue;
    const message = `${describePath(path)} has no price. Set "price" of ${describePath(['models', id])}.`;
    yield { path, on: 'key', rule: 'missing-price', message };
  }
}

const describeCost = (limit: unknown, path: Path, id: string): Finding => {
  const effect =
    member(limit, 'enforce') === false
      ? 'what they cost there does not count'
      : 'they do not use it, and are refused if no other is left';
  const message =
    `${describePath(path)} limits cost, but a target of ${describePath(['models', id])} has no price. Requests under ` +
    `this limit: ${effect}. Set a price, or "unpriced: allow" of the model, or list the models that the limit is for.`;
  return { path, severity: 'warning', rule: 'missing-price', message };
};

/** Models under a limit of cost must have a price. */
export function* checkMissingPrices(context: CheckContext): Iterable<Finding> {
  // A model can say itself that it is used without a price: limits of cost do not refuse it then.
  const unpriced = findUnpriced(context).flatMap(([id, model]) => (member(model, 'unpriced') === 'allow' ? [] : [id]));
  for (const { list, path, models } of collectLimits(context.data)) {
    const limits = [...readList(list).entries()].filter(([, limit]) => member(limit, 'cost') !== undefined);
    const reachable = limits.length === 0 ? [] : unpriced.filter(compilePatterns(textsOf(models)));
    for (const [index, limit] of limits) {
      const id = reachable.find(compilePatterns(textsOf(member(limit, 'models'))));
      if (id !== undefined) yield describeCost(limit, [...path, index], id);
    }
  }
}

/** Reported only when the file sets `unpriced`; every start of the gateway logs these models anyway. */
export function* checkUnpriced(context: CheckContext): Iterable<Finding> {
  const { data, isWritten } = context;
  for (const [id, model] of findUnpriced(context)) {
    const path: Path = ['models', id];
    const policy = text(member(model, 'unpriced')) ?? text(member(data, 'unpriced'));
    if (policy === 'allow' || !(isWritten([...path, 'unpriced']) || isWritten(['unpriced']))) continue;
    const effect =
      policy === 'reject'
        ? 'Targets without a price are not used'
        : 'Under a limit of cost they are not used, and elsewhere their cost is unknown';
    const message =
      `Some targets of ${describePath(path)} have no price, neither here nor from their provider. ${effect}. ` +
      'Set a price, or set "unpriced: allow".';
    yield { path, on: 'key', severity: 'warning', rule: 'missing-price', message };
  }
}

/** Amounts in USD, and below members that are objects or lists those of the objects in them. Factors are no amounts. */
function* checkAmounts(value: unknown, path: Path): Iterable<Finding> {
  for (const [index, one] of readList(value).entries()) yield* checkAmounts(one, [...path, index]);
  const isNamed = path.at(-1) === 'tiers' || path.at(-1) === 'regions';
  for (const [name, dollars] of entries(value)) {
    const at = [...path, name];
    if (typeof dollars === 'object') yield* checkAmounts(dollars, at);
    if (isNamed || typeof dollars !== 'number' || dollars <= 0 || toNanoDollars(dollars) > 0) continue;
    const message = `${describePath(at)} is less than a nano-dollar. It must be 0, or at least 0.000000001.`;
    yield { path: at, rule: 'out-of-range', message };
  }
}

const checkDates = (price: unknown, path: Path): Finding | undefined => {
  const invalid = (name: string, message: string): Finding => {
    const at = [...path, name];
    return { path: at, rule: 'invalid-value', message: `${describePath(at)} ${message}` };
  };
  const times = { from: -Infinity, until: Infinity };
  for (const name of ['from', 'until'] as const) {
    const date = text(member(price, name));
    if (date === undefined || !/^\d{4}-\d{2}-\d{2}/.test(date)) continue;
    if (!isTime(date)) return invalid(name, 'is not a valid date or time.');
    times[name] = parseExpiry(date);
  }
  if (times.until > times.from) return undefined;
  return invalid('until', 'is not after "from", so the price is never valid. Set a later date, or remove the price.');
};

/** The prices of the file, of models and of their targets. Of a list with dates each by itself. */
const listPrices = collectOnce((data): readonly (readonly [path: Path, price: unknown])[] =>
  listModels(data).flatMap(([id, model]) => {
    const targets = readList(member(model, 'targets'));
    const all: readonly (readonly [Path, unknown])[] = [
      [['models', id, 'price'], member(model, 'price')],
      ...targets.map((target, index) => [['models', id, 'targets', index, 'price'], member(target, 'price')] as const),
    ];
    return all.flatMap(([path, price]) =>
      Array.isArray(price)
        ? price.map((one: unknown, index) => [[...path, index], one] as const)
        : [[path, price] as const],
    );
  }),
);

/** A price above 0 must not be rounded to 0, and must be valid at some time. */
export function* checkPrices({ data }: CheckContext): Iterable<Finding> {
  for (const [path, price] of listPrices(data)) {
    yield* checkAmounts(price, path);
    const invalid = checkDates(price, path);
    if (invalid !== undefined) yield invalid;
  }
}

/**
 * USD per million tokens. The cheapest models cost some thousandths of a dollar; the dearest, written per token, are
 * below this bound.
 */
const CHEAPEST = 0.001;
const PER_MILLION = 1_000_000;

const ratesOf = (price: unknown): readonly (readonly [name: string, dollars: number])[] =>
  ['input', 'output'].flatMap((name) => {
    const dollars = member(price, name);
    return typeof dollars === 'number' && dollars > 0 ? [[name, dollars] as const] : [];
  });

/** Without the noise of binary fractions. */
const write = (dollars: number): string => String(Number((dollars * PER_MILLION).toPrecision(6)));

/** The price lists of other gateways are per token. */
export function* checkPlausiblePrices({ data }: CheckContext): Iterable<Finding> {
  for (const [path, price] of listPrices(data)) {
    const rates = ratesOf(price).filter(([, dollars]) => dollars < CHEAPEST);
    if (rates.length === 0) continue;
    // One member of a list that was converted by hand.
    const among = rates.length === ratesOf(price).length ? '' : `.${rates[0]?.[0]}`;
    const corrected = rates.map(([name, dollars]) => `${name}: ${write(dollars)}`).join(', ');
    const message =
      `${describePath(path)}${among} seems to be in USD per token, and is read as USD per million tokens: ` +
      `costs would be a million times too low. If so, write ${corrected}.`;
    yield { path, on: 'key', severity: 'warning', rule: 'implausible-price', message };
  }
}
