import type { CacheMark, Part } from '../../canonical/part.ts';
import type { GenerateRequest, Turn } from '../../canonical/request.ts';
import type { WireTraits } from '../../contracts/capabilities.ts';

/** A mark on empty text or reasoning is a 400. Calls and opaque blocks are left alone. */
const canCarry = (part: Part): boolean =>
  (part.type === 'text' && part.text.trim() !== '') || part.type === 'media' || part.type === 'tool-result';

const markTurn = (turns: readonly Turn[], index: number, cache: CacheMark): readonly Turn[] => {
  const turn = turns[index];
  if (turn === undefined) return turns;
  const at = turn.parts.findLastIndex(canCarry);
  return turns.with(index, {
    ...turn,
    parts: turn.parts.map((part, place) => (place === at ? { ...part, cache } : part)),
  });
};

/**
 * The last part of the system prompt, and of each of the last two runs of user turns: this request writes what the next
 * one reads.
 */
const choosePlaces = (turns: readonly Turn[]): readonly number[] => {
  const leading = turns.findIndex(({ role }) => role !== 'system');
  const system = turns.slice(0, Math.max(leading, 0)).findLastIndex(({ parts }) => parts.some(canCarry));
  const places: number[] = [];
  let inRun = false;
  for (let index = turns.length - 1; index >= 0 && places.length < 2; index -= 1) {
    const turn = turns[index];
    if (turn?.role !== 'user') inRun = false;
    else if (!inRun && turn.parts.some(canCarry)) {
      places.push(index);
      inRun = true;
    }
  }
  return system === -1 ? places : [system, ...places];
};

/**
 * Marks the last tool, the end of the system prompt and the last two user messages: at most the four marks that vendors
 * accept.
 */
export function placeMarks(
  request: GenerateRequest,
  cache: CacheMark,
  { cacheMarksOnTools }: WireTraits,
): GenerateRequest {
  const turns = choosePlaces(request.turns).reduce((marked, index) => markTurn(marked, index, cache), request.turns);
  const last = cacheMarksOnTools === true ? request.tools.at(-1) : undefined;
  return {
    ...request,
    turns,
    tools: last === undefined ? request.tools : request.tools.with(request.tools.length - 1, { ...last, cache }),
  };
}
