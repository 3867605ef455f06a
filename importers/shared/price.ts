import type { JsonObject } from '../../core/api/index.ts';
import { omitUndefined, readObject } from '../../core/api/codec.ts';
import type { ConfigPath } from '../../core/api/internal.ts';
import type { Note } from './notes.ts';
import { numberOf } from './read.ts';

/** Prices per token, and the rates per million tokens that they become. */
const members = {
  input_cost_per_token: 'input',
  output_cost_per_token: 'output',
  cache_read_input_token_cost: 'cacheRead',
  cache_creation_input_token_cost: 'cacheWrite5m',
  cache_creation_input_token_cost_above_1hr: 'cacheWrite1h',
  cache_creation_input_token_cost_above_12hr: 'cacheWrite12h',
  output_cost_per_reasoning_token: 'reasoning',
  input_cost_per_audio_token: 'inputAudio',
  input_cost_per_image_token: 'inputImage',
  cache_read_input_audio_token_cost: 'cacheReadAudio',
  output_cost_per_audio_token: 'outputAudio',
  output_cost_per_image_token: 'outputImage',
} as const;

const tiers = ['flex', 'priority'] as const;
/** Lengths of prompts, in thousands of tokens, above which a price per token can differ. */
const lengths = [100, 128, 200, 256, 272, 512] as const;
/** USD for each search, by the size of its context. */
const SEARCHES = 'search_context_cost_per_query';
/** USD for each unit of what is not billed by tokens, by what a model does. The first member that is there counts. */
const unitMembers: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  audio_speech: { characters: ['input_cost_per_character'] },
  audio_transcription: { seconds: ['output_cost_per_second', 'input_cost_per_second'] },
  image_generation: { images: ['output_cost_per_image', 'input_cost_per_image'] },
  image_edit: { images: ['output_cost_per_image', 'input_cost_per_image'] },
  rerank: { searches: ['input_cost_per_query'] },
};
/** Models that generate text can bill images as well. */
const usualUnits = { images: ['output_cost_per_image'], characters: ['input_cost_per_character'] };
const unitsOf = (mode: string): Readonly<Record<string, readonly string[]>> => unitMembers[mode] ?? usualUnits;

const suffixes = ['', ...lengths.map((length) => `_above_${length}k_tokens`)].flatMap((suffix) =>
  ['', ...tiers.map((tier) => `_${tier}`)].map((tier) => `${suffix}${tier}`),
);

const tokenMembers = suffixes.flatMap((suffix) => Object.keys(members).map((name) => `${name}${suffix}`));

/** The members that {@link readPrice} reads. */
export const priceMembersOf = (mode: string): readonly string[] => [
  ...tokenMembers,
  SEARCHES,
  ...Object.values(unitsOf(mode)).flat(),
];

const perMillion = (dollars: number): number => Number((dollars * 1e6).toFixed(9));

/** The rates of the members that end with the suffix. */
const readRates = (settings: JsonObject, suffix: string): JsonObject =>
  Object.fromEntries(
    Object.entries(members).flatMap(([from, to]) => {
      const dollars = numberOf(settings[`${from}${suffix}`]);
      return dollars === undefined || dollars < 0 || dollars > 1 ? [] : [[to, perMillion(dollars)] as const];
    }),
  );

/** A card whose missing rates are those of the card around it. */
const readCard = (settings: JsonObject, suffix: string, around: JsonObject): JsonObject | undefined => {
  const rates = readRates(settings, suffix);
  return Object.keys(rates).length === 0 ? undefined : { ...around, ...rates };
};

const readLengths = (settings: JsonObject, tier: string, around: JsonObject): JsonObject => {
  const longContext = lengths.flatMap((length) => {
    const above = `_above_${length}k_tokens`;
    // What a tier does not have for long prompts is that of long prompts in general.
    const card = readCard(settings, `${above}${tier}`, { ...around, ...readRates(settings, above) });
    return card === undefined ? [] : [{ above: length * 1_000, ...card }];
  });
  return longContext.length === 0 ? {} : { longContext };
};

const readTiers = (settings: JsonObject, around: JsonObject): JsonObject => {
  const found = tiers.flatMap((tier) => {
    const card = readCard(settings, `_${tier}`, around);
    return card === undefined ? [] : [[tier, { ...card, ...readLengths(settings, `_${tier}`, card) }] as const];
  });
  return found.length === 0 ? {} : { tiers: Object.fromEntries(found) };
};

/** USD for each web search. */
const readSearches = (settings: JsonObject, at: ConfigPath, note: Note): number | undefined => {
  const costs = Object.values(readObject(settings[SEARCHES])).flatMap((cost) => numberOf(cost) ?? []);
  const highest = Math.max(0, ...costs);
  if (highest === 0) return undefined;
  if (costs.some((cost) => cost !== highest))
    note(at, 'A search has one price, whatever the size of its context: the highest is used.');
  return highest;
};

/** The prices of units; undefined without any. */
const readUnits = (settings: JsonObject, mode: string, webSearches?: number): JsonObject | undefined => {
  const units = Object.entries(unitsOf(mode)).flatMap(([unit, names]) => {
    const dollars = names.map((name) => numberOf(settings[name])).find((each) => each !== undefined && each > 0);
    return dollars === undefined ? [] : [[unit, dollars] as const];
  });
  const known = omitUndefined({ webSearches, ...Object.fromEntries(units) });
  return Object.keys(known).length === 0 ? undefined : known;
};

/**
 * The price of a deployment, if it has both input and output, or is billed by units only.
 * @param mode what the model does: `chat`, `rerank`. An embedding has no output, so its price is usually left out
 */
export function readPrice(settings: JsonObject, mode: string, at: ConfigPath, note: Note): JsonObject | undefined {
  const given = readRates(settings, '');
  if (Object.keys(given).length === 0) {
    const units = readUnits(settings, mode);
    return units && { input: 0, output: 0, units };
  }
  const rates: JsonObject = { ...(mode === 'embedding' ? { output: 0 } : {}), ...given };
  const missing = ['input', 'output'].filter((rate) => rates[rate] === undefined);
  if (missing.length === 0) {
    const card = { input: rates['input'], ...rates };
    return omitUndefined({
      ...card,
      ...readLengths(settings, '', card),
      ...readTiers(settings, card),
      units: readUnits(settings, mode, readSearches(settings, at, note)),
    });
  }
  note(
    at,
    `The price has no ${missing[0]}_cost_per_token, so it is left out. ` +
      'Set price with input and output, in USD per million tokens.',
  );
  return undefined;
}
