import type { GenerateRequest } from '../../canonical/request.ts';

/** Whether the request switches reasoning on. Without any setting it counts as off. */
export function isThinking({ reasoning }: GenerateRequest): boolean {
  if (reasoning === undefined || reasoning.effort === 'none' || reasoning.budget === 0) return false;
  return reasoning.effort !== undefined || reasoning.budget !== undefined;
}

/** Whether the request explicitly switches reasoning off. */
export const isThinkingOff = ({ reasoning }: Pick<GenerateRequest, 'reasoning'>): boolean =>
  reasoning?.effort === 'none' || reasoning?.budget === 0;
