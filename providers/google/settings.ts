import type { GenerateRequest, JsonObject, OutputFormat } from '../../core/api/index.ts';
import { lookUp, type Lose } from '../../core/api/codec.ts';
import { writeSchema } from './generate-content/schema-dialect.ts';

/*
 * Settings that both wires of Google have. `own` is the wire that a request is written on: its clients get the vendor's
 * opinion of what they set.
 */

/** Tiers of other wires as the three of this vendor. `auto` is the default and is omitted. */
const tierOf: Readonly<Record<string, string>> = {
  priority: 'priority',
  fast: 'priority',
  flex: 'flex',
  default: 'standard',
  standard: 'standard',
  standard_only: 'standard',
};

export function encodeTier({ serviceTier, wire }: GenerateRequest, own: string, lose: Lose): string | undefined {
  if (serviceTier === undefined || wire === own) return serviceTier;
  const tier = lookUp(tierOf, serviceTier);
  if (tier === undefined && serviceTier !== 'auto')
    lose('service_tier', 'dropped', `${own} has no tier '${serviceTier}'`);
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

/** The most that the vendor accepts. */
const MAX_STOPS = 5;
export function encodeStop({ stop, wire }: GenerateRequest, own: string, lose: Lose): GenerateRequest['stop'] {
  if (wire === own || stop === undefined || stop.length <= MAX_STOPS) return stop;
  lose('stop', 'approximated', `${own} accepts the first ${MAX_STOPS}`);
  return stop.slice(0, MAX_STOPS);
}

const SEED_LIMIT = 2 ** 31;
/** The vendor's seed is a signed 32-bit integer. */
export function encodeSeed({ seed, wire }: GenerateRequest, own: string, lose: Lose): GenerateRequest['seed'] {
  if (wire === own || seed === undefined || (typeof seed === 'number' && seed >= -SEED_LIMIT && seed < SEED_LIMIT))
    return seed;
  lose('seed', 'dropped', `${own} accepts a seed of 32 bits`);
  return undefined;
}

/** The schema of a format. The wires have no name for it, and the model does not read it: nothing is lost. */
export function encodeSchema(
  { schema, description, strict, name: _name }: Extract<OutputFormat, { type: 'schema' }>,
  own: string,
  lose: Lose,
): JsonObject {
  if (description !== undefined)
    lose('response_format.description', 'dropped', `${own} describes a format only inside its schema`);
  if (strict === false) lose('response_format.strict', 'approximated', `${own} always enforces the schema`);
  return writeSchema(schema);
}
