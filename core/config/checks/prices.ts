import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import { toNanoDollars } from '../units/limit-units.ts';
import type { Check, CheckContext } from './check.ts';
import { collectLimits, type FoundLimits } from './limits.ts';
import { createMatcher } from './patterns.ts';
import { entries, items, member, text } from './tolerant.ts';

const readPatterns = (patterns: unknown): readonly string[] =>
  items(patterns).flatMap((pattern) => text(pattern) ?? []);

/** Providers know what most of their models cost. */
const isShipped = (target: unknown, providers: CheckContext['providers']): boolean => {
  const [provider, model] = [text(member(target, 'provider')) ?? '', text(member(target, 'model')) ?? ''];
  const prices = Object.hasOwn(providers, provider) ? providers[provider]?.definition.prices : undefined;
  return prices?.some(({ models }) => models.includes(model)) ?? false;
};

const findUnpriced = ({ data, providers }: Pick<CheckContext, 'data' | 'providers'>): readonly string[] =>
  entries(member(data, 'models')).flatMap(([id, model]) =>
    member(model, 'price') === undefined &&
    items(member(model, 'targets')).some(
      (target) => member(target, 'price') === undefined && !isShipped(target, providers),
    )
      ? [id]
      : [],
  );

const checkCost = (limit: unknown, path: Path, unpriced: readonly string[]): readonly Finding[] => {
  const id =
    member(limit, 'cost') === undefined
      ? undefined
      : unpriced.find(createMatcher(readPatterns(member(limit, 'models'))));
  return id === undefined
    ? []
    : [
        {
          path,
          severity: 'warning',
          rule: 'missing-price',
          message: `${describePath(path)} counts money, and ${describePath(['models', id])} has no price: what it is used for would count as nothing. Give it one, or name the models that the limit is for.`,
        },
      ];
};

/** What a limit of money applies to has a price. */
export const checkMissingPrices: Check = ({ data, providers }) => {
  const unpriced = findUnpriced({ data, providers });
  return collectLimits(data).flatMap(({ list, path, models }: FoundLimits) => {
    if (!items(list).some((limit) => member(limit, 'cost') !== undefined)) return [];
    const reachable = unpriced.filter(createMatcher(readPatterns(models)));
    return items(list).flatMap((limit, index) => checkCost(limit, [...path, index], reachable));
  });
};

/** Told where the file says what becomes of them; the start of the gateway names them anyway. */
export const checkUnpriced: Check = ({ data, providers, isWritten }) =>
  findUnpriced({ data, providers }).flatMap((id): readonly Finding[] => {
    const path: Path = ['models', id];
    const policy = text(member(member(member(data, 'models'), id), 'unpriced')) ?? text(member(data, 'unpriced'));
    if (policy === 'allow' || !(isWritten([...path, 'unpriced']) || isWritten(['unpriced']))) return [];
    const what = policy === 'reject' ? 'what has no price is not used' : 'its use counts as no money';
    return [
      {
        path,
        on: 'key',
        severity: 'warning',
        rule: 'missing-price',
        message: `Nobody says what all targets of ${describePath(path)} cost, neither here nor their providers: ${what}. Give it a price, or set 'unpriced: allow'.`,
      },
    ];
  });

const checkPrice = (price: unknown, path: Path): readonly Finding[] =>
  entries(price).flatMap(([name, dollars]): readonly Finding[] =>
    typeof dollars === 'number' && dollars > 0 && toNanoDollars(dollars) === 0
      ? [
          {
            path: [...path, name],
            rule: 'out-of-range',
            message: `${describePath([...path, name])} is less than a nano-dollar; it must be 0 or at least 0.000000001.`,
          },
        ]
      : [],
  );

/** A price that is not nothing is not rounded to nothing. */
export const checkPrices: Check = ({ data }) =>
  entries(member(data, 'models')).flatMap(([id, model]) => [
    ...checkPrice(member(model, 'price'), ['models', id, 'price']),
    ...items(member(model, 'targets')).flatMap((target, index) =>
      checkPrice(member(target, 'price'), ['models', id, 'targets', index, 'price']),
    ),
  ]);
