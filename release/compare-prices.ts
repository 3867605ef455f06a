import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { WrittenPrice, WrittenRateCard, WrittenTieredCard } from '../core/api/index.ts';
import { readList, readObject } from '../core/api/codec.ts';
import { priceAt } from '../core/catalog/target-prices.ts';
import { resolvePrices } from '../core/config/resolve/resolve-price.ts';
import { writePrice } from '../core/config/write/write-price.ts';
import { anthropicPrices } from '../providers/anthropic/prices.ts';
import { googlePrices } from '../providers/google/prices.ts';
import { openAiPrices } from '../providers/openai/prices.ts';

/** Figures in USD by their names: `input`, `>272000 flex output`, `webSearches`. */
type Figures = Readonly<Record<string, number>>;
/** Figures by model, under `vendor/model`. */
export type Table = ReadonlyMap<string, Figures>;

const shipped = { anthropic: anthropicPrices, google: googlePrices, openai: openAiPrices };
/** Differences of at most this share are rounding. */
const TOLERANCE = 0.01;

const kinds = ['input', 'output', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'cacheWrite12h', 'inputAudio'] as const;
const moreKinds = ['inputImage', 'inputVideo', 'cacheReadAudio', 'outputAudio', 'outputImage'] as const;

const listCard = (prefix: string, card: WrittenRateCard, factor = 1): readonly (readonly [string, number])[] => [
  ...[...kinds, ...moreKinds].flatMap((kind) =>
    card[kind] === undefined ? [] : [[`${prefix}${kind}`, card[kind] * factor] as const],
  ),
  ...(card.longContext ?? []).flatMap(({ above, ...long }) => listCard(`>${above} ${prefix}`, long, factor)),
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
    ...Object.entries(units),
    ...factors,
  ]);
};

/** The shipped prices that are valid now. */
const readShipped = (now: number): Table =>
  new Map(
    Object.entries(shipped).flatMap(([vendor, prices]) =>
      prices.flatMap(({ models, price, page }) => {
        const valid = priceAt(resolvePrices(price, { page }), now);
        return valid === undefined ? [] : models.map((model) => [`${vendor}/${model}`, listPrice(writePrice(valid))]);
      }),
    ),
  );

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

/** `model_prices_and_context_window.json` of LiteLLM. */
export const readLiteLlm = (data: unknown): Table =>
  new Map(
    Object.entries(readObject(data)).flatMap(([id, entry]) => {
      const { litellm_provider: provider, ...values } = readObject(entry);
      const vendor = provider === 'gemini' ? 'google' : provider;
      if (typeof vendor !== 'string' || !Object.hasOwn(shipped, vendor)) return [];
      const search = Object.values(readObject(values['search_context_cost_per_query']));
      const { us, fast } = readObject(values['provider_specific_entry']);
      const figures: Record<string, number> = Object.fromEntries(
        Object.entries(values).flatMap(([name, value]) => readLiteLlmFigure(name, value)),
      );
      if (typeof search[0] === 'number') figures['webSearches'] = search[0];
      if (typeof us === 'number') figures['region us'] = us;
      if (typeof fast === 'number') figures['fast input'] = fast * (figures['input'] ?? 0);
      return [[`${vendor}/${id.replace('gemini/', '')}`, figures] as const];
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
    Object.entries(readObject(history ?? data)).flatMap(([vendor, entry]) => {
      if (!Object.hasOwn(shipped, vendor)) return [];
      const models = Object.entries(readObject(history === undefined ? readObject(entry)['models'] : entry));
      return models.map(([id, model]) => {
        const last = readObject(readList(readObject(model)['standard']).at(-1));
        return [`${vendor}/${id}`, readModelsDevCost(last['rates'] ?? readObject(model)['cost'])] as const;
      });
    }),
  );
};

/** The kind at whose rate a kind is charged that has none of its own. */
const defaults: Readonly<Record<string, string>> = {
  cacheRead: 'input',
  cacheWrite5m: 'input',
  cacheWrite1h: 'cacheWrite5m',
  cacheWrite12h: 'cacheWrite1h',
  inputAudio: 'input',
  inputImage: 'input',
  inputVideo: 'input',
  cacheReadAudio: 'cacheRead',
  outputAudio: 'output',
  outputImage: 'output',
};

/** What a table charges for a figure: that of the same card for another kind, or that of the card around it. */
const charge = (figures: Figures, name: string): number => {
  const own = figures[name];
  if (own !== undefined) return own;
  const words = name.split(' ');
  const kind = words.pop() ?? '';
  const card = words.map((word) => `${word} `).join('');
  const other = defaults[kind];
  if (other !== undefined && figures[`${card}input`] !== undefined) return charge(figures, `${card}${other}`);
  if (words.length === 0 || kind === 'us') return kind === 'us' ? 1 : 0;
  // A tier without rates for long prompts has its own rates for all of them.
  return charge(figures, [...(words.length > 1 ? words.slice(1) : []), kind].join(' '));
};

/** A line for each figure of another table at which this one charges something else, by more than one percent. */
export function compareTables(ours: Table, theirs: Table): readonly string[] {
  const lines: string[] = [];
  for (const [model, figures] of ours)
    for (const [name, other] of Object.entries(theirs.get(model) ?? {})) {
      const own = charge(figures, name);
      if (Math.abs(own - other) <= TOLERANCE * Math.max(own, other)) continue;
      const note = figures[name] === undefined ? ' (no figure of its own)' : '';
      lines.push(`${model}  ${name}: ${Number(own.toPrecision(9))} here${note}, ${Number(other.toPrecision(9))} there`);
    }
  return lines;
}

const run = (): void => {
  const { values } = parseArgs({ options: { litellm: { type: 'string' }, 'models-dev': { type: 'string' } } });
  const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
  const ours = readShipped(Date.now());
  const tables: readonly (readonly [string, Table])[] = [
    ...(values.litellm === undefined ? [] : [['LiteLLM', readLiteLlm(read(values.litellm))] as const]),
    ...(values['models-dev'] === undefined ? [] : [['models.dev', readModelsDev(read(values['models-dev']))] as const]),
  ];
  for (const [name, table] of tables) {
    const lines = compareTables(ours, table);
    const shared = [...ours.keys()].filter((model) => table.has(model));
    console.log(`${name}: ${shared.length} of ${ours.size} shipped models, ${lines.length} differences`);
    for (const line of lines) console.log(`  ${line}`);
    const missing = [...table].flatMap(([model, { input }]) => (input && !ours.has(model) ? [model] : []));
    console.log(`  without a shipped price: ${missing.join(', ')}`);
  }
};

if (import.meta.main) run();
