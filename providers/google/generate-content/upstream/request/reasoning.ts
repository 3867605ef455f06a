import type { GenerateRequest, JsonObject } from '../../../../../core/api/index.ts';
import { lookUp, type Lose, omitUndefined } from '../../../../../core/api/codec.ts';
import { WIRE } from '../../shape.ts';

/** https://ai.google.dev/api/generate-content#ThinkingLevel. The wire has no level above `HIGH`. */
const levelOf: Readonly<Record<string, string>> = {
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
};

const encodeLevel = (effort: string, wire: string, lose: Lose): string => {
  if (wire === WIRE) return effort.toUpperCase();
  const level = lookUp(levelOf, effort) ?? effort.toUpperCase();
  if (level !== effort.toUpperCase())
    lose('reasoning_effort', 'approximated', `generate-content has no effort '${effort}'`);
  return level;
};

/** Other wires show reasoning unless the client opts out; this wire hides thoughts unless the client opts in. */
const includesThoughts = (hasThinking: boolean, show: boolean | undefined, wire: string): boolean =>
  show ?? (hasThinking && wire !== WIRE);

/** `thinkingConfig`: a level or a budget, never both. https://ai.google.dev/gemini-api/docs/thinking */
export function encodeReasoning({ reasoning, wire }: GenerateRequest, lose: Lose): JsonObject | undefined {
  if (reasoning === undefined) return undefined;
  const { effort, budget, show } = reasoning;
  if (effort === 'none' || budget === 0) return { thinkingBudget: 0 };
  const level = budget === undefined && effort !== undefined ? encodeLevel(effort, wire, lose) : undefined;
  const hasThinking = budget !== undefined || level !== undefined;
  const thinking = omitUndefined({
    includeThoughts: includesThoughts(hasThinking, show, wire) || undefined,
    thinkingBudget: budget,
    thinkingLevel: level,
  });
  return Object.keys(thinking).length === 0 ? undefined : thinking;
}
