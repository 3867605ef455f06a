import { lookUp, type Lose } from '../../core/api/codec.ts';

/** Names of other vendors for the tier that OpenAI calls `default`. */
const names: Readonly<Record<string, string>> = { standard_only: 'default', standard: 'default', batch: 'default' };

/** The requested tier, as OpenAI names it. */
export function encodeTier(tier: string, lose: Lose): string {
  const name = lookUp(names, tier);
  if (name !== undefined) lose('service_tier', 'approximated', `written as '${name}'`);
  return name ?? tier;
}

/** The tier that served the response, as OpenAI names it. A name that is not known stays as it is. */
export const describeTier = (tier: string): string => lookUp(names, tier) ?? tier;
