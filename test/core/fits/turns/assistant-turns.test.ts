import { expect } from 'chai';
import type { Part } from '../../../../core/canonical/part.ts';
import type { Turn } from '../../../../core/canonical/request.ts';
import { assistantTurnsFit } from '../../../../core/fits/turns/assistant-turns.ts';
import { assistant, call, createProfile, createRequest, namesOf, result, runFit, user } from '../samples.ts';

const thought: Part = { type: 'reasoning', text: 'hm' };
const join = (...turns: readonly Turn[]) => runFit(assistantTurnsFit, createRequest({ turns }), createProfile());

describe('assistant-turns fit', () => {
  it('joins turns that a client sent chunk by chunk', () => {
    const { request, losses } = join(
      user('a'),
      assistant(thought),
      assistant('x'),
      assistant(call('1')),
      assistant(call('2')),
      user(result('1'), result('2')),
    );
    expect(request.turns).to.deep.equal([
      user('a'),
      assistant(thought, 'x', call('1'), call('2')),
      user(result('1'), result('2')),
    ]);
    expect(namesOf(losses)).to.deep.equal(['messages.assistant approximated']);
  });

  it('keeps the extra members of a joined assistant turn', () => {
    const extra = { wire: 'chat-completions', members: { name: 'bot' } };
    expect(join(assistant(call('1')), { ...assistant('x'), extra }).request.turns).to.deep.equal([
      { ...assistant(call('1'), 'x'), extra },
    ]);
  });

  it('keeps runs of assistant turns without calls, and single turns with calls', () => {
    expect(join(user('a'), assistant('b'), assistant('c')).fitted).to.equal(undefined);
    expect(join(user('a'), assistant(call('1')), user(result('1')), assistant('c')).fitted).to.equal(undefined);
  });
});
