import type { GenerateRequest } from '../../canonical/request.ts';

/** Does the request switch thinking on? Said nothing about, it counts as off. */
export function isThinking({ reasoning }: GenerateRequest): boolean {
  if (reasoning === undefined || reasoning.effort === 'none' || reasoning.budget === 0) return false;
  return reasoning.effort !== undefined || reasoning.budget !== undefined;
}

/** Does the request switch thinking off in so many words? */
export const isThinkingOff = ({ reasoning }: Pick<GenerateRequest, 'reasoning'>): boolean =>
  reasoning?.effort === 'none' || reasoning?.budget === 0;
