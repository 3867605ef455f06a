import { expect } from 'chai';
import { toolPairingFit } from '../../../../core/fits/tools/tool-pairing.ts';
import { assistant, call, createProfile, createRequest, namesOf, result, runFit, system, user } from '../samples.ts';
import type { Turn } from '../../../../core/canonical/request.ts';

const pair = (...turns: readonly Turn[]) => runFit(toolPairingFit, createRequest({ turns }), createProfile());
const missing = (id: string) => ({
  type: 'tool-result',
  id,
  name: 'find',
  failed: true,
  parts: [{ type: 'text', text: 'no result was provided' }],
});

describe('tool-pairing fit', () => {
  it('keeps conversations whose calls all have results, and those without tools', () => {
    expect(
      pair(user('a'), assistant(call('1'), call('2')), user(result('1')), user(result('2')), user('go')).fitted,
    ).to.equal(undefined);
    expect(pair(user('a'), assistant(call('1'), call('2')), user(result('2'), result('1'), 'go')).fitted).to.equal(
      undefined,
    );
    expect(pair(user('a'), assistant('b'), assistant('c'), user('d')).fitted).to.equal(undefined);
  });

  it('E10 adds a failed result for a call without one, after the existing results', () => {
    const { request, losses } = pair(user('a'), assistant(call('1'), call('2')), user(result('1')), user('go on'));
    expect(request.turns.slice(2)).to.deep.equal([
      user(result('1')),
      { role: 'user', parts: [missing('2')] },
      user('go on'),
    ]);
    expect(namesOf(losses)).to.deep.equal(['messages.tool_results injected']);
  });

  it('leaves calls of the last turn without results', () => {
    expect(pair(user('a'), assistant(call('1'))).fitted).to.equal(undefined);
  });

  it('E11 converts a result without a call to user text', () => {
    const { request, losses } = pair(user('a'), assistant('b'), user(result('lost', 'forty-two'), 'go'));
    expect(request.turns[2]).to.deep.equal(user('[tool result lost] forty-two', 'go'));
    expect(namesOf(losses)).to.deep.equal(['messages.tool_results approximated']);
    expect(pair(user(result('first'))).request.turns).to.deep.equal([user('[tool result first] found')]);
  });

  it('keeps the image and the failure of a result without a call', () => {
    const image = { type: 'media', media: { mediaType: 'image/png', base64: 'AAAA' } } as const;
    const orphan = {
      type: 'tool-result',
      id: 'x',
      failed: true,
      parts: [{ type: 'text', text: 'boom' }, image],
    } as const;
    expect(pair(user('a', orphan)).request.turns[0]).to.deep.equal(user('a', '[tool result x] Error: boom', image));
  });

  it('treats a second result of one call as one without a call', () => {
    const { request } = pair(user('a'), assistant(call('1')), user(result('1', 'x'), result('1', 'y')));
    expect(request.turns[2]).to.deep.equal(user(result('1', 'x'), '[tool result 1] y'));
  });

  it('E49 makes repeated ids unique, within a turn and across turns, and rewrites the results in order', () => {
    const { request, losses } = pair(
      user('a'),
      assistant(call('call_0', 'f'), call('call_0', 'g')),
      user(result('call_0', 'of f'), result('call_0', 'of g')),
      assistant(call('call_0', 'h')),
      user(result('call_0', 'of h')),
    );
    expect(request.turns.slice(1)).to.deep.equal([
      assistant(call('call_0', 'f'), call('call_0_2', 'g')),
      user(result('call_0', 'of f'), result('call_0_2', 'of g')),
      assistant(call('call_0_3', 'h')),
      user(result('call_0_3', 'of h')),
    ]);
    expect(namesOf(losses)).to.deep.equal(['messages.tool_calls approximated', 'messages.tool_calls approximated']);
  });

  it('moves results directly after their calls if other turns are in between', () => {
    const { request, losses } = pair(
      user('a'),
      assistant(call('1'), call('2')),
      system('note'),
      user('wait'),
      user(result('1'), 'so?'),
      user(result('2')),
    );
    expect(request.turns.slice(2)).to.deep.equal([
      user(result('1')),
      user(result('2')),
      system('note'),
      user('wait'),
      user('so?'),
    ]);
    expect(namesOf(losses)).to.deep.equal(['messages.tool_results approximated']);
  });

  it('does not use a result after the next assistant turn', () => {
    const { request } = pair(user('a'), assistant(call('1')), user('b'), assistant('c'), user(result('1')));
    expect(request.turns).to.deep.equal([
      user('a'),
      assistant(call('1')),
      { role: 'user', parts: [missing('1')] },
      user('b'),
      assistant('c'),
      user('[tool result 1] found'),
    ]);
  });

  it('keeps the extra members of a turn whose results move', () => {
    const named = { ...user(result('1')), extra: { wire: 'chat-completions', members: { name: 'find' } } };
    expect(pair(user('a'), assistant(call('1')), user('wait'), named).request.turns[2]).to.deep.equal(named);
  });
});
