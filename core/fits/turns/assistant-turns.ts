import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { Turn } from '../../canonical/request.ts';
import { defineFit } from '../../contracts/fit.ts';
import { placeTurn } from '../support/place-turn.ts';

const isAssistant = (turn: Turn | undefined): boolean => turn?.role === 'assistant';
const hasCalls = ({ parts }: Turn): boolean => parts.some(({ type }) => type === 'tool-call');

/** The index after the run of assistant turns that starts at `start`. */
const endOfRun = (turns: readonly Turn[], start: number): number => {
  let end = start;
  while (isAssistant(turns[end])) end += 1;
  return end;
};

const joinRun = (run: readonly Turn[]): Turn => {
  const extra = run.find((turn) => turn.extra !== undefined)?.extra;
  return omitUndefined({ role: 'assistant', parts: run.flatMap(({ parts }) => parts), extra });
};

const joinRuns = (turns: readonly Turn[]): readonly Turn[] => {
  const joined: (readonly Turn[])[] = [];
  for (let start = 0; start < turns.length;) {
    const end = Math.max(endOfRun(turns, start), start + 1);
    const run = turns.slice(start, end);
    joined.push(run.length > 1 && run.some(hasCalls) ? [joinRun(run)] : run);
    start = end;
  }
  return joined.flat();
};

/**
 * Joins consecutive assistant turns with a call among them. Google's chat helper sends a turn per received chunk, so
 * reasoning, text and calls of one response are in several turns; other wires require results before the next assistant
 * turn.
 */
export const assistantTurnsFit = defineFit({
  name: 'assistant-turns',
  fit(request, _profile, context) {
    const { turns } = request;
    if (!turns.some((turn, index) => isAssistant(turn) && isAssistant(turns[index + 1]))) return undefined;
    const joined = joinRuns(turns);
    if (joined.length === turns.length) return undefined;
    const joining = turns.find((turn) => isAssistant(turn) && !joined.includes(turn));
    context.lose(
      placeTurn(joining, context, 'assistant'),
      'approximated',
      'consecutive assistant turns with a tool call among them became one',
    );
    return { request: { ...request, turns: joined } };
  },
});
