import type { ShippedPrice, WrittenRateCard, WrittenRates } from '../../core/api/index.ts';
import { omitUndefined } from '../../core/api/codec.ts';

/** The list that the vendor publishes for programs. */
const list = 'https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/AmazonBedrock/current/us-east-1/index.json';
const pricing = 'https://aws.amazon.com/bedrock/pricing/';
const cards = 'https://docs.aws.amazon.com/bedrock/latest/userguide/model-cards.html';
/** Read from a table that names these pages: docs/reference/prices.md. */
const seen = '2026-11-01';

type Row = readonly [
  input: number,
  output: number,
  cacheRead?: number | undefined,
  cacheWrite5m?: number | undefined,
  cacheWrite1h?: number | undefined,
];
interface Card extends WrittenRates, Pick<WrittenRateCard, 'longContext'> {}

const rates = ([input, output, cacheRead, cacheWrite5m, cacheWrite1h]: Row): WrittenRates =>
  omitUndefined({ input, output, cacheRead, cacheWrite5m, cacheWrite1h });
const card = (row: Row, above?: number, long?: Row): Card => ({
  ...rates(row),
  ...(above === undefined || long === undefined ? {} : { longContext: [{ above, ...rates(long) }] }),
});

/** Profiles that keep requests in a region. Of models by OpenAI only those of the United States have a known price. */
const regions = ['us', 'eu', 'apac', 'au', 'jp'] as const;

const scale = (value: number): number => Math.round(value * 1.1 * 1e6) / 1e6;
const scaleRow = ([input, output, ...cache]: Row): Row => {
  const [cacheRead, cacheWrite5m, cacheWrite1h] = cache.map((value) => value && scale(value));
  return [scale(input), scale(output), cacheRead, cacheWrite5m, cacheWrite1h];
};

/** The price of a model by its own name or the global profile. The profiles of regions cost 10 % more. */
const everywhere = (page: string, name: string, row: Row, above?: number, long?: Row): readonly ShippedPrice[] => [
  { models: [name, `global.${name}`], page, seen, price: card(row, above, long) },
  {
    models: (name.startsWith('openai.') ? ['us'] : regions).map((region) => `${region}.${name}`),
    page,
    seen,
    price: card(scaleRow(row), above, long === undefined ? undefined : scaleRow(long)),
  },
];

/** The price of a model by its own name, and by that of its profile. */
const oneProfile = (page: string, names: readonly string[], row: Row, tiers?: Tiers): ShippedPrice => ({
  models: names.flatMap((name) => [name, `us.${name}`]),
  page,
  seen,
  price: { ...rates(row), ...(tiers === undefined ? {} : { tiers: tiersOf(tiers) }) },
});
interface Tiers {
  readonly flex?: Row;
  readonly priority?: Row;
}
const tiersOf = ({ flex, priority }: Tiers): Readonly<Record<string, WrittenRates>> => ({
  ...(flex === undefined ? {} : { flex: rates(flex) }),
  ...(priority === undefined ? {} : { priority: rates(priority) }),
});

const opus: Row = [5, 25, 0.5, 6.25, 10];
const sonnet: Row = [3, 15, 0.3, 3.75, 6];

const claude: readonly ShippedPrice[] = [
  ...['opus-4-5-20251101-v1:0', 'opus-4-6-v1', 'opus-4-7', 'opus-4-8', 'opus-5'].flatMap((name) =>
    everywhere(pricing, `anthropic.claude-${name}`, opus),
  ),
  ...everywhere(pricing, 'anthropic.claude-opus-5-5', [4, 20, 0.2, 5, 8]),
  ...everywhere(pricing, 'anthropic.claude-sonnet-4-5-20250929-v1:0', sonnet, 200_000, [6, 22.5, 0.6, 7.5, 12]),
  ...everywhere(pricing, 'anthropic.claude-sonnet-4-6', sonnet),
  ...everywhere(pricing, 'anthropic.claude-sonnet-5', [2, 10, 0.2, 2.5, 4]),
  ...everywhere(list, 'anthropic.claude-sonnet-5-5', [2, 10, 0.1, 2.5, 4]),
  ...everywhere(pricing, 'anthropic.claude-haiku-4-5-20251001-v1:0', [1, 5, 0.1, 1.25, 2]),
  ...everywhere(list, 'anthropic.claude-haiku-5-5', [0.1, 0.5, 0.01, 0.125, 0.2], 100_000, [0.5, 2.5, 0.05, 0.625, 1]),
  {
    models: ['', 'us.', 'eu.', 'apac.', 'global.'].map(
      (profile) => `${profile}anthropic.claude-sonnet-4-20250514-v1:0`,
    ),
    page: pricing,
    seen,
    price: card([3, 15, 0.3, 3.75], 200_000, [6, 22.5, 0.6, 7.5]),
  },
  { models: ['us.anthropic.claude-opus-4-1-20250805-v1:0'], page: pricing, seen, price: rates([15, 75, 1.5, 18.75]) },
];

