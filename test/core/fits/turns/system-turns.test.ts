import { expect } from 'chai';
import { systemTurnsFit } from '../../../../core/fits/turns/system-turns.ts';
import { assistant, createProfile, createRequest, namesOf, runFit, system, user } from '../samples.ts';

const leadingOnly = createProfile({ midSystem: false });

describe('system-turns fit', () => {
  it('E16 converts later system turns to marked user text in place', () => {
    const turns = [system('s'), user('a'), assistant('b'), system('new rule'), user('c')];
    const { request, losses } = runFit(systemTurnsFit, createRequest({ turns }), leadingOnly);
    expect(request.turns).to.deep.equal([
      system('s'),
      user('a'),
      assistant('b'),
      user('<system>new rule</system>'),
      user('c'),
    ]);
    expect(namesOf(losses)).to.deep.equal(['messages.system approximated']);
  });

  it('keeps later system turns if the target supports them, and leading ones always', () => {
    const later = createRequest({ turns: [user('a'), system('s'), user('b')] });
    expect(runFit(systemTurnsFit, later, createProfile()).fitted).to.equal(undefined);
    expect(
      runFit(systemTurnsFit, createRequest({ turns: [system('s'), system('t'), user('a')] }), leadingOnly).fitted,
    ).to.equal(undefined);
  });

  it('drops a later system turn without text and keeps a cache mark', () => {
    const marked = { role: 'system', parts: [{ type: 'text', text: 'x', cache: { ttl: '5m' } }] } as const;
    const { request } = runFit(systemTurnsFit, createRequest({ turns: [user('a'), system(''), marked] }), leadingOnly);
    expect(request.turns).to.deep.equal([
      user('a'),
      { role: 'user', parts: [{ type: 'text', text: '<system>x</system>', cache: { ttl: '5m' } }] },
    ]);
  });

  it('E15 converts the last system turn to a user turn if there is none, for every target', () => {
    const developer = { ...system('t'), extra: { wire: 'chat-completions', members: { role: 'developer' } } };
    const { request, losses } = runFit(
      systemTurnsFit,
      createRequest({ turns: [system('s'), developer] }),
      createProfile(),
    );
    expect(request.turns).to.deep.equal([system('s'), user('t')]);
    expect(namesOf(losses)).to.deep.equal(['messages.system approximated']);
  });

  it('converts the last system turn to a user turn if only empty ones follow, unless the wire takes them', () => {
    for (const silent of [user(''), user(' \n'), { role: 'user', parts: [] } as const]) {
      const request = createRequest({ turns: [system('s'), silent] });
      const { request: fitted, losses } = runFit(systemTurnsFit, request, createProfile());
      expect(fitted.turns).to.deep.equal([user('s')]);
      expect(namesOf(losses)).to.deep.equal(['messages.system approximated']);
      expect(runFit(systemTurnsFit, request, createProfile({}, { wire: request.wire })).fitted).to.equal(undefined);
    }
    const spoken = createRequest({ turns: [system('s'), user(''), assistant('a')] });
    expect(runFit(systemTurnsFit, spoken, createProfile()).fitted).to.equal(undefined);
  });
});
