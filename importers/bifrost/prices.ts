import type { JsonObject } from '../../core/api/index.ts';
import { isObject, readList, readObject } from '../../core/api/codec.ts';
import type { ConfigPath } from '../../core/api/internal.ts';
import { mediaOf } from '../shared/modes.ts';
import type { Note } from '../shared/notes.ts';
import { priceMembersOf, readPrice } from '../shared/price.ts';
import { textOf } from '../shared/read.ts';

export type Price = JsonObject | undefined;

interface Override {
  readonly provider: string | undefined;
  readonly pattern: string;
  readonly price: JsonObject;
}

const matches = (pattern: string, model: string): boolean =>
  pattern.endsWith('*') ? model.startsWith(pattern.slice(0, -1)) : model === pattern;

/** An exact name takes precedence over a pattern, and a provider over all of them. */
const rank = ({ provider, pattern }: Override): number =>
  (provider === undefined ? 0 : 2) + (pattern.endsWith('*') ? 0 : 1);

const readPatch = (written: unknown): JsonObject => {
  if (isObject(written)) return written;
  try {
    return readObject(JSON.parse(textOf(written) ?? '{}'));
  } catch {
    return {};
  }
};

const readOverride = (entry: JsonObject, at: ConfigPath, note: Note): readonly Override[] => {
  const scope = textOf(entry['scope_kind']) ?? 'global';
  const pattern = textOf(entry['pattern']);
  if (pattern === undefined || !['global', 'provider'].includes(scope)) {
    note(at, 'A price is the same for all callers and keys, so this one is left out.', ['models']);
    return [];
  }
  const patch = readPatch(entry['pricing_patch'] ?? entry['patch']);
  const mode = mediaOf(pattern) ?? 'chat';
  const others = Object.keys(patch).filter((name) => !priceMembersOf(mode).includes(name));
  if (others.length > 0)
    note(at, `Left out of the price: ${others.join(', ')}. See docs/reference/prices.md.`, ['models']);
  const price = readPrice(patch, mode, at, note);
  return price === undefined
    ? []
    : [{ provider: scope === 'provider' ? textOf(entry['provider_id']) : undefined, pattern, price }];
};

/** Reads `governance.pricing_overrides`. @returns the price of a model at a provider */
export function readPrices(source: JsonObject, note: Note): (provider: string, model: string) => Price {
  const overrides = readList(readObject(source['governance'])['pricing_overrides'])
    .flatMap((entry, index) => readOverride(readObject(entry), ['governance', 'pricing_overrides', index], note))
    .toSorted((one, other) => rank(other) - rank(one));
  return (provider, model) =>
    overrides.find((one) => (one.provider === undefined || one.provider === provider) && matches(one.pattern, model))
      ?.price;
}
