import type { GenerateRequest } from '../canonical/request.ts';
import type { WireName } from '../canonical/wire.ts';

/** Does the request switch thinking on? Said nothing about, it counts as off. */
export const isThinking = ({ reasoning }: GenerateRequest): boolean => {
  if (reasoning === undefined || reasoning.effort === 'none' || reasoning.budget === 0) return false;
  return reasoning.effort !== undefined || reasoning.budget !== undefined;
};

/** Does the request switch thinking off in so many words? */
export const isThinkingOff = ({ reasoning }: GenerateRequest): boolean => reasoning?.effort === 'none' || reasoning?.budget === 0;

/**
 * Wires on which thinking comes with conditions, whatever the model: reasoning is replayed with its proof or not at all, an assistant turn
 * with calls opens with it, sampling stays at the defaults, and the answer cannot be begun for the model.
 * @see https://docs.claude.com/en/docs/build-with-claude/extended-thinking
 */
const strictWires: ReadonlySet<WireName> = new Set(['messages', 'converse']);

export const isStrictAboutThinking = (wire: WireName): boolean => strictWires.has(wire);
