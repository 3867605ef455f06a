import type { DescribedCard } from '../../catalog/describe-price.ts';
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
const ratesOf = ({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: DescribedCard): readonly string[] =>
  [input, output, cacheRead, cacheWrite5m, cacheWrite1h].map((rate) => String(rate ?? UNKNOWN));

/** The names of further rates, which have no column: longer prompts, tiers, kinds of tokens, calls. */
const listMore = (price: Exclude<ListedTarget['price'], 'unpriced'>): string => {
  const { longContext = [], tiers = {}, request } = price;
  const apart = (['reasoning', 'inputAudio', 'inputImage', 'outputAudio', 'outputImage'] as const).filter(
    (kind) => price[kind] !== undefined,
  );
  const more = [
    ...longContext.map(({ above }) => `>${above}`),
    ...Object.keys(tiers),
    ...apart,
    ...(request === undefined ? [] : ['request']),
  ];
  return more.length === 0 ? UNKNOWN : more.join(',');
};

const writeTarget = ({ target, price, contextTokens, maxOutput }: ListedTarget): readonly string[] => {
  const limits = [String(contextTokens ?? UNKNOWN), String(maxOutput ?? UNKNOWN)];
  if (price === 'unpriced')
    return [target, 'unpriced', ...Array<string>(5).fill(UNKNOWN), ...limits, UNKNOWN, UNKNOWN, UNKNOWN];
  return [target, ...ratesOf(price), listMore(price), ...limits, price.version, price.seen ?? UNKNOWN, price.source];
};

/** The catalog as a text table, in USD per million tokens. @param unused prices without a model of the configuration */
export function formatCatalog(models: readonly ListedModel[], unused: readonly ListedTarget[]): string {
  const named = models.flatMap(({ model, targets }) =>
    targets.map((target, index) => [index === 0 ? model : '', ...writeTarget(target)]),
  );
  return alignColumns(columns, [...named, ...unused.map((target) => ['(unused)', ...writeTarget(target)])]);
}
