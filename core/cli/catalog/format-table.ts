import type { DescribedPrice } from '../../catalog/describe-price.ts';
import { optionalKinds } from '../../config/resolve/resolve-price.ts';
import { alignColumns } from '../align-columns.ts';
import type { ListedModel, ListedTarget } from './list-models.ts';

const columns = [
  'MODEL',
  'TARGET',
  'INPUT',
  'OUTPUT',
  'CACHE READ',
  'WRITE 5M',
  'WRITE 1H',
  'ALSO',
  'CONTEXT',
  'MAX OUTPUT',
  'VERSION',
  'SEEN',
  'SOURCE',
] as const;

const UNKNOWN = '-';
const ratesOf = ({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: DescribedPrice): readonly string[] =>
  [input, output, cacheRead, cacheWrite5m, cacheWrite1h].map((rate) => String(rate ?? UNKNOWN));

const furtherKinds = [...optionalKinds, 'request'] as const;

/** The names of further rates, which have no column: longer prompts, tiers, regions, kinds of tokens, units, calls. */
const listMore = (price: DescribedPrice): string => {
  const { longContext = [], tiers = {}, regions = {}, units = {}, factor } = price;
  const more = [
    ...longContext.map(({ above }) => `>${above}`),
    ...Object.keys(tiers),
    ...Object.keys(regions),
    ...furtherKinds.filter((kind) => price[kind] !== undefined),
    ...Object.keys(units),
    ...(factor === undefined ? [] : [`x${factor}`]),
  ];
  return more.length === 0 ? UNKNOWN : more.join(',');
};

const writePriced = (name: string, price: DescribedPrice, limits: readonly string[]): readonly string[] => [
  name,
  ...ratesOf(price),
  listMore(price),
  ...limits,
  price.version,
  price.seen ?? UNKNOWN,
  price.source,
];

/** The target, and a row for each price that it will have later. */
const writeTarget = ({
  target,
  price,
  later = [],
  contextTokens,
  maxOutput,
}: ListedTarget): readonly (readonly string[])[] => {
  const limits = [String(contextTokens ?? UNKNOWN), String(maxOutput ?? UNKNOWN)];
  const now =
    price === 'unpriced'
      ? [target, 'unpriced', ...Array<string>(5).fill(UNKNOWN), ...limits, UNKNOWN, UNKNOWN, UNKNOWN]
      : writePriced(target, price, limits);
  return [now, ...later.map((next) => writePriced(`  from ${next.from?.slice(0, 10)}`, next, [UNKNOWN, UNKNOWN]))];
};

/** Which targets have no price, and what to do. */
const describeUnpriced = (models: readonly ListedModel[]): string => {
  const targets = models.flatMap((model) => model.targets.filter(({ price }) => price === 'unpriced'));
  const names = [...new Set(targets.map(({ target }) => target))];
  return names.length === 0 ? '' : `\n\nWithout a price: ${names.join(', ')}. Set price (docs/reference/prices.md).`;
};

/** The catalog as a text table, in USD per million tokens. @param unused prices without a model of the configuration */
export function formatCatalog(models: readonly ListedModel[], unused: readonly ListedTarget[]): string {
  const named = models.flatMap(({ model, targets }) =>
    targets.flatMap(writeTarget).map((row, index) => [index === 0 ? model : '', ...row]),
  );
  const rest = unused.flatMap((target) => writeTarget(target).map((row) => ['(unused)', ...row]));
  return alignColumns(columns, [...named, ...rest]) + describeUnpriced(models);
}
