import type { CacheMark, Part } from '../../canonical/part.ts';
import type { Turn } from '../../canonical/request.ts';
import { defineFit, type FitContext } from '../../contracts/fit.ts';
import { placeTurn } from '../support/place-turn.ts';

const markOf = (parts: readonly Part[]): { readonly cache?: CacheMark } => {
  const cache = parts.findLast((part) => part.cache !== undefined)?.cache;
  return cache === undefined ? {} : { cache };
};

/** A system turn as marked user text. Other parts follow unchanged; an empty turn is removed. */
const wrapTurn = ({ parts }: Turn): Turn | undefined => {
  const texts = parts.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : []));
  const others = parts.filter(({ type }) => type !== 'text');
  const wrapped: readonly Part[] =
    texts.length === 0 ? [] : [{ type: 'text', text: `<system>${texts.join('\n\n')}</system>`, ...markOf(parts) }];
  return wrapped.length + others.length === 0 ? undefined : { role: 'user', parts: [...wrapped, ...others] };
};

const wrapLaterTurns = (turns: readonly Turn[], leading: number): readonly Turn[] =>
  turns.flatMap((turn, index) => {
    if (index < leading || turn.role !== 'system') return [turn];
    const wrapped = wrapTurn(turn);
    return wrapped === undefined ? [] : [wrapped];
  });

/** Vendors refuse a user turn of white space too. */
const isSilent = ({ role, parts }: Turn): boolean =>
  role === 'user' && parts.every((part) => part.type === 'text' && part.text.trim() === '');

/** Where the system turns at the start end, and whether there is one after them. */
const survey = (turns: readonly Turn[]): { readonly leading: number; readonly hasLater: boolean } => {
  let leading = 0;
  while (turns[leading]?.role === 'system') leading += 1;
  let hasLater = false;
  for (let index = leading + 1; index < turns.length; index += 1) hasLater ||= turns[index]?.role === 'system';
  return { leading, hasLater };
};

/** A conversation needs a user turn: the last system turn becomes one. */
const moveLastTurn = (turns: readonly Turn[], context: FitContext): readonly Turn[] => {
  const last = turns.at(-1);
  if (last === undefined) return turns;
  context.lose(
    placeTurn(last, context, 'system'),
    'approximated',
    'the request has only system text: the last system turn was sent as a user turn',
  );
  return [...turns.slice(0, -1), { role: 'user', parts: last.parts }];
};

/**
 * System text where the target does not accept it. Later system turns become marked user text in place: at the front
 * they would have another meaning and invalidate the prompt cache. Extra members of a system turn are dropped.
 */
export const systemTurnsFit = defineFit({
  name: 'system-turns',
  fit(request, { capabilities, traits }, context) {
    const { turns } = request;
    if (turns.length === 0) return undefined;
    const { leading, hasLater } = survey(turns);
    const isSystemOnly =
      leading === turns.length ||
      (leading > 0 &&
        traits.omitsEmptyTurns === true &&
        turns.every((turn) => turn.role === 'system' || isSilent(turn)));
    if (isSystemOnly) {
      const written = turns.filter(({ role }) => role === 'system');
      return { request: { ...request, turns: moveLastTurn(written, context) } };
    }
    if (capabilities.midSystem !== false || !hasLater) return undefined;
    for (const turn of turns.slice(leading).filter(({ role }) => role === 'system'))
      context.lose(
        placeTurn(turn, context, 'system'),
        'approximated',
        'system text after the first turn was sent as marked user text',
      );
    return { request: { ...request, turns: wrapLaterTurns(turns, leading) } };
  },
});
