import type { GenerateRequest } from '../../core/api/index.ts';
import { lookUp, type Lose } from '../../core/api/codec.ts';

/** Tiers of other wires as the three of this vendor. `auto` is the default and is omitted. */
const tierOf: Readonly<Record<string, string>> = {
  priority: 'priority',
  fast: 'priority',
  flex: 'flex',
  default: 'standard',
  standard: 'standard',
  standard_only: 'standard',
};

/**
 * The tier of a request.
 * @param target the wire that it is written on: its clients get the vendor's opinion of their own word
 */
export function encodeTier({ serviceTier, wire }: GenerateRequest, target: string, lose: Lose): string | undefined {
  if (serviceTier === undefined || wire === target) return serviceTier;
  const tier = lookUp(tierOf, serviceTier);
  if (tier === undefined && serviceTier !== 'auto')
    lose('service_tier', 'dropped', `${target} has no tier '${serviceTier}'`);
  return tier;
}

/** Tiers as Google reports them. */
const reported: Readonly<Record<string, string>> = {
  standard: 'standard',
  default: 'standard',
  flex: 'flex',
  priority: 'priority',
};

/** The tier of a usage as Google reports it, if it has one. */
export const reportTier = (tier = ''): string | undefined => lookUp(reported, tier);
