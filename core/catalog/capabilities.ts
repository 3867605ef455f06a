import type { Capabilities, CapabilityOverrides, ModelFamily } from '../contracts/capabilities.ts';

/** The capabilities that the provider ships for a model: those of the family with the longest matching prefix. */
export function findFamily(families: readonly ModelFamily[], model: string): Capabilities {
  let best: ModelFamily | undefined;
  for (const family of families) {
    if (model.startsWith(family.prefix) && family.prefix.length > (best?.prefix.length ?? -1)) best = family;
  }
  return best?.capabilities ?? {};
}

const minimum = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : b === undefined ? a : Math.min(a, b);

/** Combines model and wire: `false` on either side wins, and so does the smaller number. */
const intersect = (model: Capabilities, wire: Capabilities): Capabilities => {
  const merged: Record<string, unknown> = { ...model };
  for (const [name, limit] of Object.entries(wire)) {
    const own = merged[name];
    if (limit === false || own === undefined) merged[name] = limit;
    else if (typeof limit === 'number' && typeof own === 'number') merged[name] = minimum(own, limit);
  }
  return merged;
};

/** The frozen capabilities of a target on a wire: shipped data, overridden by the operator, restricted by the wire. */
export const resolveCapabilities = (
  family: Capabilities,
  overrides: CapabilityOverrides,
  wire: Capabilities,
): Capabilities => Object.freeze(intersect({ ...family, ...overrides }, wire));
