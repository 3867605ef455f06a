import type { Turn } from '../../canonical/request.ts';
import { defineFit } from '../../contracts/fit.ts';
import { placePart } from '../support/place-turn.ts';
import { createIdClaims, repairExchange, type Repairs } from './tool-exchange.ts';

const hasTools = (turns: readonly Turn[]): boolean =>
  turns.some(({ parts }) => parts.some(({ type }) => type === 'tool-call' || type === 'tool-result'));

/** Repairs the conversation section by section: an assistant turn and everything up to the next one. */
const repairTurns = (turns: readonly Turn[], repairs: Repairs): readonly Turn[] => {
  const claimId = createIdClaims();
  const repaired: (readonly Turn[])[] = [];
  let start = 0;
  for (let end = 1; end <= turns.length; end += 1) {
    if (end < turns.length && turns[end]?.role !== 'assistant') continue;
    repaired.push(repairExchange(turns.slice(start, end), claimId, repairs));
    start = end;
  }
  return repaired.flat();
};

const sentences: Readonly<Record<keyof Repairs, string>> = {
  renamed: 'call ids used twice were made unique',
  moved: 'tool results were moved directly after their calls',
  orphans: 'results without a call became user text',
  missing: 'calls without a result got a failed result',
};

/** Places that are named of each repair: a conversation can have ten thousand. */
const MAX_NAMED = 16;

/**
 * Orders calls and results as every wire accepts them: each call answered once, directly after its turn. Conversations
 * without tools are skipped.
 */
export const toolPairingFit = defineFit({
  name: 'tool-pairing',
  fit(request, _profile, context) {
    if (!hasTools(request.turns)) return undefined;
    const repairs: Repairs = { renamed: [], moved: [], orphans: [], missing: [] };
    const turns = repairTurns(request.turns, repairs);
    const made = (Object.keys(sentences) as (keyof Repairs)[]).filter((repair) => repairs[repair].length > 0);
    if (made.length === 0) return undefined;
    for (const repair of made)
      for (const part of repairs[repair].slice(0, MAX_NAMED))
        context.lose(
          placePart(part, context, repair === 'renamed' ? 'tool_calls' : 'tool_results'),
          repair === 'missing' ? 'injected' : 'approximated',
          sentences[repair],
        );
    return { request: { ...request, turns } };
  },
});
