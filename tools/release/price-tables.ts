import type { ShippedPrice, WrittenPrice, WrittenRateCard, WrittenTieredCard } from '../../core/api/index.ts';
import { readList, readObject } from '../../core/api/codec.ts';
import { builtIns } from '../../core/built-ins.ts';
import { listUnitFigures } from '../../core/catalog/describe-price.ts';
import { priceAt } from '../../core/catalog/target-prices.ts';
import { resolvePrices } from '../../core/config/resolve/resolve-price.ts';
import { writePrice } from '../../core/config/write/write-price.ts';

/** Figures in USD by their names: `input`, `>272000 flex output`, `webSearches`. Lengths are in whole thousands. */
export type Figures = Readonly<Record<string, number>>;
/** Figures by model, under `vendor/model`. */
export type Table = ReadonlyMap<string, Figures>;

/** The names of a provider in the tables of others. */
interface Names {
  readonly liteLlm: readonly string[];
  readonly modelsDev?: string;
}

/** Every provider that ships prices, except Bedrock, whose names of models differ from those of the tables. */
const vendors: Readonly<Record<string, Names>> = {
  'anthropic': { liteLlm: ['anthropic'], modelsDev: 'anthropic' },
  'google': { liteLlm: ['gemini'], modelsDev: 'google' },
  'openai': { liteLlm: ['openai'], modelsDev: 'openai' },
  'azure-openai': { liteLlm: ['azure'] },
  'vertex': { liteLlm: ['vertex_ai-anthropic_models', 'vertex_ai-language-models', 'vertex_ai-embedding-models'] },
  'cohere': { liteLlm: ['cohere', 'cohere_chat'], modelsDev: 'cohere' },
  'mistral': { liteLlm: ['mistral'], modelsDev: 'mistral' },
  'alibaba': { liteLlm: ['dashscope'], modelsDev: 'alibaba' },
  'cerebras': { liteLlm: ['cerebras'] },
  'deepseek': { liteLlm: ['deepseek'], modelsDev: 'deepseek' },
  'fireworks': { liteLlm: ['fireworks_ai'] },
  'groq': { liteLlm: ['groq'] },
  'moonshot': { liteLlm: ['moonshot'], modelsDev: 'moonshotai' },
  'perplexity': { liteLlm: ['perplexity'], modelsDev: 'perplexity' },
  'sambanova': { liteLlm: ['sambanova'] },
  'together': { liteLlm: ['together_ai'] },
  'xai': { liteLlm: ['xai'], modelsDev: 'xai' },
  'zai': { liteLlm: ['zai'], modelsDev: 'zai' },
};
const findVendor = (isIt: (names: Names) => boolean): string | undefined =>
  Object.keys(vendors).find((vendor) => isIt(vendors[vendor] ?? { liteLlm: [] }));

const kinds = ['input', 'output', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'cacheWrite12h', 'inputAudio'] as const;
const moreKinds = [
  'inputImage',
  'inputVideo',
  'cacheReadAudio',
  'cacheReadImage',
  'outputAudio',
  'outputImage',
] as const;

const listCard = (prefix: string, card: WrittenRateCard, factor = 1): readonly (readonly [string, number])[] => [
  ...[...kinds, ...moreKinds].flatMap((kind) =>
    card[kind] === undefined ? [] : [[`${prefix}${kind}`, card[kind] * factor] as const],
  ),
  ...(card.longContext ?? []).flatMap(({ above, ...long }) =>
    listCard(`>${Math.round(above / 1_000) * 1_000} ${prefix}`, long, factor),
  ),
];

const listPrice = (price: WrittenPrice): Figures => {
  const { tiers = {}, units = {}, regions = {} } = price;
  const listTier = ([tier, card]: readonly [string, WrittenTieredCard | number]) =>
    typeof card === 'number' ? listCard(`${tier} `, price, card) : listCard(`${tier} `, card);
  const factors = Object.entries(regions).flatMap(([region, factor]) =>
    typeof factor === 'number' ? [[`region ${region}`, factor] as const] : [],
  );
  return Object.fromEntries([
    ...listCard('', price),
    ...Object.entries(tiers).flatMap(listTier),
    ...listUnitFigures(units),
    ...factors,
  ]);
};

const findPrices = async (vendor: string): Promise<readonly ShippedPrice[]> =>
  (builtIns.provider[vendor] ?? (await builtIns.presets?.[vendor]?.()))?.prices ?? [];

/** The shipped prices that are valid at a time. @param now unix milliseconds */
export async function readShipped(now: number): Promise<Table> {
  const table = new Map<string, Figures>();
  for (const vendor of Object.keys(vendors))
    for (const { models, price, page } of await findPrices(vendor)) {
      const valid = priceAt(resolvePrices(price, { page }), now);
      if (valid !== undefined)
        for (const model of models) table.set(`${vendor}/${model}`, listPrice(writePrice(valid)));
    }
  return table;
}

