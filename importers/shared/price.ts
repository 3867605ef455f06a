import type { JsonObject } from '../../core/api/index.ts';
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
  output_cost_per_reasoning_token: 'reasoning',
  input_cost_per_audio_token: 'inputAudio',
  output_cost_per_audio_token: 'outputAudio',
} as const;

export const priceMembers: readonly string[] = Object.keys(members);

const perMillion = (dollars: number): number => Number((dollars * 1e6).toFixed(9));

/**
 * The price of a deployment, if it has both input and output.
 * @param isEmbedding an embedding has no output, so its price is usually left out
 */
export function readPrice(
  settings: JsonObject,
  isEmbedding: boolean,
  at: ConfigPath,
  note: Note,
): JsonObject | undefined {
  const given = Object.entries(members).flatMap(([from, to]) => {
    const dollars = numberOf(settings[from]);
    return dollars === undefined || dollars < 0 || dollars > 1 ? [] : [[to, perMillion(dollars)] as const];
  });
  if (given.length === 0) return undefined;
  const price: JsonObject = { ...(isEmbedding ? { output: 0 } : {}), ...Object.fromEntries(given) };
  const missing = ['input', 'output'].filter((rate) => price[rate] === undefined);
  if (missing.length === 0) return { input: price['input'], ...price };
  note(
    at,
    `The price has no ${missing[0]}_cost_per_token, so it is left out. ` +
      'Set price with input and output, in USD per million tokens.',
  );
  return undefined;
}
