import type { Capabilities, CapabilityOverrides, ModelFamily } from '../contracts/capabilities.ts';

/** What the provider ships for a model: the family with the longest matching prefix. */
export function findFamily(families: readonly ModelFamily[], model: string): Capabilities {
  let best: ModelFamily | undefined;
  for (const family of families) {
    if (model.startsWith(family.prefix) && family.prefix.length > (best?.prefix.length ?? -1)) best = family;
  }
  return best?.capabilities ?? {};
}

const lower = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : b === undefined ? a : Math.min(a, b);

/** What can be said at all: a `false` or the smaller number on either side holds, whatever the other says. */
const intersect = (model: Capabilities, wire: Capabilities): Capabilities => {
  const merged: Record<string, unknown> = { ...model };
  for (const [name, limit] of Object.entries(wire)) {
    const own = merged[name];
    if (limit === false || own === undefined) merged[name] = limit;
    else if (typeof limit === 'number' && typeof own === 'number') merged[name] = lower(own, limit);
  }
  return merged;
};

/**
 * Capabilities of one (target, wire), frozen: shipped data, then the operator's overrides, then the limits of the wire.
 */
export const resolveCapabilities = (
  family: Capabilities,
  overrides: CapabilityOverrides,
  wire: Capabilities,
): Capabilities => Object.freeze(intersect({ ...family, ...overrides }, wire));