const LONG = 272_000;
const openai: readonly ShippedPrice[] = [
  ...everywhere(cards, 'openai.gpt-5.4', [2.5, 15, 0.25], LONG, [5, 22.5, 0.5]),
  ...everywhere(cards, 'openai.gpt-5.5', [5, 30, 0.5], LONG, [10, 45, 1]),
  ...everywhere(cards, 'openai.gpt-5.6-sol', [4, 20, 0.4, 5], LONG, [8, 30, 0.8, 10]),
  ...everywhere(cards, 'openai.gpt-5.6-terra', [2, 12, 0.2, 2.5], LONG, [4, 18, 0.4, 5]),
  ...everywhere(cards, 'openai.gpt-5.6-luna', [0.2, 1.2, 0.02, 0.25], LONG, [0.4, 1.8, 0.04, 0.5]),
  ...everywhere(cards, 'openai.gpt-6-astra', [10, 50, 1, 12.5], LONG, [20, 75, 2, 25]),
  ...everywhere(pricing, 'openai.gpt-6-sol', [2, 10, 0.2, 2.5], LONG, [4, 15, 0.4, 5]),
  ...everywhere(pricing, 'openai.gpt-6-luna', [0.1, 0.5, 0.01, 0.125], LONG, [0.2, 0.75, 0.02, 0.25]),
  ...everywhere(cards, 'openai.gpt-6.1-sol', [2, 10, 0.1, 2.5], LONG, [4, 15, 0.2, 5]),
  oneProfile(list, ['openai.gpt-oss-120b-1:0'], [0.15, 0.6], { flex: [0.075, 0.3], priority: [0.2625, 1.05] }),
  oneProfile(list, ['openai.gpt-oss-20b-1:0'], [0.07, 0.3], { flex: [0.035, 0.15], priority: [0.1225, 0.525] }),
];

const nova: readonly ShippedPrice[] = [
  oneProfile(list, ['amazon.nova-micro-v1:0'], [0.035, 0.14, 0.008_75]),
  oneProfile(list, ['amazon.nova-lite-v1:0'], [0.06, 0.24, 0.015]),
  oneProfile(list, ['amazon.nova-pro-v1:0'], [0.8, 3.2, 0.2], {
    flex: [0.4, 1.6, 0.1],
    priority: [1.4, 5.6, 0.35],
  }),
  oneProfile(list, ['amazon.nova-premier-v1:0'], [2.5, 12.5, 0.625], { priority: [4.375, 21.875, 1.093_75] }),
  {
    models: ['amazon.nova-2-lite-v1:0', 'global.amazon.nova-2-lite-v1:0'],
    page: list,
    seen,
    price: { ...rates([0.3, 2.5, 0.075]), tiers: { priority: rates([0.525, 4.375, 0.131_25]) } },
  },
  {
    models: ['us.amazon.nova-2-lite-v1:0'],
    page: list,
    seen,
    price: {
      ...rates([0.33, 2.75, 0.0825]),
      tiers: { flex: rates([0.165, 1.375, 0.041_25]), priority: rates([0.5775, 4.8125, 0.144_375]) },
    },
  },
  {
    models: ['eu.amazon.nova-pro-v1:0'],
    page: pricing,
    seen,
    price: { ...rates([1.05, 4.2, 0.2625]), tiers: { flex: rates([0.525, 2.1, 0.131_25]) } },
  },
];

const others: readonly ShippedPrice[] = [
  oneProfile(list, ['meta.llama3-1-70b-instruct-v1:0', 'meta.llama3-3-70b-instruct-v1:0'], [0.72, 0.72]),
  oneProfile(list, ['meta.llama3-1-8b-instruct-v1:0'], [0.22, 0.22]),
  oneProfile(cards, ['meta.llama4-maverick-17b-instruct-v1:0'], [0.24, 0.97]),
  oneProfile(cards, ['meta.llama4-scout-17b-instruct-v1:0'], [0.17, 0.66]),
  oneProfile(cards, ['deepseek.r1-v1:0'], [1.35, 5.4]),
  oneProfile(cards, ['deepseek.v3-v1:0'], [0.58, 1.68]),
  oneProfile(list, ['deepseek.v3.2'], [0.62, 1.85], { flex: [0.31, 0.925], priority: [1.085, 3.2375] }),
  oneProfile(list, ['mistral.mistral-large-3-675b-instruct'], [0.5, 1.5], {
    flex: [0.25, 0.75],
    priority: [0.88, 2.63],
  }),
  oneProfile(pricing, ['mistral.pixtral-large-2502-v1:0'], [2, 6]),
  oneProfile(cards, ['qwen.qwen3-235b-a22b-2507-v1:0'], [0.22, 0.88], { flex: [0.11, 0.44] }),
  oneProfile(list, ['qwen.qwen3-32b-v1:0'], [0.15, 0.6], { flex: [0.075, 0.3], priority: [0.2625, 1.05] }),
];

const embeddings: readonly ShippedPrice[] = [
  { models: ['cohere.embed-english-v3', 'cohere.embed-multilingual-v3'], page: pricing, seen, price: rates([0.1, 0]) },
  {
    models: ['cohere.embed-v4:0', 'us.cohere.embed-v4:0', 'global.cohere.embed-v4:0'],
    page: pricing,
    seen,
    price: rates([0.12, 0]),
  },
];

/** On demand, in dollars per million tokens. Models that are not here have no price: set it with the target. */
export const bedrockPrices: readonly ShippedPrice[] = [...claude, ...openai, ...nova, ...others, ...embeddings];
