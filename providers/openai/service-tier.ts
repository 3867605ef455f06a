import { lookUp, type Lose } from '../../core/index.ts';

/** Words of other vendors, asked for or served, for the tier that OpenAI calls `default`. */
const words: Readonly<Record<string, string>> = { standard_only: 'default', standard: 'default', batch: 'default' };

/** The tier that a client asks for, in OpenAI's words. */
export function encodeTier(tier: string | undefined, lose: Lose): string | undefined {
  const word = tier === undefined ? undefined : lookUp(words, tier);
  if (word !== undefined) lose('service_tier', 'approximated', `written as '${word}'`);
  return word ?? tier;
}

/** The tier that an answer was served by, in OpenAI's words; one that only its vendor knows stays as it is. */
export const describeTier = (tier: string): string => lookUp(words, tier) ?? tier;
