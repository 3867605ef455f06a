import type { DescribedCard } from '../../catalog/describe-price.ts';
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

const writeTable = (rows: readonly (readonly string[])[]): string => {
  const table = [columns, ...rows];
  const widths = columns.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

/** The catalog as a text table, in USD per million tokens. @param unused prices without a model of the configuration */
export function formatCatalog(models: readonly ListedModel[], unused: readonly ListedTarget[]): string {
  const named = models.flatMap(({ model, targets }) =>
    targets.map((target, index) => [index === 0 ? model : '', ...writeTarget(target)]),
  );
  return writeTable([...named, ...unused.map((target) => ['(unused)', ...writeTarget(target)])]);
}
