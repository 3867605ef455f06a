import { expect } from 'chai';
import type { AdminActor } from '../../../../../core/contracts/admin.ts';
import { Sessions } from '../../../../../core/http/admin/login/sessions.ts';

const HOUR = 3_600_000;
const ISSUER = 'https://login.example.com';
const person = (subject: string): AdminActor & { readonly id: string } => ({
  name: `${subject}@acme.example`,
  role: 'developer',
  id: `${ISSUER} ${subject}`,
});
const dora = person('dora');
const emil = person('emil');
const token: AdminActor = { name: 'token', role: 'admin' };

describe('the sessions of people', () => {
  let passed = 0;
  let sessions: Sessions;
  beforeEach(() => {
    passed = 0;
    sessions = new Sessions({ monotonic: () => passed, now: () => 1_000_000 + passed });
  });
  const isOpen = (id: string): boolean => sessions.find(id) !== undefined;

  it('a thousand sign-ins of one person end only sessions of that person, the oldest first', () => {
    const others = [sessions.open(emil, HOUR), sessions.open(token, HOUR)];
    const own = Array.from({ length: 1_000 }, () => sessions.open(dora, HOUR));
    expect(others.map(isOpen)).to.deep.equal([true, true]);
    expect(own.map(isOpen).indexOf(true)).to.equal(980);
    expect(own.filter(isOpen)).to.have.length(20);
  });

  it('sessions that have ended are not counted', () => {
    const first = Array.from({ length: 20 }, () => sessions.open(dora, HOUR));
    passed = HOUR - 1;
    expect(first.every(isOpen)).to.equal(true);
    passed = HOUR;
    const later = Array.from({ length: 20 }, () => sessions.open(dora, HOUR));
    expect([first.some(isOpen), later.every(isOpen)]).to.deep.equal([false, true]);
  });

  it('the sessions of all people have a bound', () => {
    const oldest = sessions.open(emil, HOUR);
    for (let more = 0; more < 9_999; more += 1) sessions.open(person(`p${more}`), HOUR);
    expect(isOpen(oldest)).to.equal(true);
    sessions.open(dora, HOUR);
    expect(isOpen(oldest)).to.equal(false);
  }).timeout(120_000);

  it('lists sessions without the secret that opens them, the newest first', () => {
    const secret = sessions.open(dora, HOUR, { address: '10.0.0.7', browser: 'Firefox', idToken: 'e.y.J' });
    passed = 5;
    sessions.open(emil, HOUR);
    const [of, first] = sessions.list();
    expect(of?.actor.name).to.equal('emil@acme.example');
    const session = sessions.find(secret)?.session;
    expect(first).to.deep.equal({
      id: session,
      actor: { ...dora, session },
      since: 1_000_000,
      until: 1_000_000 + HOUR,
      address: '10.0.0.7',
      browser: 'Firefox',
    });
    expect(session).to.match(/^[\da-f]{16}$/);
    expect(isOpen(session ?? '')).to.equal(false);
    expect(sessions.list(dora.id)).to.deep.equal([first]);
    passed = HOUR;
    expect(sessions.list().map(({ actor }) => actor.name)).to.deep.equal(['emil@acme.example']);
  });

  it('ends a session of the list, and for a person only an own one', () => {
    const secret = sessions.open(dora, HOUR);
    const listed = sessions.find(secret)?.session ?? '';
    expect(sessions.end(listed, emil.id)).to.equal(undefined);
    expect(isOpen(secret)).to.equal(true);
    expect(sessions.end(listed, dora.id)?.actor.name).to.equal('dora@acme.example');
    expect([isOpen(secret), sessions.end(listed)]).to.deep.equal([false, undefined]);
  });

  it('ends all sessions of a person, and counts those that were open', () => {
    const other = sessions.open(emil, HOUR);
    sessions.open(dora, 1);
    passed = 2;
    const own = [sessions.open(dora, HOUR), sessions.open(dora, HOUR)];
    expect(sessions.closeOf(dora.id)).to.equal(2);
    expect([...own, other].map(isOpen)).to.deep.equal([false, false, true]);
    expect(sessions.closeOf(dora.id)).to.equal(0);
  });

  it('ends the sessions that belong to a session at the provider', () => {
    const ended = sessions.open(dora, HOUR, { sid: 's1' });
    const elsewhere = sessions.open({ ...emil, id: 'https://other.example emil' }, HOUR, { sid: 's1' });
    const kept = [sessions.open(dora, HOUR, { sid: 's2' }), sessions.open(dora, HOUR), elsewhere];
    expect(sessions.closeBySid(ISSUER, 's1')).to.equal(1);
    expect([isOpen(ended), kept.every(isOpen)]).to.deep.equal([false, true]);
  });
});
