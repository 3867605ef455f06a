import type { CacheMark, Part } from '../../canonical/part.ts';
import type { Turn } from '../../canonical/request.ts';
import type { Lose } from '../../canonical/loss.ts';
import { defineFit } from '../../contracts/fit.ts';
import { describeField } from '../support/field-name.ts';

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

const isEmpty = ({ role, parts }: Turn): boolean =>
  role === 'user' && parts.every((part) => part.type === 'text' && part.text === '');

/** A conversation needs a user turn: the last system turn becomes one. */
const moveLastTurn = (turns: readonly Turn[], field: string, lose: Lose): readonly Turn[] => {
  lose(`${field}.system`, 'approximated', 'the request has only system turns: the last one was sent as a user turn');
  return turns.map((turn, index) => (index === turns.length - 1 ? { role: 'user', parts: turn.parts } : turn));
};

/**
 * System text where the target does not accept it. Later system turns become marked user text in place: at the front
 * they would have another meaning and invalidate the prompt cache. Extra members of a system turn are dropped.
 */
export const systemTurnsFit = defineFit({
  name: 'system-turns',
  fit(request, { capabilities, traits }, { lose, client }) {
    const { turns } = request;
    const leading = turns.findIndex(({ role }) => role !== 'system');
    if (turns.length === 0) return undefined;
    const field = describeField(client, 'conversation');
    const isSystemOnly =
      leading === -1 ||
      (leading > 0 &&
        traits.omitsEmptyTurns === true &&
        turns.every((turn) => turn.role === 'system' || isEmpty(turn)));
    if (isSystemOnly) {
      const written = turns.filter(({ role }) => role === 'system');
      return { request: { ...request, turns: moveLastTurn(written, field, lose) } };
    }
    if (capabilities.midSystem !== false || turns.findLastIndex(({ role }) => role === 'system') < leading)
      return undefined;
    lose(`${field}.system`, 'approximated', 'system text after the first turn was sent as marked user text');
    return { request: { ...request, turns: wrapLaterTurns(turns, leading) } };
  },
});
