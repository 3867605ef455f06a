import type { CacheMark, Part } from '../../canonical/part.ts';
import type { GenerateRequest, Turn } from '../../canonical/request.ts';
import { defineFit, type FitContext } from '../../contracts/fit.ts';
import { collectMarks, hasMarks, isLonger, nearestLifetime, rewriteMarks } from './cache-marks.ts';
import { describeField } from '../support/field-name.ts';
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
function placeMarks(request: GenerateRequest, cache: CacheMark, { cacheMarksOnTools }: WireTraits): GenerateRequest {
  const turns = choosePlaces(request.turns).reduce((marked, index) => markTurn(marked, index, cache), request.turns);
  const last = cacheMarksOnTools === true ? request.tools.at(-1) : undefined;
  return {
    ...request,
    turns,
    tools: last === undefined ? request.tools : request.tools.with(request.tools.length - 1, { ...last, cache }),
  };
}

/** The maximum of both vendors with marks. */
const MAX_MARKS = 4;

const dropMarks = (request: GenerateRequest, { lose, client }: FitContext): GenerateRequest => {
  lose(describeField(client, 'cache'), 'dropped', 'the target has no cache marks');
  return rewriteMarks(request, () => undefined);
};

/** Converts marks to lifetimes of the target, none longer than one before it. Of too many marks the last are kept. */
const convertMarks = (
  request: GenerateRequest,
  known: readonly CacheMark['ttl'][],
  { lose, client }: FitContext,
): GenerateRequest => {
  const field = describeField(client, 'cache');
  let surplus = collectMarks(request).length - MAX_MARKS;
  if (surplus > 0) lose(field, 'approximated', `the target accepts ${MAX_MARKS} cache marks: the last ones were kept`);
  let shortest: CacheMark['ttl'] | undefined;
  return rewriteMarks(request, (mark) => {
    surplus -= 1;
    if (surplus >= 0) return undefined;
    const nearest = nearestLifetime(mark.ttl, known) ?? mark.ttl;
    const ttl = shortest !== undefined && isLonger(nearest, shortest) ? shortest : nearest;
    shortest = ttl;
    if (ttl === mark.ttl) return mark;
    lose(
      field,
      'approximated',
      'cache marks got the nearest lifetime that the target has, none longer than one before it',
    );
    return { ttl };
  });
};

/**
 * Adapts cache marks to the target. Marks of the client are kept, with other lifetimes where needed. If it has set
 * none, the gateway places them where configured (`models.<id>.promptCache`). Between equal wires marks are unchanged,
 * as on the native lane. Placing marks is not a loss: nothing that the client sent changes.
 */
export const promptCacheFit = defineFit({
  name: 'prompt-cache',
  fit(request, { capabilities: { cacheMarks = [] }, promptCache, wire, traits }, context) {
    if (request.wire === wire) return undefined;
    if (hasMarks(request)) {
      const adapted =
        cacheMarks.length === 0 ? dropMarks(request, context) : convertMarks(request, cacheMarks, context);
      return adapted === request ? undefined : { request: adapted };
    }
    const ttl = promptCache === undefined ? undefined : nearestLifetime(promptCache, cacheMarks);
    return ttl === undefined ? undefined : { request: placeMarks(request, { ttl }, traits) };
  },
});
