import { omitUndefined, type WrittenRateCard, type WrittenRates } from '../../../core/index.ts';

/** The vendor's table of prices. */
export const pricing = 'https://developers.openai.com/api/docs/pricing';
/** The page of one model, which tells its price as well. */
export const pageOf = (model: string): string => `https://developers.openai.com/api/docs/models/${model}`;

/** A row of the table. A dash there is no figure here: cached input then costs as input does. From GPT-5.6 on, writing the cache costs more than input. */
export const rates = (input: number, cacheRead: number, output: number, cacheWrite5m?: number): WrittenRates =>
  omitUndefined({
    input,
    output,
    cacheRead,
    cacheWrite5m,
  });

/** Its columns for long context: prompts with more than 272K input tokens, the full request. */
export const long = (...row: Parameters<typeof rates>): Pick<WrittenRateCard, 'longContext'> => ({
  longContext: [{ above: 272_000, ...rates(...row) }],
});

/** Fast mode, which was called priority: answers name either. */
export const fast = (card: WrittenRateCard): Readonly<Record<'priority' | 'fast', WrittenRateCard>> => ({
  priority: card,
  fast: card,
});