const liteLlmKinds: Readonly<Record<string, string>> = {
  input_cost_per_token: 'input',
  output_cost_per_token: 'output',
  cache_read_input_token_cost: 'cacheRead',
  cache_creation_input_token_cost: 'cacheWrite5m',
  cache_creation_input_token_cost_above_1hr: 'cacheWrite1h',
  cache_creation_input_token_cost_above_12hr: 'cacheWrite12h',
  input_cost_per_audio_token: 'inputAudio',
  input_cost_per_image_token: 'inputImage',
  input_cost_per_video_token: 'inputVideo',
  cache_read_input_audio_token_cost: 'cacheReadAudio',
  output_cost_per_audio_token: 'outputAudio',
  output_cost_per_image_token: 'outputImage',
};

const PER_MILLION = 1e6;

const readLiteLlmFigure = (name: string, value: unknown): readonly (readonly [string, number])[] => {
  const [, base = '', above, tier] = /^(.+?)(?:_above_(\d+)k_tokens)?(?:_(flex|priority|ultrafast))?$/.exec(name) ?? [];
  const kind = liteLlmKinds[base];
  if (kind === undefined || typeof value !== 'number') return [];
  return [
    [
      `${above === undefined ? '' : `>${above}000 `}${tier === undefined ? '' : `${tier} `}${kind}`,
      Number((value * PER_MILLION).toPrecision(9)),
    ],
  ];
};

/** The figures of prompts by length, where the base figures are absent. */
const readLiteLlmSteps = (steps: unknown): readonly (readonly [string, number])[] =>
  readList(steps).flatMap((step) => {
    const { range, ...figures } = readObject(step);
    const above = Number(readList(range)[0] ?? 0);
    return Object.entries(figures).flatMap(([name, value]) =>
      readLiteLlmFigure(name, value).map(
        ([kind, figure]) => [above === 0 ? kind : `>${above} ${kind}`, figure] as const,
      ),
    );
  });

/** `model_prices_and_context_window.json` of LiteLLM. */
export const readLiteLlm = (data: unknown): Table =>
  new Map(
    Object.entries(readObject(data)).flatMap(([id, entry]) => {
      const { litellm_provider: provider, tiered_pricing: steps, ...values } = readObject(entry);
      const vendor = findVendor(({ liteLlm }) => liteLlm.includes(String(provider)));
      if (vendor === undefined) return [];
      const search = Object.values(readObject(values['search_context_cost_per_query']));
      const { us, fast } = readObject(values['provider_specific_entry']);
      const figures: Record<string, number> = Object.fromEntries([
        ...readLiteLlmSteps(steps),
        ...Object.entries(values).flatMap(([name, value]) => readLiteLlmFigure(name, value)),
      ]);
      if (typeof search[0] === 'number') figures['webSearches'] = search[0];
      if (typeof us === 'number') figures['region us'] = us;
      if (typeof fast === 'number') figures['fast input'] = fast * (figures['input'] ?? 0);
      const [prefix = ''] = String(provider).split('-');
      return [[`${vendor}/${id.startsWith(`${prefix}/`) ? id.slice(prefix.length + 1) : id}`, figures] as const];
    }),
  );

const modelsDevKinds = { input: 'input', output: 'output', cache_read: 'cacheRead', cache_write: 'cacheWrite5m' };

const readModelsDevRates = (prefix: string, rates: unknown): readonly (readonly [string, number])[] =>
  Object.entries(modelsDevKinds).flatMap(([from, to]) => {
    const rate = readObject(rates)[from];
    return typeof rate === 'number' ? [[`${prefix}${to}`, rate] as const] : [];
  });

const readModelsDevCost = (cost: unknown): Figures => {
  const long = readList(readObject(cost)['tiers']).flatMap((tier) => {
    const above = readObject(tier)['above'] ?? readObject(readObject(tier)['tier'])['size'];
    return readModelsDevRates(`>${String(above)} `, tier);
  });
  return Object.fromEntries([...readModelsDevRates('', cost), ...long]);
};

/** `api.json` of models.dev, or the history of it in `snapshot.json` of the PyPI package `model-prices`. */
export const readModelsDev = (data: unknown): Table => {
  const history = readObject(data)['prices'];
  return new Map(
    Object.entries(readObject(history ?? data)).flatMap(([name, entry]) => {
      const vendor = findVendor(({ modelsDev }) => modelsDev === name);
      if (vendor === undefined) return [];
      const models = Object.entries(readObject(history === undefined ? readObject(entry)['models'] : entry));
      return models.map(([id, model]) => {
        const last = readObject(readList(readObject(model)['standard']).at(-1));
        return [`${vendor}/${id}`, readModelsDevCost(last['rates'] ?? readObject(model)['cost'])] as const;
      });
    }),
  );
};
